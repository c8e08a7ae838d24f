#include "mjcf/values.h"

#include <cassert>

#include "mjcf/schema.h"

namespace mjjit::mjcf {
namespace {

int keyword_value(const Element& element, std::string_view name, std::string_view word) {
  const auto rule = element.rule->attributes.find(name);
  assert(rule != element.rule->attributes.end() && rule->second.words);
  for (const Keyword& keyword : *rule->second.words) {
    if (keyword.word == word) {
      return keyword.value;
    }
  }
  assert(false);
  return 0;
}

template <typename T>
bool read_one(const Element& element, std::string_view name, T& value) {
  const std::vector<T> given = read_list<T>(element, name);
  if (!given.empty()) {
    value = given[0];
  }
  return !given.empty();
}

}  // namespace

bool read(const Element& element, std::string_view name, std::string& value) {
  const std::string* text = element.find(name);
  if (text) {
    value = *text;
  }
  return text != nullptr;
}

bool read(const Element& element, std::string_view name, double& value) {
  return read_one(element, name, value);
}
bool read(const Element& element, std::string_view name, int& value) {
  return read_one(element, name, value);
}

bool read_keyword(const Element& element, std::string_view name, int& value) {
  const std::string* text = element.find(name);
  if (text) {
    value = keyword_value(element, name, *text);
  }
  return text != nullptr;
}

bool read(const Element& element, std::string_view name, bool& value) {
  int number = 0;
  const bool is_given = read_keyword(element, name, number);
  if (is_given) {
    value = number == 1;
  }
  return is_given;
}

bool read(const Element& element, std::string_view name, Tristate& value) {
  int number = 0;
  const bool is_given = read_keyword(element, name, number);
  if (is_given) {
    value = static_cast<Tristate>(number);
  }
  return is_given;
}

std::vector<int> read_keywords(const Element& element, std::string_view name) {
  std::vector<int> values;
  if (const std::string* text = element.find(name)) {
    std::string_view rest = *text;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      values.push_back(keyword_value(element, name, word));
    }
  }
  return values;
}

}  // namespace mjjit::mjcf
