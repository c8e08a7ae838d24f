#include "base/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace mjjit {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

template <typename T>
NumberStatus parse(std::string_view word, T& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') {
    word.remove_prefix(1);
  }
  T parsed{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
    return NumberStatus::malformed;
  }
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say whether it is too large or too small
    if (std::is_integral_v<T> || std::abs(std::strtod(std::string(word).c_str(), nullptr)) > 1) {
      return NumberStatus::too_large;
    }
    parsed = 0;
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(parsed)) {
      return NumberStatus::malformed;
    }
  }
  value = parsed;
  return NumberStatus::good;
}

}  // namespace

NumberStatus parse_number(std::string_view word, double& value) { return parse(word, value); }
NumberStatus parse_number(std::string_view word, float& value) { return parse(word, value); }
NumberStatus parse_number(std::string_view word, int& value) { return parse(word, value); }

std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(begin);
  const std::string_view word = text.substr(0, text.find_first_of(kSpace));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace mjjit
