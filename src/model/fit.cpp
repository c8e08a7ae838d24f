#include "model/fit.h"

#include <algorithm>

#include "../../kernels/enums.cuh"
#include "base/error.h"
#include "model/pose.h"

namespace mjjit {
namespace {

/// From the half sides of the box of equal inertia.
void fit_inertia_box(int type, const Vec3& box, Vec3& size) {
  switch (type) {
    case GEOM_SPHERE:
      size[0] = (box[0] + box[1] + box[2]) / 3;
      break;
    case GEOM_CAPSULE:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = std::max(0.0, box[2] - size[0] / 2);
      break;
    case GEOM_CYLINDER:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = box[2];
      break;
    default:
      size = box;
  }
}

/// The smallest geom whose own bounding box holds the mesh's.
void fit_bounding_box(int type, const Vec3& box, Vec3& size) {
  switch (type) {
    case GEOM_SPHERE:
      size[0] = std::max({box[0], box[1], box[2]});
      break;
    case GEOM_CAPSULE:
    case GEOM_CYLINDER:
      size[0] = std::max(box[0], box[1]);
      size[1] = type == GEOM_CAPSULE ? box[2] - size[0] : box[2];
      break;
    default:
      size = box;
  }
}

}  // namespace

Fit fit_to_mesh(int type, const MeshData& mesh, bool fit_aabb, double scale, Vec3 size,
                const Source& at, const std::string& element) {
  if (type != GEOM_SPHERE && type != GEOM_CAPSULE && type != GEOM_CYLINDER &&
      type != GEOM_ELLIPSOID && type != GEOM_BOX) {
    fail(at, "{}: geoms of this type cannot be fitted to a mesh", element);
  }
  Vec3 center = {0, 0, 0};
  if (fit_aabb) {
    center = 0.5 * (mesh.aamm_min + mesh.aamm_max);
    fit_bounding_box(type, mesh.aamm_max - center, size);
  } else {
    fit_inertia_box(type, mesh.inertia_box, size);
  }
  return {scale * size, center};
}

}  // namespace mjjit
