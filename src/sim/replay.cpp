#include "sim/replay.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/npz.h"

namespace mjjit {
namespace {

constexpr double kMostSteps = 10'000'000;
constexpr double kMostValues = 1 << 28;  // of control, once a step has its own

const NpzArray* find(const std::vector<NpzArray>& arrays, const std::string& name) {
  for (const NpzArray& array : arrays) {
    if (array.name == name) {
      return &array;
    }
  }
  return nullptr;
}

/// Refuses an array that is not [some rows × columns] of finite numbers.
void check_table(const std::string& path, const NpzArray& array, int columns,
                 const char* columns_name) {
  if (array.shape.size() != 2 || array.shape[1] != static_cast<std::size_t>(columns) ||
      array.shape[0] == 0) {
    fail(Exit::input, "{}: '{}' has shape ({}), expected (rows, {} = {})", path, array.name,
         fmt::join(array.shape, ", "), columns_name, columns);
  }
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (!std::isfinite(array.values[i])) {
      fail(Exit::input, "{}: '{}' is not finite at row {}, column {}", path, array.name,
           i / array.shape[1], i % array.shape[1]);
    }
  }
}

/// The stamps of `rows` controls and the end of the last one: rows + 1 numbers, strictly growing.
std::vector<double> stamps(const std::string& path, const NpzArray* times, std::size_t rows,
                           double timestep) {
  std::vector<double> out;
  if (times == nullptr) {
    for (std::size_t i = 0; i <= rows; ++i) {
      out.push_back(static_cast<double>(i) * timestep);
    }
    return out;
  }
  if (times->shape.size() != 1 || (times->shape[0] != rows && times->shape[0] != rows + 1)) {
    fail(Exit::input, "{}: 'times' has shape ({}), expected ({},) or ({},) for {} rows of 'ctrl'",
         path, fmt::join(times->shape, ", "), rows, rows + 1, rows);
  }
  out = times->values;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!std::isfinite(out[i]) || (i > 0 && out[i] <= out[i - 1])) {
      fail(Exit::input, "{}: 'times' must grow, but is {} at {}", path, out[i], i);
    }
  }
  if (out.size() == rows) {  // the last control lasts as long as the one before it
    out.push_back(out[rows - 1] + (rows > 1 ? out[rows - 1] - out[rows - 2] : timestep));
  }
  return out;
}

ControlCentre sample(const std::string& path, const NpzArray& ctrl,
                     const std::vector<double>& times, double timestep) {
  const double steps = std::nearbyint((times.back() - times.front()) / timestep);
  if (!(steps >= 1) || steps > kMostSteps) {
    fail(Exit::input, "{}: 'times' spans {} s, which is {} steps of {} s; expected 1 to {}", path,
         times.back() - times.front(), steps, timestep, kMostSteps);
  }
  const std::size_t width = ctrl.shape[1];
  if (steps * static_cast<double>(width) > kMostValues) {
    fail(Exit::input, "{}: {} steps of {} controls are {} values, there can be at most {}", path,
         steps, width, steps * static_cast<double>(width), kMostValues);
  }
  ControlCentre centre;
  centre.rows = static_cast<int>(steps);
  for (int step = 0; step < centre.rows; ++step) {
    // a little after the step's start, so that rounding of the stamps cannot pick the row before
    const double at = times.front() + (step + 1e-7) * timestep;
    const auto next = std::upper_bound(times.begin(), times.end(), at) - times.begin();
    const std::size_t row = std::min(static_cast<std::size_t>(next) - 1, ctrl.shape[0] - 1);
    const auto begin = ctrl.values.begin() + static_cast<std::ptrdiff_t>(row * width);
    centre.ctrl.insert(centre.ctrl.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return centre;
}

}  // namespace

Replay read_replay(const std::string& path, const Model& model) {
  const std::vector<NpzArray> arrays = read_npz(path);
  const NpzArray* ctrl = find(arrays, "ctrl");
  if (ctrl == nullptr) {
    fail(Exit::input, "{}: has no array 'ctrl'", path);
  }
  check_table(path, *ctrl, model.nu, "nu");
  Replay replay;
  replay.start = reference_state(model);
  replay.centre = sample(path, *ctrl,
                         stamps(path, find(arrays, "times"), ctrl->shape[0], model.opt_timestep[0]),
                         model.opt_timestep[0]);
  if (const NpzArray* qpos = find(arrays, "qpos")) {
    check_table(path, *qpos, model.nq, "nq");
    std::copy_n(qpos->values.begin(), model.nq, replay.start.qpos.begin());
  }
  if (const NpzArray* qvel = find(arrays, "qvel")) {
    check_table(path, *qvel, model.nv, "nv");
    std::copy_n(qvel->values.begin(), model.nv, replay.start.qvel.begin());
  }
  for (const NpzArray& array : arrays) {
    const auto& known = {"ctrl", "times", "qpos", "qvel"};
    if (std::find(known.begin(), known.end(), array.name) == known.end()) {
      replay.unused.push_back(array.name);
    }
  }
  return replay;
}

}  // namespace mjjit
