#include "describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/tables.h"

namespace mjjit {
namespace {

constexpr std::array kSolvers = {"PGS", "CG", "NEWTON"};
constexpr std::array kCones = {"PYRAMIDAL", "ELLIPTIC"};
constexpr std::array kIntegrators = {"EULER", "RK4", "IMPLICIT", "IMPLICITFAST"};
constexpr std::array kGeoms = {"PLANE",    "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID",
                               "CYLINDER", "BOX",    "MESH",   "SDF"};

template <std::size_t N>
std::string word(const std::array<const char*, N>& words, int value) {
  return value >= 0 && value < static_cast<int>(N) ? words[static_cast<std::size_t>(value)]
                                                   : std::to_string(value);
}

/// "name: value" items, five a line.
std::string sizes_text(const std::vector<std::pair<std::string, int>>& sizes) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    text += fmt::format("{}{}: {}", i % 5 == 0 ? "  " : " ", sizes[i].first, sizes[i].second);
    text += i % 5 == 4 || i + 1 == sizes.size() ? "\n" : "";
  }
  return text;
}

std::string all_options_text(const Model& model) {
  std::string text;
#define OPT(type, name, columns)           \
  text += fmt::format("  {}: {}\n", #name, \
                      fmt::join(model.opt_##name, model.opt_##name + columns, " "));
#include "../kernels/model_fields.def"
  return text;
}

/// How many geom pairs of which types may collide, by the kind of narrow phase.
std::string colliders_text(const Model& model) {
  const std::array<std::pair<const char*, int>, 3> kinds = {{{"Primitive", model.npair_primitive},
                                                             {"CCD", model.npair_convex},
                                                             {"HfieldCCD", model.npair_hfield}}};
  std::string text = "Colliders\n";
  int first = 0;
  for (const auto& [kind, count] : kinds) {
    std::map<std::pair<int, int>, int> pairs;
    for (int i = first; i < first + count; ++i) {
      const auto at = static_cast<std::size_t>(2 * i);
      const auto type = [&](std::size_t k) {
        return model.geom_type[static_cast<std::size_t>(model.geompair_geom[k])];
      };
      ++pairs[{type(at), type(at + 1)}];
    }
    first += count;
    text += count > 0 ? fmt::format("  {}\n", kind) : "";
    for (const auto& [types, number] : pairs) {
      text += fmt::format("    {}-{}: {}\n", word(kGeoms, types.first), word(kGeoms, types.second),
                          number);
    }
  }
  return text + (first == 0 ? "  none\n" : fmt::format("  max collisions: {}\n", first));
}

}  // namespace

std::string model_text(const Model& model, bool info) {
  std::string text = "Model\n";
  if (info) {
    std::vector<std::pair<std::string, int>> sizes;
#define SIZE(name)                         \
  if (model.name > 0) {                    \
    sizes.emplace_back(#name, model.name); \
  }
#include "../kernels/model_fields.def"
    return text + sizes_text(sizes) + "Option\n" + all_options_text(model) + colliders_text(model);
  }
  text += sizes_text({{"nq", model.nq},
                      {"nv", model.nv},
                      {"nu", model.nu},
                      {"nbody", model.nbody},
                      {"ngeom", model.ngeom}});
  text += "Option\n";
  text += fmt::format("  integrator: {}\n", word(kIntegrators, model.opt_integrator[0]));
  text += fmt::format("  cone: {}\n", word(kCones, model.opt_cone[0]));
  text += fmt::format("  solver: {} iterations: {} ls_iterations: {}\n",
                      word(kSolvers, model.opt_solver[0]), model.opt_iterations[0],
                      model.opt_ls_iterations[0]);
  return text;
}

std::string data_text(const SizeRequest& sizes, const RunSizes& room, int nworld) {
  return fmt::format("Data\n  nworld: {} nconmax: {} njmax: {} nccdmax: {}\n", nworld,
                     *sizes.nconmax, *sizes.njmax, sizes.nccdmax.value_or(room.nccdmax));
}

std::string rolling_text(const std::string& function, int nstep, double timestep) {
  return fmt::format(
      "Rolling out {} {}s at dt = {}...\n", nstep, function,
      timestep < 0.001 ? fmt::format("{:g}", timestep) : fmt::format("{:.3f}", timestep));
}

std::string plan_text(const Plan& plan) {
  std::vector<const Module*> modules;
  for (const Module& module : plan.modules) {
    modules.push_back(&module);
  }
  std::stable_sort(modules.begin(), modules.end(),
                   [](const Module* a, const Module* b) { return a->cost > b->cost; });
  std::vector<std::vector<std::string>> rows = {{"module", "kernels", "group", "block"}};
  for (const Module* module : modules) {
    rows.push_back({module->name, fmt::format("{}", fmt::join(module->kernels, " ")),
                    std::to_string(module->group_size), std::to_string(module->block_size)});
  }
  return "\nModules, the most expensive first:\n\n" + table_text(rows, 2);
}

}  // namespace mjjit
