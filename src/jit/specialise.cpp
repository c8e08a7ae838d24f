#include "jit/specialise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "../../kernels/enums.cuh"

namespace mjjit {

namespace {

/// Collects the lines of the header.
class Header {
 public:
  void number(std::string_view name, int value) {
    text_ += fmt::format("constexpr int {} = {};\n", upper(name), value);
  }
  void claim(std::string_view name, bool value) {
    text_ += fmt::format("constexpr bool {} = {};\n", name, value);
  }
  const std::string& text() const { return text_; }

 private:
  static std::string upper(std::string_view name) {
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    return text;
  }
  std::string text_ = "#pragma once\n";
};

template <typename T>
bool has(const std::vector<T>& values, T wanted) {
  return std::find(values.begin(), values.end(), wanted) != values.end();
}

template <typename T>
bool any(const std::vector<T>& values) {
  return std::any_of(values.begin(), values.end(), [](T x) { return x != 0; });
}

bool has_positive(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

void write_sizes(Header& out, const Model& m, const RunSizes& sizes) {
#define SIZE(name) out.number(#name, m.name);
#include "../../kernels/model_fields.def"
#define WRITE(name) out.number(#name, sizes.name);
  MJJIT_RUN_SIZES(WRITE)
#undef WRITE
}

/// Some tree has the dofs of a free joint and no others.
bool has_free_tree(const Model& m) {
  for (int tree = 0; tree < m.ntree; ++tree) {
    if (m.tree_dofnum[tree] == 6 && m.jnt_type[m.dof_jntid[m.tree_dofadr[tree]]] == JNT_FREE) {
      return true;
    }
  }
  return false;
}

bool uses_ellipsoid_fluid(const Model& m) {
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (m.geom_fluid[12 * geom] > 0) {
      return true;
    }
  }
  return false;
}

void write_switches(Header& out, const Model& m) {
  // how the step is solved and integrated
  out.claim("ELLIPTIC", m.opt_cone[0] == CONE_ELLIPTIC);
  out.claim("NEWTON", m.opt_solver[0] == SOL_NEWTON);
  out.number("INTEGRATOR", m.opt_integrator[0]);

  // joints and constraints
  out.claim("HAS_FREE", has<int>(m.jnt_type, JNT_FREE));
  out.claim("HAS_BALL", has<int>(m.jnt_type, JNT_BALL));
  out.claim("HAS_SLIDE", has<int>(m.jnt_type, JNT_SLIDE));
  out.claim("HAS_HINGE", has<int>(m.jnt_type, JNT_HINGE));
  out.claim("HAS_FRICTIONLOSS", has_positive(m.dof_frictionloss));
  out.claim("HAS_LIMIT", any(m.jnt_limited));
  out.claim("HAS_CONNECT", has<int>(m.eq_type, EQ_CONNECT));
  out.claim("HAS_WELD", has<int>(m.eq_type, EQ_WELD));
  out.claim("HAS_JOINT_EQUALITY", has<int>(m.eq_type, EQ_JOINT));

  // passive forces, what integrators are implicit in, and bodies that are moved from outside
  out.claim("HAS_SPRING", any(m.jnt_stiffness) || any(m.jnt_stiffnesspoly));
  out.claim("HAS_DAMPING", has_positive(m.dof_damping) || any(m.dof_dampingpoly));
  out.claim("HAS_FREE_BODY", has_free_tree(m));
  out.claim("HAS_FLUID", m.opt_density[0] > 0 || m.opt_viscosity[0] > 0);
  out.claim("HAS_FLUID_ELLIPSOID", uses_ellipsoid_fluid(m));
  out.claim("HAS_GRAVCOMP", any(m.body_gravcomp));
  out.claim("HAS_MOCAP", m.nmocap > 0);
}

/// Which kinds of actuators there are.
void write_actuators(Header& out, const Model& m) {
  bool is_wide = false, overlaps = false;
  std::set<int> driven;
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_trntype[i] == TRN_JOINT || m.actuator_trntype[i] == TRN_JOINTINPARENT) {
      const int joint = m.actuator_trnid[2 * i];
      is_wide = is_wide || m.jnt_type[joint] == JNT_FREE || m.jnt_type[joint] == JNT_BALL;
      overlaps = !driven.insert(joint).second || overlaps;
    }
  }
  out.claim("HAS_WIDE_ACTUATOR", is_wide);      // one drives a joint with several dofs
  out.claim("HAS_ACTUATOR_OVERLAP", overlaps);  // two drive the same joint
  out.claim("HAS_MUSCLE", has<int>(m.actuator_dyntype, DYN_MUSCLE) ||
                              has<int>(m.actuator_gaintype, GAIN_MUSCLE) ||
                              has<int>(m.actuator_biastype, BIAS_MUSCLE));
}

/// Which kinds of geoms may meet, and the most directions a contact has.
void write_pairs(Header& out, const Model& m) {
  constexpr std::array<const char*, 8> kind = {"PLANE",     "HFIELD",   "SPHERE", "CAPSULE",
                                               "ELLIPSOID", "CYLINDER", "BOX",    "MESH"};
  bool used[kind.size()][kind.size()] = {};
  int maxcondim = 1;
  for (int pair = 0; pair < m.ngeompair; ++pair) {
    const int g1 = m.geompair_geom[2 * pair];
    const int g2 = m.geompair_geom[2 * pair + 1];
    used[m.geom_type[g1]][m.geom_type[g2]] = true;
    maxcondim = std::max({maxcondim, m.geom_condim[g1], m.geom_condim[g2]});
  }
  for (const int dim : m.pair_dim) {
    maxcondim = std::max(maxcondim, dim);
  }
  out.claim("HAS_CONTACT", m.ngeompair > 0);
  for (std::size_t a = 0; a < kind.size(); ++a) {
    for (std::size_t b = std::max(a, std::size_t{GEOM_SPHERE}); b < kind.size(); ++b) {
      out.claim(fmt::format("PAIR_{}_{}", kind[a], kind[b]), used[a][b]);
    }
  }
  out.number("MAXCONDIM", maxcondim);
  out.number("CCD_ITERATIONS", m.opt_ccd_iterations[0]);
}

/// Reals of the polygons that clip.cuh works on: a face, its sides, and twice a face clipped by
/// another; a cylinder's cap has 16 corners.
int clip_reals(const Model& m) { return 3 * (1 + 1 + 2 * 2) * std::max(m.npolygonmax, 16); }

/// Reals of the largest polytope of polytope.cuh.
int polytope_reals(const Model& m) {
  const int iterations = std::min(m.opt_ccd_iterations[0], 128);
  const int vertices = iterations + 5;
  const int faces = std::max(6 * iterations, 24);
  const int rings = 64;
  return 11 * vertices + 9 * faces + rings;
}

}  // namespace

int work_reals(const Model& m, bool lanes_factor) {
  // kernels/factor_lanes.cuh: inertia matrices of as many trees as fit side by side, or of all
  const int slot = m.nvtree > 16 ? 32 : (std::max(m.nvtree, 1) + 3) / 4 * 4;
  const bool in_parts = lanes_factor && m.nvtree <= 36;
  const int matrices = in_parts ? 32 / slot * m.nvtree * m.nvtree : m.nmblock;
  const int smooth = 17 * m.nbody + 11 * m.nv + std::max(29 * m.nbody, matrices);
  const bool is_implicit =
      m.opt_integrator[0] == INT_IMPLICIT || m.opt_integrator[0] == INT_IMPLICITFAST;
  const int integrate = m.nmblock + 2 * m.nv + (is_implicit ? 47 * m.nbody + 6 * m.nv : 0);
  return std::max(smooth, integrate);
}

RunSizes complete_sizes(const Model& model, RunSizes sizes) {
  const auto room = [](int wanted, int pairs) { return std::max(1, std::min(wanted, pairs)); };
  if (sizes.nprimitivemax == 0) {
    sizes.nprimitivemax = 4 * sizes.nconmax + 64;
  }
  if (sizes.nhfieldpairmax == 0) {
    sizes.nhfieldpairmax = model.npair_hfield;
  }
  sizes.nccdmax = room(sizes.nccdmax, model.npair_convex);
  sizes.nprimitivemax = room(sizes.nprimitivemax, model.npair_primitive);
  sizes.nhfieldpairmax = room(sizes.nhfieldpairmax, model.npair_hfield);
  sizes.nhfieldprismmax = model.npair_hfield > 0 ? 2 * sizes.nconmax + 64 : 1;
  sizes.ntreerow = model.ntree <= 1 ? 1 : 2;
  sizes.nrk4 = model.opt_integrator[0] == INT_RK4 ? 1 : 0;

  // smooth and integrate keep their work space in shared memory up to this many reals a world
  constexpr int shared_reals = 6000;
  sizes.nsmoothscratch = work_reals(model, true) > shared_reals ? work_reals(model, false) : 0;
  sizes.nccdscratch = model.npair_convex > 0   ? std::max(clip_reals(model), polytope_reals(model))
                      : model.npair_hfield > 0 ? polytope_reals(model)
                                               : 0;
  return sizes;
}

std::string sizes_header(const Model& model, const RunSizes& sizes) {
  Header out;
  write_sizes(out, model, sizes);
  write_switches(out, model);
  write_actuators(out, model);
  write_pairs(out, model);
  return out.text();
}

}  // namespace mjjit
