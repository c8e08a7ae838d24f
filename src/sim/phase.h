#pragma once

namespace mjjit {

/// Marks what the program is doing for an outside profiler: an NVTX range of the domain "mjjit" for
/// as long as the object lives. Costs nothing when nobody listens, and is empty where the NVTX
/// headers are missing.
class Phase {
 public:
  explicit Phase(const char* name);
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// True when ranges are marked in this build.
  static bool is_marked();
};

}  // namespace mjjit
