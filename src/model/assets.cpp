#include <algorithm>

#include "../../kernels/enums.cuh"
#include "mjcf/limits.h"
#include "model/draft.h"

namespace mjjit {
namespace {

template <typename To, typename From>
void append(std::vector<To>& to, const From& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Meshes whose hull is needed: those of geoms that may collide, by their bits or in an explicit
/// pair, and those that take their inertia from the hull.
std::vector<MeshNeeds> mesh_needs(const Draft& d) {
  std::vector<MeshNeeds> needs(d.spec.meshes.size());
  const auto need_hull = [&](const SpecGeom& geom) {
    const int mesh = d.mesh_ids.find(geom.meshname);
    if (mesh >= 0 && (geom.type == GEOM_MESH || geom.type == GEOM_SDF)) {
      needs[mesh].hull = true;
    }
  };
  for (const SpecGeom* geom : d.geoms) {
    if (geom->contype != 0 || geom->conaffinity != 0) {
      need_hull(*geom);
    }
  }
  for (const SpecPair& pair : d.spec.pairs) {
    for (const std::string& name : {pair.geomname1, pair.geomname2}) {
      const int geom = d.geom_ids.find(name);
      if (geom >= 0) {
        need_hull(*d.geoms[geom]);
      }
    }
  }
  constexpr int kConvexInertia = 0;
  for (std::size_t i = 0; i < needs.size(); i++) {
    needs[i].hull = needs[i].hull || d.spec.meshes[i].inertia == kConvexInertia;
  }
  return needs;
}

/// The hull vertex, counted in the hull, that is farthest along each direction of a 3 × 3 × 3 grid:
/// where a search for a support point starts. The first one wins a tie; the direction without
/// length has vertex 0.
std::array<int, 27> hull_extrema(const MeshData& mesh) {
  std::array<int, 27> extrema = {};
  const int nhull = mesh.graph.empty() ? 0 : mesh.graph[0];
  for (int cell = 0; cell < 27; cell++) {
    const Vec3 direction = {cell / 9 - 1.0, cell / 3 % 3 - 1.0, cell % 3 - 1.0};
    double farthest = 0;
    for (int i = 0; i < nhull; i++) {
      const float* vertex = &mesh.vert[3 * mesh.graph[2 + nhull + i]];
      const double along =
          direction[0] * vertex[0] + direction[1] * vertex[1] + direction[2] * vertex[2];
      if (i == 0 || along > farthest) {
        farthest = along;
        extrema[cell] = i;
      }
    }
  }
  return extrema;
}

void append_mesh(Model& m, const SpecMesh& spec, const MeshData& mesh) {
  m.mesh_vertadr.push_back(m.nmeshvert);
  m.mesh_vertnum.push_back(static_cast<int>(mesh.vert.size() / 3));
  m.mesh_faceadr.push_back(m.nmeshface);
  m.mesh_facenum.push_back(static_cast<int>(mesh.face.size() / 3));
  m.mesh_graphadr.push_back(mesh.graph.empty() ? -1 : m.nmeshgraph);
  m.mesh_polyadr.push_back(m.nmeshpoly);
  m.mesh_polynum.push_back(static_cast<int>(mesh.polyvertnum.size()));
  append(m.mesh_pos, mesh.pos);
  append(m.mesh_quat, mesh.quat);
  append(m.mesh_scale, spec.scale);

  append(m.mesh_vert, mesh.vert);
  append(m.mesh_face, mesh.face);
  append(m.mesh_graph, mesh.graph);
  append(m.mesh_extrema, hull_extrema(mesh));
  append(m.mesh_polynormal, mesh.polynormal);
  append(m.mesh_polyvertnum, mesh.polyvertnum);
  append(m.mesh_polyvert, mesh.polyvert);
  for (const int corners : mesh.polyvertnum) {
    m.npolygonmax = std::max(m.npolygonmax, corners);
  }
  append(m.mesh_polymapnum, mesh.polymapnum);
  append(m.mesh_polymap, mesh.polymap);
  for (const int address : mesh.polyvertadr) {
    m.mesh_polyvertadr.push_back(m.nmeshpolyvert + address);
  }
  for (const int address : mesh.polymapadr) {
    m.mesh_polymapadr.push_back(m.nmeshpolymap + address);
  }

  // a mesh without hull has no polygons, but each of its vertices has a row
  m.mesh_polymapadr.resize(m.mesh_vert.size() / 3, 0);
  m.mesh_polymapnum.resize(m.mesh_vert.size() / 3, 0);
  m.nmeshvert = static_cast<int>(m.mesh_vert.size() / 3);
  m.nmeshface = static_cast<int>(m.mesh_face.size() / 3);
  m.nmeshgraph = static_cast<int>(m.mesh_graph.size());
  m.nmeshpoly = static_cast<int>(m.mesh_polyvertnum.size());
  m.nmeshpolyvert = static_cast<int>(m.mesh_polyvert.size());
  m.nmeshpolymap = static_cast<int>(m.mesh_polymap.size());
}

void check_hfield(const SpecHField& spec) {
  for (int i = 0; i < 4; i++) {
    if (!(spec.size[i] > 0)) {
      fail(spec.source, "{}: size[{}] is {}, must be positive", label("hfield", spec.name), i,
           spec.size[i]);
    }
  }
}

}  // namespace

void compile_meshes(Draft& d) {
  Model& m = d.m;
  for (const SpecMesh& spec : d.spec.meshes) {
    d.mesh_ids.add(spec.name, spec.source);
  }
  const std::vector<MeshNeeds> needs = mesh_needs(d);
  for (std::size_t i = 0; i < needs.size(); i++) {
    d.meshes.push_back(compile_mesh(d.spec.meshes[i], needs[i]));
    append_mesh(m, d.spec.meshes[i], d.meshes.back());
  }
  m.nmesh = static_cast<int>(needs.size());
}

void compile_hfields(Draft& d) {
  Model& m = d.m;
  for (const SpecHField& spec : d.spec.hfields) {
    d.hfield_ids.add(spec.name, spec.source);
    check_hfield(spec);
    const HFieldData field = compile_hfield(spec);
    if (static_cast<std::int64_t>(m.hfield_data.size() + field.data.size()) > kMostNumbers) {
      fail(spec.source, "{}: with it there are more than {} heights", label("hfield", spec.name),
           kMostNumbers);
    }
    append(m.hfield_size, spec.size);
    m.hfield_nrow.push_back(field.nrow);
    m.hfield_ncol.push_back(field.ncol);
    m.hfield_adr.push_back(static_cast<int>(m.hfield_data.size()));
    append(m.hfield_data, field.data);
  }
  m.nhfield = static_cast<int>(d.spec.hfields.size());
  m.nhfielddata = static_cast<int>(m.hfield_data.size());
}

}  // namespace mjjit
