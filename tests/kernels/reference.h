#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/npz.h"

/// What testspeed computes for a scene beside what MuJoCo 4.0.0 computed (tests/data/<name>.npz,
/// written by scripts/make_references.py): world 0 after forward at keyframe 0, and its first
/// steps.
class Reference {
 public:
  /// Runs testspeed on the CPU: the steps of the reference, one world, no noise.
  /// @param name   a file of tests/data
  /// @param scene  path of the scene
  /// @param replay path of the replay that it starts from; empty: keyframe 0
  Reference(const std::string& name, const std::string& scene, const std::string& precision,
            const std::string& replay);

  /// Largest difference of a field, relative to atol + rtol x its largest magnitude: at most 1 is a
  /// pass. Contacts and rows are matched as sets (same geoms, nearest place; same kind and id,
  /// nearest row of the Jacobian). Quaternions agree up to sign. Infinite when the shapes differ, a
  /// row has no partner or a value is not finite.
  double error(const std::string& field) const;

  /// Differs by at most this much at each step: row t of the trajectory relative to limit x
  /// 10^(decades of t).
  double trajectory_error(const std::string& field) const;

  /// Largest difference of the solver's iterations in a step; of islands, the one that took most.
  double iteration_error() const;

  double rtol = 1e-8, atol = 1e-9;

 private:
  using Arrays = std::map<std::string, mjjit::NpzArray>;
  void match_contacts();
  void match_rows();

  Arrays want_, have_;
  std::vector<std::size_t> contact_;  // our contact for each of MuJoCo's
  std::vector<std::size_t> row_;      // our row for each of MuJoCo's
};
