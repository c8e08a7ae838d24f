#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "mjcf/element.h"
#include "mjcf/spec.h"

namespace mjjit::mjcf {

// Reading of attributes of an element that check() has passed. Each function leaves its target as
// it is where the attribute is not given, so that a target can hold the value of the default class.

/// @return whether the attribute is given
bool read(const Element& element, std::string_view name, std::string& value);
bool read(const Element& element, std::string_view name, double& value);
bool read(const Element& element, std::string_view name, int& value);
bool read(const Element& element, std::string_view name, bool& value);
bool read(const Element& element, std::string_view name, Tristate& value);

/// The number that a keyword stands for.
bool read_keyword(const Element& element, std::string_view name, int& value);

/// The numbers that several keywords stand for, in the order given.
std::vector<int> read_keywords(const Element& element, std::string_view name);

/// All numbers of an attribute; empty where it is not given.
template <typename T>
std::vector<T> read_list(const Element& element, std::string_view name) {
  std::vector<T> values;
  if (const std::string* text = element.find(name)) {
    std::string_view rest = *text;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      values.emplace_back();
      if (parse_number(word, values.back()) == NumberStatus::too_large) {
        fail(element, "attribute '{}' has '{}', which is too large", name, word);
      }
    }
  }
  return values;
}

/// The first values of an array; those that are not given stay.
/// @return how many are given
template <typename T, std::size_t n>
int read(const Element& element, std::string_view name, std::array<T, n>& values) {
  const std::vector<T> given = read_list<T>(element, name);
  for (std::size_t i = 0; i < given.size() && i < n; i++) {
    values[i] = given[i];
  }
  return static_cast<int>(given.size());
}

/// A number and the higher coefficients of its polynomial, as stiffness and damping have them.
inline void read_polynomial(const Element& element, std::string_view name, double& first,
                            Vec2& rest) {
  std::array<double, 3> all = {first, rest[0], rest[1]};
  read(element, name, all);
  first = all[0];
  rest = {all[1], all[2]};
}

}  // namespace mjjit::mjcf
