#include "jit/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "jit/program.h"

namespace mjjit {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".mjjit";
constexpr std::string_view temporary_prefix = ".mjjit-tmp-";
constexpr std::size_t key_digits = 32;

/// A file descriptor that closes itself.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { close(); }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::string reason() { return std::generic_category().message(errno); }

/// Belongs to this user, and nobody else may write to it.
bool is_private(const struct stat& info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool read_all(int fd, char* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::read(fd, to, bytes);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t done = ::write(fd, from, bytes);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return false;
    }
    from += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

/// What an entry begins with: format, key, size and hash of the payload. Its length is the same for
/// every entry.
std::string make_header(const std::string& key, const std::vector<char>& payload) {
  return fmt::format("mjjit entry 1\n{}\n{:020}\n{}\n", key, payload.size(),
                     hash_hex(payload.data(), payload.size()));
}

/// Makes a folder and those above it, for the user alone. @return false with errno set
bool make_folders(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) {
    return true;
  }
  return errno == ENOENT && folder.has_parent_path() && folder.parent_path() != folder &&
         make_folders(folder.parent_path()) &&
         (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

/// Removes temporary files that a killed process left an hour ago or earlier.
void remove_leftovers(const fs::path& folder) {
  std::error_code ignored;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
    if (is_temporary_name(it->path().filename().string()) && it->is_regular_file(ignored) &&
        it->last_write_time(ignored) < old) {
      fs::remove(it->path(), ignored);
    }
  }
}

}  // namespace

std::string entry_name(const std::string& module, const std::string& key) {
  return fmt::format("{}-{}{}", module, key, suffix);
}

bool is_entry_name(const std::string& name) {
  const std::size_t tail = 1 + key_digits + suffix.size();
  if (name.size() <= tail || name[0] == '.' || !name.ends_with(suffix) ||
      name[name.size() - tail] != '-') {
    return false;
  }
  const std::string_view key = std::string_view(name).substr(name.size() - tail + 1, key_digits);
  return key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_temporary_name(const std::string& name) {
  return name.starts_with(temporary_prefix) && name.ends_with(suffix);
}

KernelCache::KernelCache(fs::path folder, std::function<void(const std::string&)> warn)
    : folder_(std::move(folder)), warn_(std::move(warn)), is_refused_(folder_.empty()) {}

KernelCache::~KernelCache() {
  if (folder_fd_ >= 0) {
    close(folder_fd_);
  }
}

void KernelCache::warn_once(const std::string& text) {
  if (!std::exchange(has_warned_, true) && warn_) {
    warn_(text);
  }
}

/// Opens the folder once and decides whether to trust it; mutex_ is held.
bool KernelCache::open_folder(bool create) {
  if (is_refused_ || folder_fd_ >= 0) {
    return !is_refused_;
  }
  if (create && !make_folders(folder_)) {
    is_refused_ = true;
    warn_once(fmt::format("kernel cache {} cannot be made ({}): compiling without it",
                          folder_.string(), reason()));
    return false;
  }
  const int fd = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT && !create) {
    return false;  // a cold start; the first write makes it
  }
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) {
    is_refused_ = true;
    warn_once(fmt::format("kernel cache {} cannot be opened ({}): compiling without it",
                          folder_.string(), reason()));
  } else if (!is_private(info)) {
    is_refused_ = true;
    warn_once(fmt::format(
        "kernel cache {} belongs to another user or can be written to by others: it is not used",
        folder_.string()));
  }
  if (is_refused_) {
    if (fd >= 0) {
      close(fd);
    }
    return false;
  }
  folder_fd_ = fd;
  return true;
}

std::optional<std::vector<char>> KernelCache::read(const std::string& module,
                                                   const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    if (!open_folder(false)) {
      return std::nullopt;
    }
  }
  const Fd file(openat(folder_fd_, entry_name(module, key).c_str(),
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info;
  if (!file.is_open() || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
      !is_private(info)) {
    return std::nullopt;
  }

  // the header tells what the rest must be
  std::string header = make_header(key, {});
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size < header.size()) {
    return std::nullopt;
  }
  std::vector<char> payload(size - header.size());
  if (!read_all(file.get(), header.data(), header.size()) ||
      !read_all(file.get(), payload.data(), payload.size()) ||
      header != make_header(key, payload)) {
    return std::nullopt;
  }
  return payload;
}

/// Writes an entry beside the folder's others and renames it. @return false with errno set, and
/// nothing left behind
bool KernelCache::write_file(const std::string& name, const std::string& header,
                             const std::vector<char>& payload) {
  static std::atomic<unsigned> counter = 0;
  std::string temporary;
  int fd = -1;
  do {
    temporary = fmt::format("{}{}-{}{}", temporary_prefix, getpid(), counter++, suffix);
    fd = openat(folder_fd_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  } while (fd < 0 && errno == EEXIST);
  Fd file(fd);
  if (!file.is_open()) {
    return false;
  }
  if (write_all(file.get(), header.data(), header.size()) &&
      write_all(file.get(), payload.data(), payload.size()) && file.close() &&
      renameat(folder_fd_, temporary.c_str(), folder_fd_, name.c_str()) == 0) {
    return true;
  }
  const int why = errno;
  unlinkat(folder_fd_, temporary.c_str(), 0);
  errno = why;
  return false;
}

void KernelCache::write(const std::string& module, const std::string& key,
                        const std::vector<char>& payload) {
  {
    const std::lock_guard lock(mutex_);
    if (!open_folder(true)) {
      return;
    }
    if (!std::exchange(has_tidied_, true)) {
      remove_leftovers(folder_);
    }
  }
  if (!write_file(entry_name(module, key), make_header(key, payload), payload)) {
    const std::string why = reason();
    const std::lock_guard lock(mutex_);
    warn_once(fmt::format("kernel cache {}: module {} cannot be stored ({})", folder_.string(),
                          module, why));
  }
}

int clear_cache(const fs::path& cache_dir) {
  int removed = 0;
  std::error_code ignored;
  for (fs::directory_iterator it(cache_dir.empty() ? default_cache_dir() : cache_dir, ignored), end;
       it != end; it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    const bool is_entry = is_entry_name(name);
    if ((is_entry || is_temporary_name(name)) &&
        it->symlink_status(ignored).type() == fs::file_type::regular &&
        fs::remove(it->path(), ignored) && is_entry) {
      ++removed;
    }
  }
  return removed;
}

fs::path default_cache_dir() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') {  // the XDG specification says to ignore a relative path
    return fs::path(xdg) / "mjjit";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] != '\0' ? fs::path(home) / ".cache" / "mjjit" : fs::path();
}

}  // namespace mjjit
