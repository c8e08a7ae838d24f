#include "jit/scratch.h"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp, mkstemps: POSIX
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/error.h"

namespace mjjit {

namespace fs = std::filesystem;

namespace {

fs::path temporary_root() {
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && chosen[0] != '\0' ? chosen : "/tmp";
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_root() / "mjjit-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    fail(Exit::device,
         "no folder for temporary files can be made in {} ({}); TMPDIR chooses another",
         temporary_root().string(), std::generic_category().message(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    fail(Exit::device, "{} cannot be written", file.string());
  }
}

std::string keep_log(const std::string& module, const std::string& text) {
  std::string name = (temporary_root() / fmt::format("mjjit-{}-XXXXXX.log", module)).string();
  const int fd = mkstemps(name.data(), 4);
  if (fd < 0) {
    return fmt::format("(no log: {})", std::generic_category().message(errno));
  }
  const bool is_complete = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return is_complete ? name : name + " (incomplete)";
}

}  // namespace mjjit
