#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"

/// What a command did.
struct Ran {
  int code = -1;  // exit code; -1: ended by a signal
  std::string out, err;
};

/// A folder of this process, removed at its end, with a kernel cache that all runs of it share.
class Workshop {
 public:
  Workshop()
      : folder_(std::filesystem::temp_directory_path() /
                ("mjjit-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Workshop() { std::filesystem::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  /// Writes a scene and gives its path.
  std::string scene(const std::string& name, const std::string& text) const {
    mjjit::write_file_atomic(file(name), text);
    return file(name);
  }

  /// Runs testspeed on the CPU with arguments as a shell would take them.
  Ran testspeed(const std::string& arguments) const { return shell(command(arguments)); }

  /// The same, with shell commands that are run once `words` have been printed; the process is
  /// $pid.
  Ran interrupted(const std::string& arguments, const std::string& words,
                  const std::string& commands) const {
    // a shell starts what is in the background with SIGINT ignored; testspeed's handler undoes that
    return shell(command(arguments) + " & pid=$!; while kill -0 $pid && ! grep -q '" + words +
                 "' '" + file("out") + "'; do sleep 0.05; done; " + commands + "; wait $pid");
  }

 private:
  std::string command(const std::string& arguments) const {
    return "'" MJJIT_TESTSPEED "' --kernel_cache_dir '" + file("cache") + "' " + arguments + " >'" +
           file("out") + "' 2>'" + file("err") + "'";
  }

  Ran shell(const std::string& line) const {
    const int status = std::system(line.c_str());
    Ran ran;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ran.out = mjjit::read_file(file("out"));
    ran.err = mjjit::read_file(file("err"));
    return ran;
  }

  std::filesystem::path folder_;
};

/// The one workshop of a test run: kernels are compiled once.
inline const Workshop& workshop() {
  static const Workshop shop;
  return shop;
}

/// How many lines of a text begin with these words.
inline int lines_beginning(const std::string& text, const std::string& words) {
  int count = text.rfind(words, 0) == 0 ? 1 : 0;
  for (std::size_t at = text.find("\n" + words); at != std::string::npos;
       at = text.find("\n" + words, at + 1)) {
    ++count;
  }
  return count;
}
