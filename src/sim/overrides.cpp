#include "sim/overrides.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"

namespace mjjit {
namespace {

// reads columns of mjOption that may not be negative, or not zero either
enum class Range { any, not_negative, positive };

struct Number {
  std::string_view name;
  Range range;
};

constexpr Number kRanges[] = {
    {"timestep", Range::positive},
    {"impratio", Range::positive},
    {"tolerance", Range::not_negative},
    {"ls_tolerance", Range::not_negative},
    {"noslip_tolerance", Range::not_negative},
    {"ccd_tolerance", Range::not_negative},
    {"density", Range::not_negative},
    {"viscosity", Range::not_negative},
    {"iterations", Range::not_negative},
    {"ls_iterations", Range::not_negative},
    {"noslip_iterations", Range::not_negative},
    {"ccd_iterations", Range::not_negative},
    {"sdf_iterations", Range::not_negative},
    {"sdf_initpoints", Range::not_negative},
};

/// Words that stand for the values of an option, in the order of MuJoCo's enumeration.
const std::map<std::string_view, std::vector<std::string_view>>& words() {
  static const std::map<std::string_view, std::vector<std::string_view>> table = {
      {"solver", {"pgs", "cg", "newton"}},
      {"cone", {"pyramidal", "elliptic"}},
      {"jacobian", {"dense", "sparse", "auto"}},
      {"integrator", {"euler", "rk4", "implicit", "implicitfast"}},
  };
  return table;
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
  if (parse_number(text, value) != NumberStatus::good) {
    fail(Exit::input, "--override {}: '{}' is not a {}", item.text, text,
         std::is_integral_v<T> ? "whole number" : "finite number");
  }
  for (const Number& limit : kRanges) {
    const bool below = limit.range == Range::positive ? value <= 0 : value < 0;
    if (limit.name == item.name && limit.range != Range::any && below) {
      fail(Exit::input, "--override {}: must {}", item.text,
           limit.range == Range::positive ? "be above 0" : "not be negative");
    }
  }
  return value;
}

/// Numbers separated by blanks or commas, as many as the option has.
template <typename T>
void set_values(const Override& item, T* out, std::size_t count) {
  const auto table = words().find(item.name);
  if (table != words().end()) {
    const std::string word = lower(item.value);
    for (std::size_t i = 0; i < table->second.size(); ++i) {
      if (table->second[i] == word || std::to_string(i) == word) {
        out[0] = static_cast<T>(i);
        return;
      }
    }
    fail(Exit::input, "--override {}: '{}' is none of {}", item.text, item.value,
         fmt::join(table->second, ", "));
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
  for (const std::string& text : overrides) {
    Override item = parse_override(text);
#define OPT(type, name, columns) set_option(&item, #name, option->name);
#include "../../kernels/model_fields.def"
    if (!item.used) {
      std::vector<std::string> names;
#define OPT(type, name, columns) names.push_back(#name);
#include "../../kernels/model_fields.def"
      fail(Exit::input, "--override {}: no option 'opt.{}'; there are {}", text, item.name,
           fmt::join(names, ", "));
    }
  }
}

}  // namespace mjjit
