#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "mjcf/read.h"
#include "model/model.h"

namespace mjjit::test {

inline Model compile_text(const std::string& xml) { return compile(read_mjcf_text(xml)); }

/// A scene with the given elements in its world body and others after it.
inline std::string scene(const std::string& world, const std::string& rest = "") {
  return "<mujoco>\n<worldbody>\n" + world + "\n</worldbody>\n" + rest + "</mujoco>";
}

/// What compiling a scene fails with; empty: it does not. Reader and compiler together: whichever
/// notices first.
inline std::string compile_error(const std::string& xml) {
  try {
    compile_text(xml);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == Exit::input);
    return error.what();
  }
}

/// The same for a scene that was not written as XML.
inline std::string compile_error(const Spec& spec) {
  try {
    compile(spec);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

inline void check_close(std::span<const double> values, const std::vector<double>& expected,
                        double margin = 1e-9) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); i++) {
    INFO("element " << i);
    CHECK(values[i] == Approx(expected[i]).margin(margin).epsilon(1e-9));
  }
}

/// Row `row` of an array with `columns` columns.
inline std::span<const double> row_of(const std::vector<double>& array, int row, int columns) {
  return std::span(array).subspan(static_cast<std::size_t>(row) * columns, columns);
}

}  // namespace mjjit::test
