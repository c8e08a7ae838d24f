#include <algorithm>
#include <map>
#include <unordered_set>

#include "../../kernels/enums.cuh"
#include "mjcf/limits.h"
#include "model/draft.h"

// The list of geom pairs that may ever touch: what a step's broad phase runs over. Filters that
// need no geometry are spent here, bodies first, so that a scene of thousands of geoms costs the
// pairs that remain and not all that could be.

namespace mjjit {
namespace {

enum Kind { kPrimitive, kConvex, kHfield };

struct Candidate {
  int geom1, geom2;  // ids, the smaller first
  int pairid;
};

/// Pairs with a closed formula; all others of convex geoms go to GJK.
bool is_primitive(int type1, int type2) {
  if (type1 == GEOM_PLANE) {
    return true;
  }
  if (type1 == GEOM_SPHERE) {
    return type2 == GEOM_SPHERE || type2 == GEOM_CAPSULE || type2 == GEOM_CYLINDER ||
           type2 == GEOM_BOX;
  }
  if (type1 == GEOM_CAPSULE) {
    return type2 == GEOM_CAPSULE || type2 == GEOM_BOX;
  }
  return type1 == GEOM_BOX && type2 == GEOM_BOX;
}

/// Which bodies may touch: not those that are welded together, that nothing can move, that are
/// parent and child (unless the parent is fixed to the world), or that the scene excludes.
class BodyFilter {
 public:
  explicit BodyFilter(const Model& m)
      : m_(m),
        excluded_(m.exclude_signature.begin(), m.exclude_signature.end()),
        filters_parent_((m.opt_disableflags[0] & DSBL_FILTERPARENT) == 0) {}

  bool may_touch(int body1, int body2) const {
    const int weld1 = m_.body_weldid[body1], weld2 = m_.body_weldid[body2];
    if (weld1 == weld2 || (m_.body_dofnum[weld1] == 0 && m_.body_dofnum[weld2] == 0)) {
      return false;
    }
    if (filters_parent_ && weld1 != 0 && weld2 != 0 &&
        (weld1 == parent(weld2) || weld2 == parent(weld1))) {
      return false;
    }
    if (!bits_meet(m_.body_contype[body1], m_.body_conaffinity[body1], m_.body_contype[body2],
                   m_.body_conaffinity[body2])) {
      return false;
    }
    const unsigned signature = (static_cast<unsigned>(body1) << 16) + static_cast<unsigned>(body2);
    return excluded_.empty() || !excluded_.count(static_cast<int>(signature));
  }

  bool geoms_may_touch(int geom1, int geom2) const {
    return bits_meet(m_.geom_contype[geom1], m_.geom_conaffinity[geom1], m_.geom_contype[geom2],
                     m_.geom_conaffinity[geom2]);
  }

 private:
  int parent(int weld) const { return m_.body_weldid[m_.body_parentid[weld]]; }

  static bool bits_meet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
    return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
  }

  const Model& m_;
  std::unordered_set<int> excluded_;
  bool filters_parent_;
};

/// Candidates by kind of narrow phase, then by the types of the geoms, each list in the order of
/// ids.
class PairList {
 public:
  explicit PairList(const Draft& d) : d_(d), m_(d.m) {}

  void add(const Candidate& pair) {
    const int type1 = std::min(m_.geom_type[pair.geom1], m_.geom_type[pair.geom2]);
    const int type2 = std::max(m_.geom_type[pair.geom1], m_.geom_type[pair.geom2]);
    if (type2 <= GEOM_HFIELD || type2 >= GEOM_SDF) {
      return;  // planes and height fields do not touch each other
    }
    const Kind kind = type1 == GEOM_HFIELD         ? kHfield
                      : is_primitive(type1, type2) ? kPrimitive
                                                   : kConvex;
    if (++count_ > kMostPairs) {
      const SpecGeom& geom = *d_.geoms[pair.geom1];
      fail(geom.source,
           "{}: with it more than {} pairs of geoms may touch; contype and conaffinity can keep "
           "geoms apart",
           label("geom", geom.name), kMostPairs);
    }
    lists_[kind][type1][type2].push_back(pair);
  }

  /// Puts each list in the order of ids, for pairs that were added out of order.
  void sort() {
    for_each([](Kind, auto& list) {
      std::stable_sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
        return a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
      });
    });
  }

  template <typename Visit>
  void for_each(const Visit& visit) {
    for (const Kind kind : {kPrimitive, kConvex, kHfield}) {
      for (auto& row : lists_[kind]) {
        for (auto& list : row) {
          visit(kind, list);
        }
      }
    }
  }

 private:
  const Draft& d_;
  const Model& m_;
  std::int64_t count_ = 0;
  std::vector<Candidate> lists_[3][GEOM_SDF][GEOM_SDF];
};

/// Metres; farther apart there is no contact. MuJoCo adds up the margins and the gaps of the two
/// geoms.
double reach(const Model& m, const Candidate& pair) {
  const bool is_override = (m.opt_enableflags[0] & ENBL_OVERRIDE) != 0;
  const int a = pair.geom1, b = pair.geom2, p = pair.pairid;
  const double margin = is_override ? m.opt_o_margin[0]
                        : p >= 0    ? m.pair_margin[p]
                                    : m.geom_margin[a] + m.geom_margin[b];
  return margin + (p >= 0 ? m.pair_gap[p] : m.geom_gap[a] + m.geom_gap[b]);
}

void add_bodies(const Model& m, const BodyFilter& filter,
                const std::map<std::pair<int, int>, int>& explicit_pairs, int body1,
                PairList& list) {
  std::vector<int> others;
  for (int body2 = body1 + 1; body2 < m.nbody; body2++) {
    if (m.body_geomnum[body2] > 0 && filter.may_touch(body1, body2)) {
      others.push_back(body2);
    }
  }
  for (int a = m.body_geomadr[body1]; a < m.body_geomadr[body1] + m.body_geomnum[body1]; a++) {
    for (const int body2 : others) {
      for (int b = m.body_geomadr[body2]; b < m.body_geomadr[body2] + m.body_geomnum[body2]; b++) {
        if (filter.geoms_may_touch(a, b) &&
            (explicit_pairs.empty() || !explicit_pairs.count({a, b}))) {
          list.add({a, b, -1});
        }
      }
    }
  }
}

}  // namespace

void list_geom_pairs(Draft& d) {
  Model& m = d.m;
  PairList list(d);
  std::map<std::pair<int, int>, int> explicit_pairs;
  for (int p = 0; p < m.npair; p++) {
    explicit_pairs[std::minmax(m.pair_geom1[p], m.pair_geom2[p])] = p;
  }
  const BodyFilter filter(m);
  for (int body = 0; body < m.nbody; body++) {
    if (m.body_geomnum[body] > 0) {
      add_bodies(m, filter, explicit_pairs, body, list);
    }
  }

  // explicit pairs are subject to no filter
  for (int p = 0; p < m.npair; p++) {
    const auto [a, b] = std::minmax(m.pair_geom1[p], m.pair_geom2[p]);
    list.add({a, b, p});
  }
  if (m.npair > 0) {
    list.sort();
  }

  int* const count[] = {&m.npair_primitive, &m.npair_convex, &m.npair_hfield};
  list.for_each([&](Kind kind, const std::vector<Candidate>& pairs) {
    for (const Candidate& pair : pairs) {
      const bool turned = m.geom_type[pair.geom1] > m.geom_type[pair.geom2];
      m.geompair_geom.push_back(turned ? pair.geom2 : pair.geom1);
      m.geompair_geom.push_back(turned ? pair.geom1 : pair.geom2);
      m.geompair_pairid.push_back(pair.pairid);
      m.geompair_reach.push_back(reach(m, pair));
      m.npair_plane += m.geom_type[m.geompair_geom.end()[-2]] == GEOM_PLANE ? 1 : 0;
    }
    *count[kind] += static_cast<int>(pairs.size());
  });
  m.ngeompair = static_cast<int>(m.geompair_pairid.size());
}

}  // namespace mjjit
