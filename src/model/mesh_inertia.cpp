#include "model/mesh_inertia.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace mjjit::meshes {
namespace {

/// A face as the sums need it.
struct Face {
  double area = 0;  // zero for a sliver, whose normal is then not of length 1
  Vec3 normal = {0, 0, 0};
  Vec3 center = {0, 0, 0};
};

Face measure(const Vec3& a, const Vec3& b, const Vec3& c) {
  Face face;
  for (int i = 0; i < 3; i++) {
    face.center[i] = (a[i] + b[i] + c[i]) / 3;
  }
  face.normal = cross(minus(b, a), minus(c, a));
  const double norm = length(face.normal);
  if (norm >= kTiny) {
    face.normal = {face.normal[0] / norm, face.normal[1] / norm, face.normal[2] / norm};
    face.area = 0.5 * norm;
  }
  return face;
}

/// Weighted mean of points.
struct Centroid {
  double weight = 0;
  Vec3 sum = {0, 0, 0};

  void add(double w, const Vec3& p) {
    weight += w;
    for (int i = 0; i < 3; i++) {
      sum[i] += w * p[i];
    }
  }
  Vec3 mean() const { return {sum[0] / weight, sum[1] / weight, sum[2] / weight}; }
};

// centroid of the surface
Centroid surface_centroid(const SpecMesh& spec, std::span<const Vec3> points,
                          std::span<const Triangle> surface) {
  Centroid centroid;
  for (const auto& [a, b, c] : surface) {
    const Face face = measure(points[a], points[b], points[c]);
    centroid.add(face.area, face.center);
  }
  if (!(centroid.weight >= kTiny)) {
    fail(spec.source, "mesh '{}': its surface area is too small: {:g} m^2; is its scale right?",
         spec.name, centroid.weight);
  }
  return centroid;
}

// volume of the pyramid over a face seen from an apex, positive where the face looks away from it;
// area for a shell
double face_mass(InertiaMode mode, const Face& face, const Vec3& from_apex) {
  if (mode == InertiaMode::shell) {
    return face.area;
  }
  const double volume = dot(from_apex, face.normal) * face.area / 3;
  return mode == InertiaMode::legacy ? std::abs(volume) : volume;
}

// centre of mass of the pyramids from the apex to each face. A shell is treated alike: that its
// faces are weighted as if they were pyramids is MuJoCo's convention, exact only when the apex is
// the centre already
Centroid mass_center(InertiaMode mode, const Vec3& apex, std::span<const Vec3> points,
                     std::span<const Triangle> faces) {
  Centroid centroid;
  for (const auto& [a, b, c] : faces) {
    const Face face = measure(points[a], points[b], points[c]);
    Vec3 center;
    for (int i = 0; i < 3; i++) {
      center[i] = face.center[i] * 3.0 / 4.0 + apex[i] / 4.0;
    }
    centroid.add(face_mass(mode, face, minus(face.center, apex)), center);
  }
  return centroid;
}

void require_volume(const SpecMesh& spec, double volume) {
  if (volume >= kTiny) {
    return;
  }
  if (volume < 0) {
    fail(spec.source,
         "mesh '{}': its volume is negative: {:g} m^3, so its faces point inward; turn them over, "
         "or set "
         "inertia=\"convex\"",
         spec.name, volume);
  }
  fail(spec.source,
       "mesh '{}': its volume is too small: {:g} m^3; if it is flat or an open surface, set "
       "inertia=\"shell\"",
       spec.name, volume);
}

// index pairs of the six products of inertia
constexpr int kFirst[6] = {0, 1, 2, 0, 0, 1};
constexpr int kSecond[6] = {0, 1, 2, 1, 2, 2};

// inertia about the origin of the pyramids over the faces (of the faces, for a shell), and their
// mass summed anew
std::pair<Mat3, double> inertia_about_origin(InertiaMode mode, std::span<const Vec3> points,
                                             std::span<const Triangle> faces) {
  double product[6] = {};
  double mass = 0;
  const int share = mode == InertiaMode::shell ? 12 : 20;
  for (const auto& [a, b, c] : faces) {
    const Vec3 &d = points[a], &e = points[b], &f = points[c];
    const Face face = measure(d, e, f);
    const double part = face_mass(mode, face, face.center);
    mass += part;
    for (int k = 0; k < 6; k++) {
      const int i = kFirst[k], j = kSecond[k];
      product[k] += part / share *
                    (2 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j]) + d[i] * e[j] + d[j] * e[i] +
                     d[i] * f[j] + d[j] * f[i] + e[i] * f[j] + e[j] * f[i]);
    }
  }
  const double xy = -product[3], xz = -product[4], yz = -product[5];
  return {{product[1] + product[2], xy, xz, xy, product[0] + product[2], yz, xz, yz,
           product[0] + product[1]},
          mass};
}

void require_physical(const SpecMesh& spec, const Vec3& inertia) {
  if (!(inertia[2] > 0)) {
    fail(spec.source,
         "mesh '{}': a principal moment of its inertia is not positive; set inertia=\"convex\"",
         spec.name);
  }
  if (inertia[1] + inertia[2] < inertia[0] * (1.0 - 1e-6) - 1e-9) {
    fail(spec.source,
         "mesh '{}': its inertia breaks the triangle rule (A + B >= C), so its faces do not bound "
         "a volume; set "
         "inertia=\"convex\"",
         spec.name);
  }
}

}  // namespace

MassProperties mass_properties(const SpecMesh& spec, InertiaMode mode, std::span<const Vec3> points,
                               std::span<const Triangle> faces, std::span<const Triangle> surface) {
  // a point in the middle, so that the pyramids are small and their sum loses little
  const Vec3 apex = surface_centroid(spec, points, surface).mean();
  const Centroid centroid = mass_center(mode, apex, points, faces);
  if (mode != InertiaMode::shell) {
    require_volume(spec, centroid.weight);
  }
  MassProperties result;
  result.center = centroid.mean();

  std::vector<Vec3> centered;
  centered.reserve(points.size());
  for (const Vec3& point : points) {
    centered.push_back(minus(point, result.center));
  }
  const auto [inertia, mass] = inertia_about_origin(mode, centered, faces);
  result.mass = mass;
  principal_axes(inertia, result.inertia, result.axes);
  require_physical(spec, result.inertia);
  return result;
}

void require_consistent_orientation(const SpecMesh& spec, std::span<const Vec3> points,
                                    std::span<const Triangle> faces) {
  std::vector<std::pair<int, int>> edges;
  for (const auto& [a, b, c] : faces) {
    if (measure(points[a], points[b], points[c]).area > std::sqrt(kTiny)) {
      edges.insert(edges.end(), {{a, b}, {b, c}, {c, a}});
    }
  }
  std::sort(edges.begin(), edges.end());
  const auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice != edges.end()) {
    fail(spec.source,
         "mesh '{}': inertia=\"exact\" needs faces that all point outward, and those at the "
         "vertices {} and {} do not "
         "agree; repair the mesh, or set inertia=\"convex\"",
         spec.name, twice->first, twice->second);
  }
}

void principal_axes(const Mat3& matrix, Vec3& eigenvalues, Quat& axes) {
  // elements this small against the largest one count as zero; meshes are no more exact than
  // float32
  double tolerance = 0;
  for (const double x : matrix) {
    tolerance = std::max(tolerance, 1e-7 * std::abs(x));
  }
  axes = {1, 0, 0, 0};
  for (int iteration = 0; iteration < 500; iteration++) {
    // the matrix in the frame so far: d = axes' · matrix · axes
    const Mat3 r = rotation(axes);
    double left[9], d[9];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        left[3 * i + j] = r[i] * matrix[j] + r[3 + i] * matrix[3 + j] + r[6 + i] * matrix[6 + j];
      }
    }
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        d[3 * i + j] = left[3 * i] * r[j] + left[3 * i + 1] * r[3 + j] + left[3 * i + 2] * r[6 + j];
      }
    }
    eigenvalues = {d[0], d[4], d[8]};

    // the largest element off the diagonal, and the axis of the rotation that removes it
    const double xy = std::abs(d[1]), xz = std::abs(d[2]), yz = std::abs(d[5]);
    const size_t axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    const size_t row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
    const double off = d[3 * row + column];
    if (!(std::abs(off) >= tolerance) || off == 0) {
      break;
    }

    // its angle, by tangent and cosine; the sine of its half in the form that stays exact for small
    // angles
    const double tau = (d[4 * column] - d[4 * row]) / (2 * off);
    const double t = tau >= 0 ? 1.0 / (tau + std::sqrt(1 + tau * tau))
                              : -1.0 / (-tau + std::sqrt(1 + tau * tau));
    const double cosine = 1.0 / std::sqrt(1 + t * t);
    const double half_sine = std::abs(t) * cosine / std::sqrt(2 * (1 + cosine));
    const bool negative = (tau >= 0) != (axis == 1);
    Quat turn = {0, 0, 0, 0};
    turn[axis + 1] = negative ? -half_sine : half_sine;
    turn[0] = std::sqrt(1.0 - turn[axis + 1] * turn[axis + 1]);
    axes = normalized(times(axes, normalized(turn)));
  }

  // descending order: each swap of neighbours is a quarter turn about the third axis
  for (const int first : {0, 1, 0}) {
    if (eigenvalues[first] + tolerance < eigenvalues[first + 1]) {
      std::swap(eigenvalues[first], eigenvalues[first + 1]);
      Quat quarter = {0.707106781186548, 0, 0, 0};
      quarter[(first + 2) % 3 + 1] = quarter[0];
      axes = normalized(times(axes, quarter));
    }
  }
}

}  // namespace mjjit::meshes
