#pragma once

#include <span>
#include <vector>

#include "mjcf/spec.h"
#include "model/mesh_math.h"

namespace mjjit::meshes {

/// mjtMeshInertia
enum class InertiaMode { convex = 0, exact = 1, legacy = 2, shell = 3 };

/// Mass, centre and principal inertia of a mesh at density 1.
struct MassProperties {
  double mass = 0;           // volume, m^3; area, m^2, for a shell
  Vec3 center = {0, 0, 0};   // centre of mass in the frame of the points
  Quat axes = {1, 0, 0, 0};  // principal axes in the frame of the points
  Vec3 inertia = {0, 0, 0};  // principal moments about the centre, descending
};

/// Mass properties by summing over the faces: pyramids over a common point for a volume, triangles
/// for a shell. legacy counts every pyramid as positive, whatever the face's orientation.
/// @param points   [n] vertices, double
/// @param faces    the mesh's faces, or the hull's where mode is convex
/// @param surface  the mesh's faces in any case: the common point is their centroid
/// @throws Error{Exit::input} where area or volume is zero or negative
/// Source: MuJoCo's documentation of asset/mesh/inertia; products of inertia of a tetrahedron
/// (Tonon 2004)
MassProperties mass_properties(const SpecMesh& spec, InertiaMode mode, std::span<const Vec3> points,
                               std::span<const Triangle> faces, std::span<const Triangle> surface);

/// Throws where two neighbouring faces run along their common edge in the same direction, so that
/// one of them points inward; faces too small to tell are passed over. inertia="exact" needs it.
void require_consistent_orientation(const SpecMesh& spec, std::span<const Vec3> points,
                                    std::span<const Triangle> faces);

/// Principal axes of a symmetric matrix by Jacobi's method, carried as a quaternion; eigenvalues
/// descending. The choice among equivalent axes is that of MuJoCo.
void principal_axes(const Mat3& matrix, Vec3& eigenvalues, Quat& axes);

}  // namespace mjjit::meshes
