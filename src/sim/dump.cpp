#include "sim/dump.h"

#include <algorithm>
#include <string_view>

namespace mjjit {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Shape of an array: MuJoCo's arrays of one column are flat.
std::vector<std::size_t> shape_of(int rows, int columns, std::string_view columns_text) {
  if (columns_text == "1") {
    return {index(rows)};
  }
  return {index(rows), index(columns)};
}

template <typename T>
void add_option(const std::string& name, const T* values, int count, NpzWriter* out) {
  if (count == 1) {
    out->add_scalar("m.opt." + name, values[0]);
  } else {
    out->add("m.opt." + name, {index(count)}, std::vector<T>(values, values + count));
  }
}

/// World 0 of a run, array by array.
class World {
 public:
  World(const Session& session, NpzWriter* out) : buffers_(session.buffers()), out_(out) {
    const RunSizes room = session.room();
    ncon_ = std::min(buffers_.read_ints("ncon", 0, 1).at(0), room.nconmax);
    nefc_ = std::min(buffers_.read_ints("nrow", 0, 1).at(0), room.njmax);
  }
  int ncon() const { return ncon_; }
  int nefc() const { return nefc_; }

  /// Adds the array under its name in the dump, cut to the rows that are in use.
  void add(const std::string& name, std::string_view columns_text) const {
    const Array* array = buffers_.find(name);
    if (array == nullptr || is_layout_of_ours(name)) {
      return;
    }
    const bool is_contact = name.rfind("contact_", 0) == 0, is_row = name.rfind("efc_", 0) == 0;
    const int rows = is_contact ? ncon_ : is_row ? nefc_ : array->rows;
    const std::string label = is_contact ? "d.contact." + name.substr(8) : "d." + name;
    const bool is_scalar = name == "ncon" || name == "nefc" || name == "time";
    const std::vector<std::size_t> shape =
        is_scalar ? std::vector<std::size_t>{} : shape_of(rows, array->columns, columns_text);
    const std::size_t count = index(rows) * index(array->columns);
    if (array->is_int) {
      out_->add(label, shape, cut(buffers_.read_ints(name, 0, 1), count));
    } else {
      out_->add(label, shape, cut(buffers_.read(name, 0, 1), count));
    }
  }

 private:
  /// Arrays whose shape is our own: dumped in another form, or not at all.
  static bool is_layout_of_ours(const std::string& name) {
    static const std::vector<std::string> ours = {
        "step_index",   "qM",    "qLD",      "nrow",   "contact_pair",
        "contact_nrow", "efc_J", "efc_tree", "efc_mu", "tree_island"};
    static const std::vector<std::string> groups = {"nprimitive",  "primitive_", "nccd",    "ccd_",
                                                    "nhfieldpair", "hfield_",    "island_", "row_",
                                                    "solver_",     "smooth_",    "rk4_"};
    return std::find(ours.begin(), ours.end(), name) != ours.end() ||
           std::any_of(groups.begin(), groups.end(),
                       [&](const std::string& group) { return name.rfind(group, 0) == 0; });
  }

  template <typename T>
  static std::vector<T> cut(std::vector<T> values, std::size_t count) {
    values.resize(count);
    return values;
  }

  const Buffers& buffers_;
  NpzWriter* out_;
  int ncon_ = 0, nefc_ = 0;
};

/// The trees' inertia blocks as one matrix, [nv × nv].
std::vector<double> dense_mass(const Model& model, const std::vector<double>& blocks) {
  std::vector<double> dense(index(model.nv) * index(model.nv), 0.0);
  for (int tree = 0; tree < model.ntree; ++tree) {
    const int first = model.tree_dofadr[index(tree)], count = model.tree_dofnum[index(tree)];
    const double* block = blocks.data() + model.tree_madr[index(tree)];
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        dense[index(first + i) * index(model.nv) + index(first + j)] = block[i * count + j];
      }
    }
  }
  return dense;
}

/// Rows stored by the trees they touch as one matrix, [nefc × nv].
std::vector<double> dense_jacobian(const Model& model, const std::vector<int>& trees,
                                   const std::vector<double>& values, int nefc, int ntreerow) {
  std::vector<double> dense(index(nefc) * index(model.nv), 0.0);
  for (int row = 0; row < nefc; ++row) {
    for (int k = 0; k < ntreerow; ++k) {
      const int tree = trees[index(row) * index(ntreerow) + index(k)];
      if (tree < 0) {
        continue;
      }
      const double* from =
          values.data() + (index(row) * index(ntreerow) + index(k)) * index(model.nvtree);
      std::copy_n(
          from, model.tree_dofnum[index(tree)],
          dense.data() + index(row) * index(model.nv) + index(model.tree_dofadr[index(tree)]));
    }
  }
  return dense;
}

}  // namespace

void dump_model(const Model& model, NpzWriter* out) {
#define SIZE(name)                              \
  [[maybe_unused]] const int name = model.name; \
  out->add_scalar("m." #name, name);
#define OPT(type, name, columns) add_option(#name, model.opt_##name, columns, out);
#define FIELD(type, name, rows, columns) \
  out->add("m." #name, shape_of(rows, columns, #columns), model.name);
#define HOST(type, name, rows, columns) FIELD(type, name, rows, columns)
#include "../../kernels/model_fields.def"
  out->add_scalar("m.stat.meaninertia", model.stat_meaninertia);
}

void dump_world(const Model& model, const Session& session, NpzWriter* out) {
  const World world(session, out);
#define STATE(type, name, rows, columns) world.add(#name, #columns);
#define DUMP(type, name, rows, columns) world.add(#name, #columns);
#include "../../kernels/data_fields.def"

  const Buffers& buffers = session.buffers();
  const int ntreerow = session.room().ntreerow;
  const std::size_t nv = index(model.nv), nefc = index(world.nefc());
  out->add("d.qM_dense", {nv, nv}, dense_mass(model, buffers.read("qM", 0, 1)));
  out->add("d.efc_J_dense", {nefc, nv},
           dense_jacobian(model, buffers.read_ints("efc_tree", 0, 1), buffers.read("efc_J", 0, 1),
                          world.nefc(), ntreerow));
}

void Trajectory::start(const Session& session) {
  qpos_ = session.buffers().read("qpos", 0, 1);
  qvel_ = session.buffers().read("qvel", 0, 1);
}

void Trajectory::record(const Session& session) {
  const Buffers& buffers = session.buffers();
  const std::vector<double> qpos = buffers.read("qpos", 0, 1), qvel = buffers.read("qvel", 0, 1);
  qpos_.insert(qpos_.end(), qpos.begin(), qpos.end());
  qvel_.insert(qvel_.end(), qvel.begin(), qvel.end());
  ncon_.push_back(buffers.read_ints("ncon", 0, 1).at(0));
  nefc_.push_back(buffers.read_ints("nefc", 0, 1).at(0));
  const std::vector<int> niter = buffers.read_ints("solver_niter", 0, 1);
  niter_.push_back(niter.empty() ? 0 : *std::max_element(niter.begin(), niter.end()));
}

void Trajectory::write(const Model& model, NpzWriter* out) const {
  const std::size_t steps = ncon_.size();
  out->add("traj.qpos", {steps + 1, index(model.nq)}, qpos_);
  out->add("traj.qvel", {steps + 1, index(model.nv)}, qvel_);
  out->add("traj.ncon", {steps}, ncon_);
  out->add("traj.nefc", {steps}, nefc_);
  out->add("traj.solver_niter", {steps}, niter_);
}

}  // namespace mjjit
