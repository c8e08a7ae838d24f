#include "base/files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace mjjit {

namespace fs = std::filesystem;

bool is_file(const std::string& path) { return file_problem(path).empty(); }

std::string file_problem(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::not_found) {
    return "does not exist";
  }
  if (type == fs::file_type::directory) {
    return "is a folder";
  }
  if (type == fs::file_type::regular) {
    if (access(path.c_str(), R_OK) != 0) {
      return fmt::format("cannot be opened: {}", std::strerror(errno));
    }
    const std::uintmax_t size = fs::file_size(path, error);
    return size <= kMostFileBytes || error
               ? ""
               : fmt::format("has {} bytes, there can be at most {}", size, kMostFileBytes);
  }
  return error ? fmt::format("cannot be opened: {}", error.message()) : "is no regular file";
}

std::string read_file(const std::string& path) {
  if (const std::string problem = file_problem(path); !problem.empty()) {
    fail(Exit::input, "file '{}' {}", path, problem);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fail(Exit::input, "cannot open '{}': {}", path, std::strerror(errno));
  }
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) {
    fail(Exit::input, "cannot read '{}': {}", path, std::strerror(errno));
  }
  return std::move(text).str();
}

void write_file_atomic(const std::string& path, std::string_view text) {
  static std::atomic<int> serial = 0;
  std::error_code ignored;
  const bool is_special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (is_special) {  // a device or a pipe is written to, never replaced
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      fail(Exit::input, "cannot write '{}': {}", path, std::strerror(errno));
    }
    return;
  }
  const std::string temporary = fmt::format("{}.{}.{}.tmp", path, getpid(), serial++);
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  std::error_code error;
  if (out) {
    fs::rename(temporary, path, error);
    if (!error) {
      return;
    }
  }
  const std::string cause = error ? error.message() : std::strerror(errno);
  fs::remove(temporary, error);
  fail(Exit::input, "cannot write '{}': {}", path, cause);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string join_path(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

std::string file_stem(const std::string& path) { return fs::path(path).stem().string(); }

}  // namespace mjjit
