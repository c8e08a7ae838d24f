#pragma once

#include <string>

namespace mjjit {

/// Where an element stands: the file as the user would name it, and its line, from 1.
struct Source {
  std::string file;
  int line = 0;
};

}  // namespace mjjit
