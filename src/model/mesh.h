#pragma once

#include <array>
#include <vector>

#include "mjcf/spec.h"

namespace mjjit {

/// A mesh after reading and processing, in MuJoCo's conventions: centred at its centre of mass,
/// axes along its principal axes of inertia, convex hull, polygons of the hull.
struct MeshData {
  std::vector<float>
      vert;  // [nvert × 3] in the mesh's own (centred, rotated) frame; float32 as in MuJoCo
  std::vector<int> face;   // [nface × 3]
  std::vector<int> graph;  // hull in MuJoCo's mesh_graph layout; empty: no hull was asked for
  // polygons of the hull; what mesh_poly* of mjModel holds, indices local to this mesh
  std::vector<double> polynormal;             // [npoly × 3]
  std::vector<int> polyvertadr, polyvertnum;  // [npoly]
  std::vector<int> polyvert;
  std::vector<int> polymapadr, polymapnum;  // [nvert]
  std::vector<int> polymap;
  Vec3 pos = {
      0, 0,
      0};  // mesh_pos: from the file's origin to the mesh frame, file's axes after scale and ref
  Quat quat = {1, 0, 0, 0};  // mesh_quat
  double volume = 0;         // m^3, or m^2 for a shell
  Vec3 inertia_box = {
      0, 0,
      0};  // half sizes of the box with equal inertia: size of a geom that shows the mesh as a box
  Vec3 inertia = {0, 0, 0};  // principal moments at density 1, about the centre of mass
  Vec3 aamm_min = {0, 0, 0}, aamm_max = {0, 0, 0};  // bounding box of vert
};

/// Which features of a mesh the model needs; MuJoCo makes a hull only for meshes that can collide.
struct MeshNeeds {
  bool hull = false;
};

/// Reads (STL, OBJ, MSH, inline vertices, made shapes) and processes one mesh.
/// @throws Error{Exit::input} at the mesh's element: file missing, empty, truncated; flat where a
/// volume is needed; …
MeshData compile_mesh(const SpecMesh& spec, const MeshNeeds& needs);

/// One height field, heights normalised to 0..1 as in MuJoCo.
struct HFieldData {
  int nrow = 0, ncol = 0;
  std::vector<float> data;  // [nrow × ncol]
};

/// Reads a height field from its file (PNG or MuJoCo's binary form; nrow and ncol are then those of
/// the file) or its inline elevation (userdata, lowest y first; empty: level). At least 2 × 2.
/// @throws Error{Exit::input} at the element
HFieldData compile_hfield(const SpecHField& spec);

}  // namespace mjjit
