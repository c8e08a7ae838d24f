#include <algorithm>

#include "model/draft.h"

namespace mjjit {
namespace {

template <typename T, std::size_t n>
void append(std::vector<T>& to, const std::array<T, n>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Two elements of one kind, the lower body first, and what MuJoCo sorts them by.
struct Pair {
  int first, second;
  int signature;  // lower body id, upper body id, 16 bits each
};

/// The signature's sign bit is used by models of 32768 bodies and more; it sorts as MuJoCo's does.
int signature_of(int body1, int body2) {
  return static_cast<int>((static_cast<unsigned>(body1) << 16) + static_cast<unsigned>(body2));
}

int find(const NameTable& table, const std::string& name, const Source& at,
         const std::string& element, const char* attribute) {
  if (name.empty()) {
    fail(at, "{}: attribute '{}' is missing", element, attribute);
  }
  const int id = table.find(name);
  if (id < 0) {
    fail(at, "{}: {} '{}' ({}) is not defined", element, table.kind(), name, attribute);
  }
  return id;
}

Pair resolve_pair(const Draft& d, const SpecPair& spec) {
  const std::string name = label("pair", spec.name);
  const int geom1 = find(d.geom_ids, spec.geomname1, spec.source, name, "geom1");
  const int geom2 = find(d.geom_ids, spec.geomname2, spec.source, name, "geom2");
  if (geom1 == geom2) {
    fail(spec.source, "{}: geom '{}' is paired with itself", name, spec.geomname1);
  }
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6) {
    fail(spec.source, "{}: condim is {}, must be 1, 3, 4 or 6", name, spec.condim);
  }
  const int body1 = d.m.geom_bodyid[geom1], body2 = d.m.geom_bodyid[geom2];
  if (body1 > body2) {
    return {geom2, geom1, signature_of(body2, body1)};
  }
  return {geom1, geom2, signature_of(body1, body2)};
}

void append_pair(Model& m, const SpecPair& spec, const Pair& pair) {
  m.pair_dim.push_back(spec.condim);
  m.pair_geom1.push_back(pair.first);
  m.pair_geom2.push_back(pair.second);
  m.pair_signature.push_back(pair.signature);
  append(m.pair_solref, spec.solref);
  append(m.pair_solreffriction, spec.solreffriction);
  append(m.pair_solimp, spec.solimp);
  m.pair_margin.push_back(spec.margin);
  m.pair_gap.push_back(spec.gap);
  append(m.pair_friction, spec.friction);
}

}  // namespace

void compile_pairs(Draft& d) {
  Model& m = d.m;

  // pairs and excludes are sorted by signature, in the scene's order where that is equal
  std::vector<std::pair<Pair, const SpecPair*>> pairs;
  for (const SpecPair& spec : d.spec.pairs) {
    pairs.emplace_back(resolve_pair(d, spec), &spec);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return a.first.signature < b.first.signature;
  });
  for (const auto& [pair, spec] : pairs) {
    append_pair(m, *spec, pair);
  }
  m.npair = static_cast<int>(pairs.size());

  for (const SpecExclude& spec : d.spec.excludes) {
    const std::string name = label("exclude", spec.name);
    const int body1 = find(d.body_ids, spec.bodyname1, spec.source, name, "body1");
    const int body2 = find(d.body_ids, spec.bodyname2, spec.source, name, "body2");
    m.exclude_signature.push_back(signature_of(std::min(body1, body2), std::max(body1, body2)));
  }
  std::sort(m.exclude_signature.begin(), m.exclude_signature.end());
  m.nexclude = static_cast<int>(m.exclude_signature.size());
}

}  // namespace mjjit
