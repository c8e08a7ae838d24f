#include "model/mesh_polygons.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numbers>
#include <optional>
#include <utility>

// Which polygon comes first decides nothing in the geometry, but it decides which of two equally
// good faces a contact uses, and mesh_poly* of two models can be compared only in one order. The
// reference walks a hash table of its C++ library (libc++) whose keys are the rounded angles of the
// normals. Its order is fixed by three rules, kept here:
//   - the hash of a key mixes the bit patterns of its two numbers as Boost's hash_combine does, and
//     the bucket is the hash modulo the number of buckets (2, then 5, 11, 23, ...: the prime at or
//     above twice the last plus one);
//   - all entries form one chain, in which those of a bucket stand together; a new entry goes to
//     the front of its bucket, or to the front of the chain when the bucket is empty;
//   - when there are more entries than buckets, the number grows, and the chain is walked once: an
//     entry stays where it is if its new bucket is empty or is that of the entry before, and else
//     moves to the front of its bucket.

namespace mjjit::meshes {
namespace {

constexpr double kAngle = 0.01;  // rad, the grid of normals

/// Azimuth and polar angle of a normal in steps of the grid.
using Direction = std::pair<double, double>;

// direction of a triangle's normal; none where it has no area
std::optional<Direction> direction(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(minus(b, a), minus(c, a));
  const double norm = length(n);
  if (norm < kTiny) {
    return std::nullopt;
  }
  // adding zero makes -0 into 0, which atan2 tells apart
  const double x = n[0] / norm + 0.0, y = n[1] / norm + 0.0, z = n[2] / norm + 0.0;
  if (std::abs(z) > 1.0 - 1e-7) {  // at the poles the azimuth means nothing
    return Direction{0, z < 0 ? std::round(std::numbers::pi / kAngle) : 0};
  }
  return Direction{std::round(std::atan2(y, x) / kAngle), std::round(std::acos(z) / kAngle)};
}

/// Triangles of one direction, kept as the directed edges that bound them. Triangles that do not
/// touch yet belong to different islands.
class Side {
 public:
  void add(const Triangle& triangle) {
    int island = -1;
    bool is_outer[3];
    for (int k = 0; k < 3; k++) {
      is_outer[k] = !remove_opposite(triangle[k], triangle[(k + 1) % 3], island);
    }
    if (island < 0) {
      island = num_islands_++;
    }
    for (int k = 0; k < 3; k++) {
      if (is_outer[k]) {
        edges_.push_back({triangle[k], triangle[(k + 1) % 3], island});
      }
    }
  }

  /// Appends the outline of every island.
  void append_outlines(Polygons& polygons) const {
    if (edges_.size() == 3) {
      polygons.push_back({edges_[0].from, edges_[1].from, edges_[2].from});
      return;
    }
    for (int island = 0; island < num_islands_; island++) {
      std::vector<int> outline = trace(island);
      if (outline.size() >= 3) {
        polygons.push_back(std::move(outline));
      }
    }
  }

 private:
  struct Edge {
    int from, to, island;
  };

  // removes the edge that runs the other way, if there is one, and joins its island to the given
  // one
  bool remove_opposite(int from, int to, int& island) {
    const auto edge = std::find_if(edges_.begin(), edges_.end(),
                                   [&](const Edge& e) { return e.from == to && e.to == from; });
    if (edge == edges_.end()) {
      return false;
    }
    const int other = edge->island;
    edges_.erase(edge);
    if (island < 0) {
      island = other;
    } else if (other != island) {
      join(std::max(island, other), std::min(island, other));
      island = std::min(island, other);
    }
    return true;
  }

  // gives the edges of an island to another, and closes the gap in the numbers
  void join(int gone, int kept) {
    num_islands_--;
    for (Edge& e : edges_) {
      e.island = e.island == gone ? kept : e.island > gone ? e.island - 1 : e.island;
    }
  }

  // first edge of an island, from vertex `from` if that is not negative
  const Edge* find(int island, int from) const {
    for (const Edge& e : edges_) {
      if (e.island == island && (from < 0 || e.from == from)) {
        return &e;
      }
    }
    return nullptr;
  }

  // vertices along an island's edges, from its first edge back to it; empty where they do not close
  std::vector<int> trace(int island) const {
    const Edge* edge = find(island, -1);
    if (edge == nullptr) {
      return {};
    }
    std::vector<int> outline = {edge->from};
    for (size_t step = 0; step <= edges_.size() && edge != nullptr; step++) {
      if (edge->to == outline[0]) {
        return outline;
      }
      outline.push_back(edge->to);
      edge = find(island, edge->to);
    }
    return {};
  }

  std::vector<Edge> edges_;
  int num_islands_ = 0;
};

/// Sides by direction, walked in the order described at the top.
class SideTable {
 public:
  /// The side of a direction, made where there is none yet.
  Side& side(const Direction& key) {
    const uint64_t hash = mix(bits(key.first), bits(key.second));
    if (const int known = find(key, hash); known != kNone) {
      return entries_[known].side;
    }
    if (entries_.size() > buckets_.size()) {  // the head is no entry
      grow();
    }
    const int entry = static_cast<int>(entries_.size());
    entries_.push_back({key, hash, kNone, {}});
    const size_t bucket = hash % buckets_.size();
    if (buckets_[bucket] != kNone) {
      link(entry, buckets_[bucket]);
      return entries_[entry].side;
    }
    link(entry, kHead);
    buckets_[bucket] = kHead;
    if (const int next = entries_[entry].next; next != kNone) {
      buckets_[bucket_of(next)] = entry;
    }
    return entries_[entry].side;
  }

  Polygons outlines() const {
    Polygons polygons;
    for (int e = entries_[kHead].next; e != kNone; e = entries_[e].next) {
      entries_[e].side.append_outlines(polygons);
    }
    return polygons;
  }

 private:
  static constexpr int kNone = -1;
  static constexpr int kHead = 0;  // entries_[0] only starts the chain

  struct Entry {
    Direction key;
    uint64_t hash;
    int next;
    Side side;
  };

  static uint64_t bits(double x) { return x == 0 ? 0 : std::bit_cast<uint64_t>(x); }

  static uint64_t mix(uint64_t a, uint64_t b) { return a ^ (b + 0x9e3779b9 + (a << 6) + (a >> 2)); }

  size_t bucket_of(int entry) const { return entries_[entry].hash % buckets_.size(); }

  int find(const Direction& key, uint64_t hash) const {
    if (buckets_.empty() || buckets_[hash % buckets_.size()] == kNone) {
      return kNone;
    }
    const size_t bucket = hash % buckets_.size();
    int e = entries_[buckets_[bucket]].next;
    while (e != kNone && bucket_of(e) == bucket && entries_[e].key != key) {
      e = entries_[e].next;
    }
    return e != kNone && bucket_of(e) == bucket ? e : kNone;
  }

  void link(int entry, int after) {
    entries_[entry].next = entries_[after].next;
    entries_[after].next = entry;
  }

  // the next number of buckets, and the chain put in order for it
  void grow() {
    const size_t before = buckets_.size();
    const bool is_power = before > 2 && std::has_single_bit(before);
    const size_t wanted = std::max(2 * before + (is_power ? 0 : 1), entries_.size());
    buckets_.assign(wanted == 1 ? 2 : next_prime(wanted), kNone);

    int previous = kHead;
    while (entries_[previous].next != kNone) {
      const int e = entries_[previous].next;
      const size_t bucket = bucket_of(e);
      if (previous != kHead && bucket == bucket_of(previous)) {
        previous = e;
      } else if (buckets_[bucket] == kNone) {
        buckets_[bucket] = previous;
        previous = e;
      } else {
        entries_[previous].next = entries_[e].next;
        link(e, buckets_[bucket]);
      }
    }
  }

  static size_t next_prime(size_t n) {
    const auto is_prime = [](size_t x) {
      for (size_t d = 2; d * d <= x; d++) {
        if (x % d == 0) {
          return false;
        }
      }
      return x > 1;
    };
    while (!is_prime(n)) {
      n++;
    }
    return n;
  }

  std::vector<Entry> entries_ = {{{0, 0}, 0, kNone, {}}};
  std::vector<int> buckets_;  // the entry before the first of each bucket
};

}  // namespace

Polygons merge_coplanar(std::span<const Vec3> points, std::span<const Triangle> triangles) {
  SideTable table;
  for (const Triangle& triangle : triangles) {
    const auto& [a, b, c] = triangle;
    if (const auto key = direction(points[a], points[b], points[c])) {
      table.side(*key).add(triangle);
    }
  }
  return table.outlines();
}

void turn_outward(std::span<const Vec3> points, const Vec3& inside, Polygons& polygons) {
  for (std::vector<int>& polygon : polygons) {
    if (dot(polygon_normal(points, polygon), minus(points[polygon[0]], inside)) < 0) {
      std::reverse(polygon.begin() + 1, polygon.end());
    }
  }
}

Vec3 polygon_normal(std::span<const Vec3> points, const std::vector<int>& polygon) {
  // Newell's sum over the edges: twice the polygon's area as seen along each axis
  Vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < polygon.size(); i++) {
    const Vec3& a = points[polygon[i]];
    const Vec3& b = points[polygon[(i + 1) % polygon.size()]];
    sum[0] += (a[1] - b[1]) * (a[2] + b[2]);
    sum[1] += (a[2] - b[2]) * (a[0] + b[0]);
    sum[2] += (a[0] - b[0]) * (a[1] + b[1]);
  }
  const double norm = length(sum);
  if (norm < 1e-14) {
    return {1, 0, 0};
  }
  return {sum[0] / norm, sum[1] / norm, sum[2] / norm};
}

}  // namespace mjjit::meshes
