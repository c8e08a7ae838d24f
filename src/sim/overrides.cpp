#include "sim/overrides.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "mjcf/option_rules.h"
#include "mjcf/schema.h"

namespace mjjit {
namespace {

/// The words that an option may be given as, and their values; null where it is given as numbers.
const std::vector<mjcf::Keyword>* words_of(const std::string& option) {
  const auto& attributes = mjcf::element_rule("option").attributes;
  const auto rule = attributes.find(option);
  return rule == attributes.end() ? nullptr : rule->second.words;
}

/// One override on its way into the options.
struct Override {
  std::string text;  // as the user gave it
  std::string name;  // without opt.
  std::string value;
  bool used = false;
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? std::string()
                                         : std::string(text.substr(begin, end - begin + 1));
}

std::string lower(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

template <typename T>
T checked_number(const Override& item, std::string_view text) {
  T value = {};
  const NumberStatus status = parse_number(text, value);
  if (status == NumberStatus::too_large) {
    fail(Exit::input, "--override {}: '{}' is too large", item.text, text);
  }
  if (status != NumberStatus::good) {
    fail(Exit::input, "--override {}: '{}' is not a {}", item.text, text,
         std::is_integral_v<T> ? "whole number" : "finite number");
  }
  return value;
}

/// Numbers separated by blanks or commas, as many as the option has.
template <typename T>
void set_values(const Override& item, T* out, std::size_t count) {
  if (const auto* words = words_of(item.name)) {
    std::vector<std::string> known;
    for (const mjcf::Keyword& keyword : *words) {
      known.push_back(lower(std::string(keyword.word)));
      if (known.back() == lower(item.value) || std::to_string(keyword.value) == item.value) {
        out[0] = static_cast<T>(keyword.value);
        return;
      }
    }
    fail(Exit::input, "--override {}: '{}' is none of {}", item.text, item.value,
         fmt::join(known, ", "));
  }
  std::vector<T> values;
  std::size_t at = 0;
  while ((at = item.value.find_first_not_of(" ,\t", at)) != std::string::npos) {
    const std::size_t end = std::min(item.value.find_first_of(" ,\t", at), item.value.size());
    values.push_back(checked_number<T>(item, std::string_view(item.value).substr(at, end - at)));
    at = end;
  }
  if (values.size() != count) {
    fail(Exit::input, "--override {}: has {} numbers, expected {}", item.text, values.size(),
         count);
  }
  std::copy(values.begin(), values.end(), out);
}

void set_option(Override* item, const char* name, double& field) {
  if (item->name == name) {
    set_values(*item, &field, 1);
    item->used = true;
  }
}

void set_option(Override* item, const char* name, int& field) {
  if (item->name == name) {
    set_values(*item, &field, 1);
    item->used = true;
  }
}

template <std::size_t N>
void set_option(Override* item, const char* name, std::array<double, N>& field) {
  if (item->name == name) {
    set_values(*item, field.data(), N);
    item->used = true;
  }
}

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  Override item;
  item.text = text;
  item.name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || item.name.rfind("opt.", 0) != 0) {
    fail(Exit::input, "--override {}: expected opt.NAME=VALUE", text);
  }
  item.name = item.name.substr(4);
  item.value = trimmed(text.substr(equals + 1));
  return item;
}

}  // namespace

void apply_overrides(const std::vector<std::string>& overrides, SpecOption* option) {
  std::set<std::string> names_given;
  for (const std::string& text : overrides) {
    Override item = parse_override(text);
    if (!names_given.insert(item.name).second) {
      fail(Exit::input, "--override {}: opt.{} is overridden twice", text, item.name);
    }
#define OPT(type, name, columns) set_option(&item, #name, option->name);
#include "../../kernels/model_fields.def"
    if (!item.used) {
      std::vector<std::string> names;
#define OPT(type, name, columns) names.push_back(#name);
#include "../../kernels/model_fields.def"
      fail(Exit::input, "--override {}: no option 'opt.{}'; there are {}", text, item.name,
           fmt::join(names, ", "));
    }
    if (const OptionProblem problem = option_problem(*option); problem.name == item.name) {
      fail(Exit::input, "--override {}: {}", text, problem.text);
    }
  }
}

}  // namespace mjjit
