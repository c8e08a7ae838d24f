// Where a tree's dofs and its block of the inertia matrix are.
#pragma once

#include "model.cuh"

constexpr int TREE_WIDTH =
    NVTREE > 0 ? NVTREE : 1;  // never a division by zero, also where nothing moves

/// Where a tree's block and dofs are; all constants when there is one tree.
struct TreeBlock {
  int first;  // its first dof
  int n;      // its dofs
  int madr;   // its block in arrays of NMBLOCK
};

FN TreeBlock tree_block(const Model& m, int tree) {
  if constexpr (NTREE == 1) {
    return {m.tree_dofadr[0], NVTREE, 0};
  } else if constexpr (NV == NTREE * NVTREE) {
    return {m.tree_dofadr[tree], NVTREE, m.tree_madr[tree]};
  } else {
    return {m.tree_dofadr[tree], m.tree_dofnum[tree], m.tree_madr[tree]};
  }
}
