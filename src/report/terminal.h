#pragma once

#include <string>
#include <string_view>

namespace mjjit {

/// Whether colour is used; `automatic` means on a terminal that knows it, unless NO_COLOR is set
/// and not empty.
enum class ColorChoice { automatic, always, never };

/// True when text on this file descriptor (1 or 2) may carry colour.
bool use_color(ColorChoice choice, int descriptor);

/// True when the descriptor is a terminal on which a line can be written over, TERM=dumb being
/// none.
bool is_terminal(int descriptor);

/// Text that may hold names and paths from outside, for one line of output: control characters are
/// written as escapes.
/// @param keep_lines   line ends stay as they are
std::string printable(std::string_view text, bool keep_lines = false);

/// Text in an ANSI colour ("31" red, "33" yellow, "1" bold) where `on`, else as it is.
std::string colored(const std::string& text, const char* code, bool on);

}  // namespace mjjit
