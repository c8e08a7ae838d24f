#include "report/terminal.h"

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

std::string colored(const std::string& text, const char* code, bool on) {
  return on ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

}  // namespace mjjit
