#include "sim/loaded_library.h"

#include <fmt/format.h>
#include <stdlib.h>  // mkstemp: POSIX
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"

namespace mjjit {

namespace {

bool write_all(int fd, const std::vector<char>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t now = write(fd, bytes.data() + done, bytes.size() - done);
    if (now <= 0 && errno != EINTR) {
      return false;
    }
    done += now > 0 ? static_cast<std::size_t>(now) : 0;
  }
  return true;
}

}  // namespace

DynLib load_library(const std::string& name, const std::vector<char>& image) {
  std::string path;
  bool is_file = false;
  int fd = memfd_create(("mjjit " + name).c_str(), MFD_CLOEXEC);
  if (fd >= 0) {
    path = fmt::format("/proc/self/fd/{}", fd);
  }
  if (fd < 0 || access(path.c_str(), R_OK) != 0) {  // no memfd, or no /proc
    if (fd >= 0) {
      close(fd);
    }
    const char* folder = std::getenv("TMPDIR");
    path = std::string(folder != nullptr && folder[0] != '\0' ? folder : "/tmp") +
           "/mjjit-module-XXXXXX";
    fd = mkstemp(path.data());
    is_file = fd >= 0;
  }

  DynLib library;
  const bool is_written = fd >= 0 && write_all(fd, image);
  const bool is_open = is_written && library.open(path);
  if (is_file || !is_open) {
    close(fd);
  }
  if (is_file) {
    unlink(path.c_str());
  }
  // an anonymous file stays open to the end of the process: the loader knows libraries by path, and
  // a descriptor number used again would give the library that was loaded under it before
  if (!is_open) {
    fail(Exit::device, "module {} cannot be loaded: {}", name,
         is_written ? library.why() : std::string("no room for its image"));
  }
  return library;
}

}  // namespace mjjit
