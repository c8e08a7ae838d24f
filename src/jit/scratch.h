#pragma once

#include <filesystem>
#include <string>

namespace mjjit {

/// A folder of one's own under $TMPDIR (or /tmp), removed with everything in it at the end.
class ScratchFolder {
 public:
  /// @throws Error{Exit::device} when none can be made
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// @throws Error{Exit::device} naming the file when it cannot be written
void write_text(const std::filesystem::path& file, const std::string& text);

/// A compiler's full log in a new file under $TMPDIR that stays, for the user to read.
/// @return its path, or "(no log: REASON)" when it cannot be written
std::string keep_log(const std::string& module, const std::string& text);

}  // namespace mjjit
