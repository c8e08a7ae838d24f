// Solves with the factor of one tree's inertia matrix, as factor.cuh leaves it: M = L^T L, 1/L_ii
// on the diagonal.
#pragma once

#include "model.cuh"

/// One lane's M x = b, in place of b.
/// @param L   [n][n]
/// @param x   [n] in: b, out: x
FN void tree_solve(const real* RESTRICT L, int n, real* RESTRICT x) {
  // L^T y = b, from the last dof on
  NO_UNROLL
  for (int i = n - 1; i >= 0; --i) {
    const real* RESTRICT row = L + i * n;
    const real y = x[i] * row[i];
    x[i] = y;
    for (int k = 0; k < i; ++k) {
      x[k] -= row[k] * y;
    }
  }
  // L x = y
  NO_UNROLL
  for (int i = 0; i < n; ++i) {
    const real* RESTRICT row = L + i * n;
    real sum = x[i];
    for (int k = 0; k < i; ++k) {
      sum -= row[k] * x[k];
    }
    x[i] = sum * row[i];
  }
}
