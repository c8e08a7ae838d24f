#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/source.h"

namespace mjjit {

/// What the process ends with; the values are part of the command-line interface.
enum class Exit { good = 0, worse = 1, input = 2, overflow = 3, device = 4 };

/// The one exception type: what to tell the user, and the exit code that goes with it. Only `main`
/// catches it.
class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& text) : std::runtime_error(text), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

/// Throws bad input found at a place of a file: "FILE:LINE: text".
template <typename... Args>
[[noreturn]] void fail(const Source& at, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Exit::input, fmt::format("{}:{}: {}", at.file, at.line,
                                       fmt::format(text, std::forward<Args>(args)...)));
}

/// Throws a failure that has no place in a file.
template <typename... Args>
[[noreturn]] void fail(Exit code, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(code, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mjjit
