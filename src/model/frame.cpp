#include "model/frame.h"

#include "../../kernels/enums.cuh"
#include "base/error.h"

namespace mjjit {

Quat unit_quat(Quat q, const Source& at, const std::string& element) {
  if (normalize(q) == 0) {
    fail(at, "{}: quat has no length", element);
  }
  return q;
}

Placement place(int type, const Pose& pose, const std::optional<std::array<double, 6>>& fromto,
                const Quat& frame, const Vec3& size, const Source& at, const std::string& element) {
  if (!fromto) {
    return {{pose.pos, unit_quat(pose.quat, at, element)}, size};
  }
  if (type != GEOM_CAPSULE && type != GEOM_CYLINDER && type != GEOM_ELLIPSOID && type != GEOM_BOX) {
    fail(at, "{}: fromto needs a capsule, cylinder, ellipsoid or box", element);
  }
  const Vec3 from = {(*fromto)[0], (*fromto)[1], (*fromto)[2]},
             to = {(*fromto)[3], (*fromto)[4], (*fromto)[5]};
  Vec3 direction = from - to;
  const double half = normalize(direction) / 2;
  if (half < kTiny) {
    fail(at, "{}: the points of fromto are too close", element);
  }

  // the segment is the third axis; boxes and ellipsoids are as thick in both of the other
  // directions
  Placement out = {{0.5 * (from + to), {}}, {size[0], half, size[2]}};
  if (type == GEOM_ELLIPSOID || type == GEOM_BOX) {
    out.size = {size[0], size[0], half};
  }
  const Quat unit_frame = unit_quat(frame, at, element);
  out.pose.quat = multiply(unit_frame, from_z_to(rotate(conjugate(unit_frame), direction)));
  return out;
}

void check_size(int type, const Vec3& size, const Source& at, const std::string& element) {
  if (type == GEOM_PLANE) {
    if (!(size[2] > 0)) {
      fail(at, "{}: size[2] of a plane is {}, must be positive", element, size[2]);
    }
    return;
  }
  const int needed = type == GEOM_SPHERE                             ? 1
                     : type == GEOM_CAPSULE || type == GEOM_CYLINDER ? 2
                     : type == GEOM_ELLIPSOID || type == GEOM_BOX    ? 3
                                                                     : 0;
  for (int i = 0; i < needed; i++) {
    if (!(size[i] > 0)) {
      fail(at, "{}: size[{}] is {}, must be positive", element, i, size[i]);
    }
  }
}

}  // namespace mjjit
