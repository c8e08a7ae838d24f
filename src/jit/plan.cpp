// The launches of a step, in order, and the modules they come from. A row of the tables below is a
// kernel; a module gets into the plan with its first row that the scene needs.
#include "jit/plan.h"

#include <algorithm>
#include <string_view>

#include "../../kernels/enums.cuh"
#include "jit/specialise.h"

namespace mjjit {

namespace {

constexpr int warp = 32;
constexpr int part = 8;  // lanes for work that has few things side by side
constexpr int block_warps =
    4;  // 128 threads a block launch fastest: 16 µs for eight kernels, 45 with 32
constexpr int shared_memory = 48 * 1024;  // bytes of a block
constexpr int solver_border = 4;          // dofs that a tree of solver.cu may have beyond a warp
constexpr int solver_tree_limit = 63;  // dofs; solver.cu leaves larger trees to solver_coupled.cu

/// How a module is built for CUDA, and how long its compilation takes relative to the others.
struct Shape {
  std::string_view module;
  int group_size;
  int block_size;
  double cost;
};

/// Lanes for a tree in solver.cu: a lane a dof. Groups of less than a warp only where rows are few
/// enough that those of all the warp's trees fit in shared memory.
int solver_lanes(const Model& m, const RunSizes& sizes) {
  if (m.nvtree <= 8 && sizes.njmax <= 128) {
    return 8;
  }
  if (m.nvtree <= 16 && sizes.njmax <= 256) {
    return 16;
  }
  return m.nvtree <= warp + solver_border ? warp : 2 * warp;
}

/// Shapes of all modules. Costs are ms of NVRTC 13.0 for aloha_pot at sm_90.
std::vector<Shape> module_shapes(const Model& m, const RunSizes& sizes, Precision precision) {
  // smooth and integrate keep a world's work space in shared memory: as many worlds a block as fit
  const int real_bytes = precision == Precision::single_ ? 4 : 8;
  const int fitting = shared_memory / std::max(work_reals(m, true) * real_bytes, 1);
  const int worlds = sizes.nsmoothscratch > 0 || fitting >= 2 * block_warps ? block_warps
                     : fitting >= 2                                         ? 2
                                                                            : 1;
  const int tree_lanes = solver_lanes(m, sizes);
  return {
      {"control", warp, block_warps * warp, 80},
      {"smooth", warp, worlds * warp, 790},
      {"broadphase", warp, block_warps * warp, 190},
      {"narrowphase_primitive", warp, block_warps * warp, 280},
      {"narrowphase_convex", warp, block_warps * warp, 350},
      {"narrowphase_epa", part, block_warps * warp, 580},
      {"narrowphase_multicontact", part, block_warps * warp, 600},
      {"narrowphase_prisms", warp, block_warps * warp, 400},
      {"narrowphase_hfield", part, block_warps * warp, 800},
      {"constraint", warp, block_warps * warp, 800},
      {"solver", tree_lanes, std::max(tree_lanes, warp),
       830},  // registers and shared memory bound it: a warp a block
      {"solver_coupled", block_warps * warp, block_warps * warp, 950},
      {"integrate", warp, worlds * warp, 230},
      {"rk4", warp, block_warps * warp, 200},
  };
}

/// One kernel of a step.
struct Row {
  const char* module;
  const char* kernel;
  const char* stage;
  int per_world;
  bool is_needed;
  bool items = false;
};

std::vector<Row> control_rows(const Model& m) {
  return {
      {"control", "control", "control", 1, m.nu > 0},
  };
}

std::vector<Row> forward_rows(const Model& m, const RunSizes& sizes) {
  const bool couples_trees = m.ntree > 1 || m.nvtree > solver_tree_limit;
  return {
      {"smooth", "smooth", "smooth", 1, true},
      {"broadphase", "broadphase", "broadphase", 1, m.ngeompair > 0},
      {"narrowphase_primitive", "narrowphase_primitive", "narrowphase_primitive", 1,
       m.npair_primitive > 0},
      {"narrowphase_convex", "narrowphase_convex", "narrowphase_convex", sizes.nccdmax,
       m.npair_convex > 0, true},
      {"narrowphase_epa", "narrowphase_epa", "narrowphase_epa", 1, m.npair_convex > 0},
      {"narrowphase_multicontact", "narrowphase_multicontact", "narrowphase_multicontact", 1,
       m.npair_convex > 0},
      {"narrowphase_prisms", "narrowphase_prisms", "narrowphase_prisms", 1, m.npair_hfield > 0},
      {"narrowphase_hfield", "narrowphase_hfield", "narrowphase_hfield", 1, m.npair_hfield > 0},
      {"constraint", "constraint", "constraint", 1, true},
      {"solver", "solver", "solver", m.ntree, m.ntree > 0 && m.nvtree <= solver_tree_limit},
      {"solver_coupled", "solver_coupled", "solver_coupled", 1, m.ntree > 0 && couples_trees},
  };
}

/// What follows forward in a step; RK4 passes forward three more times.
std::vector<Row> integrate_rows(const Model& m, const RunSizes& sizes) {
  if (m.opt_integrator[0] != INT_RK4) {
    return {{"integrate", "integrate", "integrate", 1, true}};
  }
  std::vector<Row> rows;
  for (const char* stage : {"rk4_stage1", "rk4_stage2", "rk4_stage3"}) {
    rows.push_back({"rk4", stage, stage, 1, true});
    for (const Row& row : forward_rows(m, sizes)) {
      rows.push_back(row);
    }
  }
  rows.push_back({"rk4", "rk4_finish", "rk4_finish", 1, true});
  return rows;
}

/// The plan's module of that name, added where it is not there yet.
Module& module_of(Plan& plan, const std::string& name, const std::vector<Shape>& shapes) {
  const auto found = std::find_if(plan.modules.begin(), plan.modules.end(),
                                  [&](const Module& module) { return module.name == name; });
  if (found != plan.modules.end()) {
    return *found;
  }
  const Shape& shape =
      *std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.module == name; });
  plan.modules.push_back({name, name + ".cu", shape.group_size, shape.block_size, shape.cost, {}});
  return plan.modules.back();
}

/// Adds the rows that are needed to a launch list.
void add_rows(const std::vector<Row>& rows, const std::vector<Shape>& shapes, Plan& plan,
              std::vector<Launch>& list) {
  for (const Row& row : rows) {
    if (!row.is_needed) {
      continue;
    }
    list.push_back({row.module, row.kernel, row.stage, row.per_world, row.items});
    Module& module = module_of(plan, row.module, shapes);
    if (std::find(module.kernels.begin(), module.kernels.end(), row.kernel) ==
        module.kernels.end()) {
      module.kernels.push_back(row.kernel);
    }
  }
}

}  // namespace

Plan make_plan(const Model& model, const RunSizes& wanted, Precision precision, Backend) {
  const RunSizes sizes = complete_sizes(model, wanted);
  const std::vector<Shape> shapes = module_shapes(model, sizes, precision);
  Plan plan;
  plan.sizes_h = sizes_header(model, sizes);
  add_rows(control_rows(model), shapes, plan, plan.control);
  add_rows(forward_rows(model, sizes), shapes, plan, plan.forward);
  add_rows(integrate_rows(model, sizes), shapes, plan, plan.integrate);
  return plan;
}

}  // namespace mjjit
