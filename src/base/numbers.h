#pragma once

#include <string_view>

namespace mjjit {

/// How the reading of a number ended.
enum class NumberStatus { good, malformed, too_large };

/// Reads a whole word as a number, independent of the locale: a leading '+' is allowed;
/// hexadecimal, "nan", "inf" and trailing characters are malformed. A number too small for the type
/// becomes zero.
/// @param value   set only where the result is good
NumberStatus parse_number(std::string_view word, double& value);
NumberStatus parse_number(std::string_view word, float& value);
NumberStatus parse_number(std::string_view word, int& value);

/// Takes the next word off the front of a text whose words are separated by white space; empty at
/// its end.
std::string_view next_word(std::string_view& text);

}  // namespace mjjit
