#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mjjit {

// The kernel cache: one folder, one file a compiled module, `<module>-<key>.mjjit`. What makes it
// safe to share and to kill:
// - an entry is written to a file of its own name and then renamed, so that a reader sees all of it
//   or nothing, and two writers of one entry do not meet; there is no lock that a killed process
//   could leave behind;
// - an entry says its own key, size and hash; whatever does not agree is a miss, and the next write
//   replaces it;
// - entries are code that will be executed: a folder or file of another user, or that others may
//   write to, is not read;
// - a folder that cannot be made, read or written costs the cache and one warning, never the run;
// - files that are not ours are neither read nor removed.
class KernelCache {
 public:
  /// @param folder  empty: no cache. It is made, for the user alone, when the first entry is
  /// written
  /// @param warn    called at most once, from any thread
  KernelCache(std::filesystem::path folder, std::function<void(const std::string&)> warn);
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  /// The payload of an entry, if there is a sound one.
  std::optional<std::vector<char>> read(const std::string& module, const std::string& key);

  /// Stores an entry, over one that may be there; a failure is a warning and leaves nothing behind.
  void write(const std::string& module, const std::string& key, const std::vector<char>& payload);

 private:
  bool open_folder(bool create);
  bool write_file(const std::string& name, const std::string& header,
                  const std::vector<char>& payload);
  void warn_once(const std::string& text);

  std::filesystem::path folder_;
  std::function<void(const std::string&)> warn_;
  std::mutex mutex_;  // guards what is below
  int folder_fd_ = -1;
  bool is_refused_ = false;  // not trusted or not to be made: neither read nor written
  bool has_warned_ = false;
  bool has_tidied_ = false;  // old temporary files are gone
};

/// File name of an entry.
std::string entry_name(const std::string& module, const std::string& key);

/// True for names that this cache gives to its entries (and, while they are written, to their
/// temporary files).
bool is_entry_name(const std::string& name);
bool is_temporary_name(const std::string& name);

}  // namespace mjjit
