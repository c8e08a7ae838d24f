#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../../kernels/enums.cuh"
#include "model/draft.h"
#include "model/pose.h"

// Runs of geom pairs: one test of a geom against a ball about a whole body spares the broad phase
// the tests against the body's geoms. On aloha_pot 1089 runs hold 9011 pairs.

namespace mjjit {
namespace {

/// Fewest pairs a run, on average, for which testing runs first is cheaper than testing all pairs.
constexpr int kPairsPerRun = 3;

/// Share that balls are larger than they need be, since kernels may compute in float.
constexpr double kSlack = 1e-5;

struct Ball {
  Vec3 centre;
  double radius;
};

struct Run {
  int first, count, geom, body;
};

/// Both balls that the broad phase knows of a geom, in its body's frame: about its origin, and
/// about its box.
std::array<Ball, 2> geom_balls(const Model& m, int geom) {
  const auto row = [geom](const std::vector<double>& array, int columns) {
    return array.data() + columns * geom;
  };
  const double* p = row(m.geom_pos, 3);
  const double* q = row(m.geom_quat, 4);
  const double* box = row(m.geom_aabb, 6);
  const Vec3 pos = {p[0], p[1], p[2]};
  const Vec3 centre = pos + rotate({q[0], q[1], q[2], q[3]}, {box[0], box[1], box[2]});
  const Vec3 half = {box[3], box[4], box[5]};
  return {Ball{pos, m.geom_rbound[geom]}, Ball{centre, std::sqrt(dot(half, half))}};
}

/// A ball that holds all of `balls`, about the middle of the box that they span.
Ball enclose(const std::vector<Ball>& balls) {
  Ball out = {{0, 0, 0}, 0};
  for (int i = 0; i < 3; i++) {
    double low = INFINITY, high = -INFINITY;
    for (const Ball& ball : balls) {
      low = std::min(low, ball.centre[i] - ball.radius);
      high = std::max(high, ball.centre[i] + ball.radius);
    }
    out.centre[i] = (low + high) / 2;
  }
  for (const Ball& ball : balls) {
    const Vec3 offset = ball.centre - out.centre;
    out.radius = std::max(out.radius, std::sqrt(dot(offset, offset)) + ball.radius);
  }
  out.radius *= 1 + kSlack;
  return out;
}

/// The runs of the pairs begin .. end.
void add_runs(const Model& m, int begin, int end, std::vector<Run>& runs) {
  for (int pair = begin; pair < end; pair++) {
    const auto [a, b] = std::minmax(m.geompair_geom[2 * pair], m.geompair_geom[2 * pair + 1]);
    const int body = m.geom_bodyid[b];
    if (pair > begin && runs.back().geom == a && runs.back().body == body) {
      runs.back().count++;
    } else {
      runs.push_back({pair, 1, a, body});
    }
  }
}

/// For each body the ball about its geoms that are the second ones in a run; of radius 0 where
/// there are none.
std::vector<Ball> body_balls(const Model& m, const std::vector<Run>& runs) {
  std::vector<std::vector<Ball>> balls(m.nbody);
  for (const Run& run : runs) {
    for (int pair = run.first; pair < run.first + run.count; pair++) {
      const int geom = std::max(m.geompair_geom[2 * pair], m.geompair_geom[2 * pair + 1]);
      for (const Ball& ball : geom_balls(m, geom)) {
        balls[run.body].push_back(ball);
      }
    }
  }
  std::vector<Ball> out;
  for (const std::vector<Ball>& of_body : balls) {
    out.push_back(of_body.empty() ? Ball{{0, 0, 0}, 0} : enclose(of_body));
  }
  return out;
}

}  // namespace

void list_pair_runs(Draft& d) {
  Model& m = d.m;
  const int primitive = m.npair_primitive, convex = primitive + m.npair_convex;
  std::vector<Run> runs;
  add_runs(m, m.npair_plane, primitive, runs);
  const int nprimitive = static_cast<int>(runs.size());
  add_runs(m, primitive, convex, runs);
  const int nconvex = static_cast<int>(runs.size()) - nprimitive;
  add_runs(m, convex, m.ngeompair, runs);
  const int nrun = static_cast<int>(runs.size());
  if (nrun == 0 || m.ngeompair - m.npair_plane < static_cast<long long>(kPairsPerRun) * nrun) {
    return;
  }

  m.npairrun = nrun;
  m.nrun_primitive = nprimitive;
  m.nrun_convex = nconvex;
  m.nrun_hfield = nrun - nprimitive - nconvex;
  for (const Run& run : runs) {
    m.pairrun.insert(m.pairrun.end(), {run.first, run.count, run.geom, run.body});
    const auto reach = m.geompair_reach.begin() + run.first;
    m.pairrun_reach.push_back(*std::max_element(reach, reach + run.count));
  }
  for (const Ball& ball : body_balls(m, runs)) {
    m.pairrun_ball.insert(m.pairrun_ball.end(), ball.centre.begin(), ball.centre.end());
    m.pairrun_ball.push_back(ball.radius);
  }
}

}  // namespace mjjit
