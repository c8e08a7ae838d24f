#include "sim/replay.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "catch.h"
#include "sim/npz.h"

using namespace mjjit;

namespace {

/// One slide joint with one motor and a timestep of 0.01 s.
Model small_model() {
  Model model;
  model.nq = model.nv = model.nu = 1;
  model.nbody = 1;
  model.opt_timestep[0] = 0.01;
  model.qpos0 = {0.5};
  model.body_mocapid = {-1};
  return model;
}

/// Writes arrays to a file and reads them as a replay.
Replay replay_of(const NpzWriter& arrays) {
  const std::string path =
      (std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "replay.npz")).string();
  arrays.write(path);
  try {
    Replay replay = read_replay(path, small_model());
    std::remove(path.c_str());
    return replay;
  } catch (...) {
    std::remove(path.c_str());
    throw;
  }
}

NpzWriter with_ctrl(const std::vector<double>& ctrl) {
  NpzWriter arrays;
  arrays.add("ctrl", {ctrl.size(), 1}, ctrl);
  return arrays;
}

}  // namespace

TEST_CASE("without stamps each control lasts one step, from the reference configuration", "[sim]") {
  const Replay replay = replay_of(with_ctrl({1, 2, 3}));
  CHECK(replay.centre.rows == 3);
  CHECK(replay.centre.ctrl == std::vector<double>{1, 2, 3});
  CHECK(replay.start.qpos == std::vector<double>{0.5});
  CHECK(replay.start.qvel == std::vector<double>{0});
  CHECK(replay.start.ctrl == std::vector<double>{0});
}

TEST_CASE("controls are held between their stamps and sampled at the timestep", "[sim]") {
  NpzWriter arrays = with_ctrl({1, 2});
  arrays.add("times", {3}, std::vector<double>{0, 0.02, 0.05});
  CHECK(replay_of(arrays).centre.ctrl == std::vector<double>{1, 1, 2, 2, 2});
}

TEST_CASE("with as many stamps as controls the last one lasts as long as the one before", "[sim]") {
  NpzWriter arrays = with_ctrl({1, 2});
  arrays.add("times", {2}, std::vector<double>{1, 1.02});
  CHECK(replay_of(arrays).centre.ctrl == std::vector<double>{1, 1, 2, 2});
}

TEST_CASE("the first rows of qpos and qvel are the start", "[sim]") {
  NpzWriter arrays = with_ctrl({1});
  arrays.add("qpos", {2, 1}, std::vector<double>{7, 8});
  arrays.add("qvel", {2, 1}, std::vector<double>{-1, -2});
  const Replay replay = replay_of(arrays);
  CHECK(replay.start.qpos == std::vector<double>{7});
  CHECK(replay.start.qvel == std::vector<double>{-1});
}

TEST_CASE("a replay that does not fit the scene says which array and how", "[sim]") {
  CHECK_THROWS_WITH(replay_of(NpzWriter()),
                    ContainsSubstring("has no array 'ctrl'") || ContainsSubstring("NPZ"));
  NpzWriter wide;
  wide.add("ctrl", {1, 2}, std::vector<double>{1, 2});
  CHECK_THROWS_WITH(replay_of(wide),
                    ContainsSubstring("'ctrl' has shape (1, 2), expected (rows, nu = 1)"));
  CHECK_THROWS_WITH(replay_of(with_ctrl({1, NAN})),
                    ContainsSubstring("'ctrl' is not finite at row 1, column 0"));
  NpzWriter stamps = with_ctrl({1, 2});
  stamps.add("times", {2}, std::vector<double>{1, 1});
  CHECK_THROWS_WITH(replay_of(stamps), ContainsSubstring("'times' must grow"));
  NpzWriter few = with_ctrl({1, 2, 3});
  few.add("times", {2}, std::vector<double>{0, 1});
  CHECK_THROWS_WITH(replay_of(few), ContainsSubstring("expected (3,) or (4,)"));
}

TEST_CASE("arrays that a replay has no use for are named", "[sim]") {
  NpzWriter arrays = with_ctrl({1, 2});
  CHECK(replay_of(arrays).unused.empty());
  arrays.add("qvel", {1, 1}, std::vector<double>{0});
  arrays.add("qposs", {1, 1}, std::vector<double>{0});
  CHECK(replay_of(arrays).unused == std::vector<std::string>{"qposs"});
}

TEST_CASE("an array that is there twice is an error", "[sim]") {
  NpzWriter arrays = with_ctrl({1, 2});
  arrays.add("ctrl", {1, 1}, std::vector<double>{3});
  CHECK_THROWS_WITH(replay_of(arrays), ContainsSubstring("'ctrl' is there twice"));
}
