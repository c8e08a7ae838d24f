#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace mjjit {

enum class Precision { single_, double_ };  // what `real` is in the kernels
enum class Backend { cuda, cpu };

/// Sizes that come from the run rather than from the scene; compile-time constants of the kernels
/// like the model's.
struct RunSizes {
  int nconmax = 0;          // contacts a world
  int njmax = 0;            // constraint rows a world
  int nccdmax = 0;          // convex geom pairs a world
  int nprimitivemax = 0;    // primitive geom pairs a world
  int nhfieldpairmax = 0;   // height-field geom pairs a world
  int nhfieldprismmax = 0;  // prisms of height fields that are listed as maybe touched, a world
  int ntreerow = 1;         // most trees that one row can touch
  int nrk4 = 0;             // 1 with the RK4 integrator: room for its stages
  int nsmoothscratch = 0;   // reals a world for smooth and integrate; 0: in shared memory
  int nccdscratch = 0;      // reals a world for convex pairs and height fields
};

/// Calls X with each member of RunSizes, for those who treat all sizes alike.
#define MJJIT_RUN_SIZES(X) \
  X(nconmax)               \
  X(njmax)                 \
  X(nccdmax)               \
  X(nprimitivemax)         \
  X(nhfieldpairmax) X(nhfieldprismmax) X(ntreerow) X(nrk4) X(nsmoothscratch) X(nccdscratch)

/// Sizes as they are used: lists of geom pairs get no more room than the scene has pairs (and at
/// least one entry), a missing nprimitivemax or nhfieldpairmax (0) gets its default, and ntreerow
/// follows from the number of trees. make_plan and Buffers apply it themselves; call it to print or
/// report the sizes.
RunSizes complete_sizes(const Model& model, RunSizes sizes);

/// One translation unit to compile: a kernel file with the launch shape it is built for.
struct Module {
  std::string name;      // solver
  std::string file;      // solver.cu, in kernels/
  int group_size = 32;   // lanes of a group on CUDA
  int block_size = 128;  // threads of a block on CUDA
  double cost = 1;  // expected compile time relative to the others: the most expensive goes first
  std::vector<std::string> kernels;
};

/// One kernel launch of a step.
struct Launch {
  std::string module;
  std::string kernel;
  std::string stage;   // name in the event trace: kinematics, solve, …
  int per_world = 1;   // groups a world; for an item kernel, the room for items a world
  bool items = false;  // ITEM_KERNEL: a thread an item instead of a group a part
};

/// Everything the JIT and the device need to know about a scene: the specialisation and the order
/// of launches.
struct Plan {
  std::string sizes_h;          // the generated header
  std::vector<Module> modules;  // only those the scene needs
  std::vector<Launch> control;  // sets ctrl of the next step
  std::vector<Launch> forward;  // from qpos, qvel, act, ctrl to qacc
  // what follows forward in a step; for RK4 it holds further forward passes
  std::vector<Launch> integrate;
};

/// Specialises the kernels for a scene: which modules it needs, their sizes and switches, and the
/// launches of a step.
Plan make_plan(const Model& model, const RunSizes& sizes, Precision precision, Backend backend);

}  // namespace mjjit
