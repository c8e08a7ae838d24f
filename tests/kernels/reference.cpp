#include "kernels/reference.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::map<std::string, mjjit::NpzArray> load(const std::string& path) {
  std::map<std::string, mjjit::NpzArray> arrays;
  for (mjjit::NpzArray& array : mjjit::read_npz(path)) {
    std::string name = array.name;
    arrays.emplace(std::move(name), std::move(array));
  }
  return arrays;
}

std::size_t columns(const mjjit::NpzArray& array, std::size_t rows) {
  return rows == 0 ? 0 : array.values.size() / rows;
}

/// Largest difference of two rows.
double distance(const double* a, const double* b, std::size_t n) {
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = std::abs(a[i] - b[i]);
    worst = difference <= worst ? worst : std::isfinite(difference) ? difference : infinity;
  }
  return worst;
}

double magnitude(const mjjit::NpzArray& array) {
  double largest = 0;
  for (double value : array.values) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

bool is_quaternion(const mjjit::NpzArray& array) {
  return array.name.find("quat") != std::string::npos && !array.shape.empty() &&
         array.shape.back() == 4;
}

}  // namespace

Reference::Reference(const std::string& name, const std::string& scene,
                     const std::string& precision, const std::string& replay)
    : want_(load(MJJIT_TEST_DATA "/" + name + ".npz")) {
  const std::size_t nstep = want_.at("traj.qpos").shape[0] - 1;
  const std::filesystem::path dump = std::filesystem::temp_directory_path() /
                                     ("mjjit-reference-" + std::to_string(getpid()) + ".npz");
  const std::string command =
      "'" MJJIT_TESTSPEED "' '" + scene + "'" +
      (replay.empty() ? "" : " --replay '" + replay + "'") + " --device cpu --precision " +
      precision + " --nworld 1 --noise_std 0 --nstep " + std::to_string(nstep) +
      " --kernel_cache_dir '" MJJIT_TEST_CACHE "' --dump '" + dump.string() + "' >/dev/null";
  if (std::system(command.c_str()) != 0) {
    throw std::runtime_error("this failed: " + command);
  }
  have_ = load(dump.string());
  std::filesystem::remove(dump);
  match_contacts();
  match_rows();
}

void Reference::match_contacts() {
  const mjjit::NpzArray &geom = want_.at("d.contact.geom"), &pos = want_.at("d.contact.pos");
  const mjjit::NpzArray &our_geom = have_.at("d.contact.geom"),
                        &our_pos = have_.at("d.contact.pos");
  const std::size_t count = geom.shape[0], ours = our_geom.shape[0];
  std::vector<bool> used(ours, false);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t best = ours;
    double nearest = infinity;
    for (std::size_t j = 0; j < ours; ++j) {
      const bool same = geom.values[2 * i] == our_geom.values[2 * j] &&
                        geom.values[2 * i + 1] == our_geom.values[2 * j + 1];
      const double away = distance(&pos.values[3 * i], &our_pos.values[3 * j], 3);
      if (same && !used[j] && away < nearest) {
        nearest = away;
        best = j;
      }
    }
    if (best < ours) {
      used[best] = true;
    }
    contact_.push_back(best);
  }
  if (ours != count) {
    contact_.assign(count, ours);  // nothing fits
  }
}

void Reference::match_rows() {
  const mjjit::NpzArray &type = want_.at("d.efc_type"), &id = want_.at("d.efc_id"),
                        &J = want_.at("d.efc_J_dense");
  const mjjit::NpzArray &our_type = have_.at("d.efc_type"), &our_id = have_.at("d.efc_id");
  const mjjit::NpzArray& our_J = have_.at("d.efc_J_dense");
  const std::size_t count = type.values.size(), ours = our_type.values.size();
  const std::size_t nv = columns(J, count);
  std::vector<bool> used(ours, false);
  for (std::size_t i = 0; i < count; ++i) {
    // contact rows carry the index of their contact, the others that of their equality, dof or
    // joint
    const bool is_contact = type.values[i] >= 5;
    const auto key = static_cast<std::size_t>(id.values[i]);
    const std::size_t wanted = is_contact ? contact_[key] : key;
    std::size_t best = ours;
    double nearest = infinity;
    for (std::size_t j = 0; j < ours && ours == count; ++j) {
      const bool same = type.values[i] == our_type.values[j] &&
                        wanted == static_cast<std::size_t>(our_id.values[j]);
      const double away = distance(&J.values[nv * i], &our_J.values[nv * j], nv);
      if (same && !used[j] && away < nearest) {
        nearest = away;
        best = j;
      }
    }
    if (best < ours) {
      used[best] = true;
    }
    row_.push_back(best);
  }
}

double Reference::error(const std::string& field) const {
  const mjjit::NpzArray &want = want_.at(field), &have = have_.at(field);
  const double limit = atol + rtol * magnitude(want);
  if (want.values.size() != have.values.size()) {
    return infinity;
  }
  const bool contacts = field.rfind("d.contact.", 0) == 0, rows = field.rfind("d.efc_", 0) == 0;
  const std::size_t lines = contacts             ? contact_.size()
                            : rows               ? row_.size()
                            : want.shape.empty() ? 1
                                                 : want.shape[0];
  const std::size_t n = field == "d.contact.frame"
                            ? 3
                            : columns(want, lines);  // of a frame the normal; J has the tangents
  const std::size_t stride = columns(want, lines);
  double worst = 0;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::size_t j = contacts ? contact_[i] : rows ? row_[i] : i;
    if (j >= lines) {
      return infinity;
    }
    double away = distance(&want.values[stride * i], &have.values[stride * j], n);
    if (is_quaternion(want)) {
      std::vector<double> turned(have.values.begin() + static_cast<long>(stride * j),
                                 have.values.begin() + static_cast<long>(stride * (j + 1)));
      for (double& value : turned) {
        value = -value;
      }
      away = std::min(away, distance(&want.values[stride * i], turned.data(), n));
    }
    worst = std::max(worst, away);
  }
  return worst / limit;
}

double Reference::trajectory_error(const std::string& field) const {
  const mjjit::NpzArray &want = want_.at(field), &have = have_.at(field);
  if (want.values.size() != have.values.size()) {
    return infinity;
  }
  const std::size_t steps = want.shape[0], n = want.shape[1];
  const double limit = atol + rtol * std::max(1.0, magnitude(want));
  double worst = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    const double growth =
        std::pow(10.0, std::ceil(std::log10(std::max<double>(1, static_cast<double>(t)))));
    worst =
        std::max(worst, distance(&want.values[n * t], &have.values[n * t], n) / (limit * growth));
  }
  return worst;
}

double Reference::iteration_error() const {
  const mjjit::NpzArray &want = want_.at("traj.solver_niter"),
                        &have = have_.at("traj.solver_niter");
  return want.values.size() == have.values.size()
             ? distance(want.values.data(), have.values.data(), want.values.size())
             : infinity;
}
