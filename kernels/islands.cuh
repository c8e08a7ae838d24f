// Islands: trees that rows couple, directly or through other trees. Each is solved for itself.
#pragma once

#include "enums.cuh"
#include "model.cuh"

/// The lowest tree of the island that the tree is in, following parents that only point downwards.
FN int island_root(const int* parent, int tree) {
  while (parent[tree] != tree) {
    tree = parent[tree];
  }
  return tree;
}

/// Joins the trees of rows that touch two, and of all rows where islands are disabled. All lanes
/// call it.
/// @param parent   [NTREE] shared result: each tree's island
FN void join_trees(const Group& g, const Model& m, const Data& d, int nrow, int* parent) {
  const int* tree = at_world(d.efc_tree, g.world(), NJMAX * NTREEROW);
  for (int t = g.lane(); t < NTREE; t += g.size) {
    parent[t] = (m.opt_disableflags[0] & DSBL_ISLAND) && nrow > 0 ? 0 : t;
  }
  bool coupled = false;
  for (int r = g.lane(); r < nrow; r += g.size) {
    coupled |= tree[r * NTREEROW + NTREEROW - 1] >= 0;
  }
  g.sync();
  if (g.any(coupled) && g.lane() == 0) {
    NO_UNROLL
    for (int r = 0; r < nrow; ++r) {
      if (tree[r * NTREEROW + NTREEROW - 1] >= 0) {
        const int a = island_root(parent, tree[r * NTREEROW]);
        const int b = island_root(parent, tree[r * NTREEROW + NTREEROW - 1]);
        parent[r_max(a, b)] = r_min(a, b);
      }
    }
    NO_UNROLL
    for (int t = 0; t < NTREE; ++t) {
      parent[t] = parent[parent[t]];  // lower trees already point to their root
    }
  }
  g.sync();
}

/// Writes each island's rows one after the other, in ascending order, to island_row. All lanes call
/// it.
/// @param island   [NTREE] of each tree
/// @param count    [NTREE] rows of the island, at its lowest tree
FN void list_island_rows(const Group& g, const Data& d, int nrow, const int* island,
                         const int* count) {
  const int w = g.world();
  const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW);
  int* list = at_world(d.island_row, w, NJMAX);
  int next = 0;
  NO_UNROLL
  for (int root = 0; root < NTREE; ++root) {
    if (count[root] == 0) {
      continue;
    }
    NO_UNROLL
    for (int first = 0; first < nrow; first += g.size) {
      const int r = first + g.lane();
      const bool mine = r < nrow && island[tree[r * NTREEROW]] == root;
      int total = 0;
      const int place = next + g.exclusive_scan(mine ? 1 : 0, &total);
      if (mine) {
        list[place] = r;
      }
      next += total;
    }
  }
}

/// Finds the islands of a world's rows. All lanes call it.
FN void find_islands(const Group& g, const Model& m, const Data& d, int nrow) {
  const int w = g.world();
  int* tree_island = at_world(d.tree_island, w, NTREE);
  int* treenum = at_world(d.island_treenum, w, NTREE);
  int* rowadr = at_world(d.island_rowadr, w, NTREE);
  int* rownum = at_world(d.island_rownum, w, NTREE);
  if constexpr (NTREE == 1) {
    if (g.lane() == 0) {
      tree_island[0] = 0;
      treenum[0] = 1;
      rowadr[0] = 0;
      rownum[0] = nrow;
    }
    return;
  }

  SHARED(int, island, NTREE);
  SHARED(int, trees, NTREE);
  SHARED(int, rows, NTREE);
  for (int t = g.lane(); t < NTREE; t += g.size) {
    trees[t] = rows[t] = 0;
  }
  join_trees(g, m, d, nrow, island);

  // count; integers, so that the order of the lanes cannot matter
  const int* tree = at_world(d.efc_tree, w, NJMAX * NTREEROW);
  for (int t = g.lane(); t < NTREE; t += g.size) {
    atomic_add(&trees[island[t]], 1);
  }
  for (int r = g.lane(); r < nrow; r += g.size) {
    atomic_add(&rows[island[tree[r * NTREEROW]]], 1);
  }
  g.sync();
  int next = 0;
  for (int first = 0; first < NTREE; first += g.size) {
    const int t = first + g.lane();
    const int count = t < NTREE ? rows[t] : 0;
    int total = 0;
    const int place = next + g.exclusive_scan(count, &total);
    if (t < NTREE) {
      tree_island[t] = island[t];
      treenum[t] = trees[t];
      rowadr[t] = place;
      rownum[t] = count;
    }
    next += total;
  }
  g.sync();

  // the lists; a single lane sorts them by counting
  if constexpr (Group::size == 1) {
    int* list = at_world(d.island_row, w, NJMAX);
    for (int t = 0; t < NTREE; ++t) {
      trees[t] = rowadr[t];
    }
    for (int r = 0; r < nrow; ++r) {
      list[trees[island[tree[r * NTREEROW]]]++] = r;
    }
  } else {
    list_island_rows(g, d, nrow, island, rows);
  }
}
