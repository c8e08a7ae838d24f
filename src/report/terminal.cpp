#include "report/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace mjjit {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

}  // namespace

bool is_terminal(int descriptor) { return isatty(descriptor) == 1 && !is_dumb(); }

bool use_color(ColorChoice choice, int descriptor) {
  if (choice != ColorChoice::automatic) {
    return choice == ColorChoice::always;
  }
  return is_terminal(descriptor) && !is_set("NO_COLOR");
}

std::string printable(std::string_view text, bool keep_lines) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // the second half of the control characters is 0xc2 0x80 to 0xc2 0x9f in UTF-8
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (c == '\n') {
      line += keep_lines ? "\n" : "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (c == '\r') {
      line += "\\r";
    } else if (c < 0x20 || c == 0x7f) {
      line += fmt::format("\\x{:02x}", c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      line += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      line += text[i];
    }
  }
  return line;
}

std::string colored(const std::string& text, const char* code, bool on) {
  return on ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

}  // namespace mjjit
