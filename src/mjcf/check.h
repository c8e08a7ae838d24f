#pragma once

#include "mjcf/element.h"

namespace mjjit::mjcf {

/// Checks a whole file against the table of elements: names of elements and attributes, counts,
/// numbers, keywords, required and mutually exclusive attributes. Afterwards each element knows its
/// rule, and its values can be read without further checks of their form.
/// @throws Error{Exit::input} at the first thing that is wrong, in document order
void check(Element& root);

}  // namespace mjjit::mjcf
