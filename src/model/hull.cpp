#include "model/hull.h"

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "base/error.h"

// the headers of Qhull are C, and do not say so; what they include has been included above
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace mjjit::meshes {
namespace {

/// One run of Qhull. The library reports errors by longjmp, so nothing with a destructor may live
/// in the functions that call it under setjmp.
class Qhull {
 public:
  Qhull() {
    log_ = open_memstream(&log_text_, &log_size_);
    qh_zero(&qh_, log_);
    qh_init_A(&qh_, nullptr, log_, log_, 0, nullptr);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  ~Qhull() {
    release();
    std::fclose(log_);
    std::free(log_text_);
  }

  /// Makes the hull, all facets cut into triangles.
  /// @return false on an error of the library; message() then has its text
  bool run(const std::string& options, std::span<const Vec3> points) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    return run(options.c_str(), points.data()->data(), static_cast<int>(points.size()));
  }

  /// The first line that Qhull wrote.
  std::string message() {
    std::fflush(log_);
    const std::string text(log_text_ == nullptr ? "" : log_text_);
    const size_t start = text.find_first_not_of('\n');
    return start == std::string::npos ? "no message"
                                      : text.substr(start, text.find('\n', start) - start);
  }

  qhT* state() { return &qh_; }

 private:
  bool run(const char* options, const double* points, int count) {
    if (setjmp(qh_.errexit) != 0) {
      return false;
    }
    qh_.NOerrexit = False;
    qh_initflags(&qh_, const_cast<char*>(options));
    qh_init_B(&qh_, const_cast<double*>(points), count, 3, False);
    qh_qhull(&qh_);
    qh_triangulate(&qh_);
    qh_vertexneighbors(&qh_);
    return true;
  }

  void release() {
    if (setjmp(qh_.errexit) == 0) {
      int blocks = 0, bytes = 0;
      qh_freeqhull(&qh_, !qh_ALL);
      qh_memfreeshort(&qh_, &blocks, &bytes);
    }
  }

  qhT qh_;
  char* log_text_ = nullptr;
  size_t log_size_ = 0;
  FILE* log_ = nullptr;
};

// refuses points that span no volume, with the advice that fits
void require_volume(const SpecMesh& spec, std::span<const Vec3> points) {
  // first point apart from point 0
  size_t second = 0;
  double distance = 0;
  for (size_t i = 1; i < points.size() && second == 0; i++) {
    distance = length(minus(points[i], points[0]));
    second = distance > kTiny ? i : 0;
  }
  if (second == 0) {
    fail(spec.source,
         "mesh '{}': all its vertices are the same point, so it has no convex hull; use a small "
         "sphere",
         spec.name);
  }

  // first point off the line through both
  const Vec3 along = minus(points[second], points[0]);
  Vec3 normal = {0, 0, 0};
  bool found = false;
  for (size_t i = 1; i < points.size() && !found; i++) {
    const Vec3 other = minus(points[i], points[0]);
    const double other_length = length(other);
    if (i == second || other_length < kTiny) {
      continue;
    }
    normal = cross(along, other);
    const double norm = length(normal);
    found = norm > kTiny * distance * other_length;
    normal = {normal[0] / norm, normal[1] / norm, normal[2] / norm};
  }
  if (!found) {
    fail(spec.source,
         "mesh '{}': its vertices lie on one line, so it has no convex hull; use a thin capsule",
         spec.name);
  }

  // any point off the plane of the three
  const double offset = dot(normal, points[0]);
  for (const Vec3& point : points) {
    if (std::abs(dot(normal, point) - offset) > kTiny * distance) {
      return;
    }
  }
  fail(spec.source,
       "mesh '{}' is flat: its vertices lie in one plane, so it has no convex hull to collide "
       "with; use a thin box or a "
       "plane, or, where it is only to be seen, give the mesh inertia=\"shell\" and its geoms "
       "contype=\"0\" "
       "conaffinity=\"0\"",
       spec.name);
}

// neighbours of a hull vertex, as the mesh's vertices, each once, in the order in which its facets
// name them
void append_neighbours(qhT* qh, vertexT* vertex, std::vector<int>& edges) {
  const size_t start = edges.size();
  const int self = qh_pointid(qh, vertex->point);
  facetT *facet, **facetp;
  FOREACHsetelement_(facetT, vertex->neighbors, facet) {
    vertexT *corner, **cornerp;
    FOREACHsetelement_(vertexT, facet->vertices, corner) {
      const int id = qh_pointid(qh, corner->point);
      bool is_new = id != self;
      for (size_t i = start; i < edges.size() && is_new; i++) {
        is_new = edges[i] != id;
      }
      if (is_new) {
        edges.push_back(id);
      }
    }
  }
  edges.push_back(-1);
}

// corners of a facet; the library lists those of half of them clockwise
bool append_triangle(qhT* qh, facetT* facet, std::vector<int>& triangles) {
  const size_t start = triangles.size();
  vertexT *vertex, **vertexp;
  FOREACHvertex_(facet->vertices) { triangles.push_back(qh_pointid(qh, vertex->point)); }
  if (triangles.size() != start + 3) {
    return false;
  }
  if (facet->toporient) {
    std::swap(triangles[start], triangles[start + 1]);
  }
  return true;
}

// the library's hull as a graph; empty where it is not a closed surface of triangles
HullGraph make_graph(qhT* qh, size_t num_points) {
  std::vector<int> edge_starts, ids, edges, triangles;
  vertexT* vertex;
  FORALLvertices {
    edge_starts.push_back(static_cast<int>(edges.size()));
    ids.push_back(qh_pointid(qh, vertex->point));
    append_neighbours(qh, vertex, edges);
  }
  facetT* facet;
  FORALLfacets {
    if (!append_triangle(qh, facet, triangles)) {
      return {};
    }
  }
  if (edges.size() !=
      ids.size() + triangles.size()) {  // Euler: as many edge ends as corners of triangles
    return {};
  }

  // number the neighbours as hull vertices
  std::vector<int> local(num_points, -1);
  for (size_t i = 0; i < ids.size(); i++) {
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= num_points) {
      return {};
    }
    local[static_cast<size_t>(ids[i])] = static_cast<int>(i);
  }
  for (int& id : edges) {
    id = id < 0 ? -1 : local[static_cast<size_t>(id)];
  }

  HullGraph graph = {static_cast<int>(ids.size()), static_cast<int>(triangles.size() / 3)};
  for (const std::vector<int>* part : {&edge_starts, &ids, &edges, &triangles}) {
    graph.insert(graph.end(), part->begin(), part->end());
  }
  return graph;
}

// where the triangles start
size_t triangles_at(const HullGraph& graph) {
  return graph.size() - 3 * static_cast<size_t>(graph[1]);
}

}  // namespace

HullGraph convex_hull(const SpecMesh& spec, std::span<const Vec3> points) {
  require_volume(spec, points);

  // Qt: triangles; Q9: the farthest of all points next; TA: how many points beyond the first
  // tetrahedron
  std::string options = "qhull Qt";
  if (spec.maxhullvert > -1) {
    options += fmt::format(" Q9 TA{}", spec.maxhullvert - 4);
  }
  Qhull qhull;
  if (!qhull.run(options, points)) {
    fail(spec.source, "mesh '{}': Qhull cannot make its convex hull: {}", spec.name,
         qhull.message());
  }
  HullGraph graph = make_graph(qhull.state(), points.size());
  if (graph.empty()) {
    fail(spec.source,
         "mesh '{}': Qhull did not return a closed surface of triangles for its convex hull",
         spec.name);
  }
  return graph;
}

std::vector<int> hull_vertices(const HullGraph& graph) {
  const auto first = graph.begin() + 2 + graph[0];
  return {first, first + graph[0]};
}

std::vector<Triangle> hull_triangles(const HullGraph& graph) {
  std::vector<Triangle> triangles(static_cast<size_t>(graph[1]));
  for (size_t i = 0, at = triangles_at(graph); i < triangles.size(); i++, at += 3) {
    triangles[i] = {graph[at], graph[at + 1], graph[at + 2]};
  }
  return triangles;
}

void mirror_hull(HullGraph& graph) {
  for (size_t at = triangles_at(graph); at < graph.size(); at += 3) {
    std::swap(graph[at + 1], graph[at + 2]);
  }
}

}  // namespace mjjit::meshes
