#include "sim/sizing.h"

#include "../../kernels/counters.cuh"
#include "catch.h"
#include "sim/metrics.h"

using namespace mjjit;

namespace {

/// Ten spheres that may touch each other and a plane: 55 pairs of condim 3, no other rows.
Model spheres() {
  Model model;
  model.nbody = 11;
  model.ngeom = 11;
  model.ntree = 10;
  model.ngeompair = model.npair_primitive = 55;
  model.geom_condim.assign(11, 3);
  model.geompair_geom.assign(110, 1);
  model.geompair_pairid.assign(55, -1);
  return model;
}

}  // namespace

TEST_CASE("sizes that are given are kept", "[sim]") {
  const SizeRequest request = {24, 64, 8};
  const SizeRequest guess = guess_sizes(spheres(), request);
  CHECK(*guess.nconmax == 24);
  CHECK(*guess.njmax == 64);
  const SizeRequest found = sizes_from_demand(spheres(), request, {100, 400, 100, 0, 0});
  CHECK(*found.nconmax == 24);
  CHECK(*found.njmax == 64);
  CHECK(*found.nccdmax == 8);
}

TEST_CASE("a guess follows the scene: 16 + 4 a body contacts, four rows each for condim 3",
          "[sim]") {
  const SizeRequest guess = guess_sizes(spheres(), {});
  CHECK(*guess.nconmax == 16 + 4 * 11);
  CHECK(*guess.njmax == 4 * (16 + 4 * 11));
}

TEST_CASE("a measured demand gets 30 % and a few more, in round numbers", "[sim]") {
  const SizeRequest found = sizes_from_demand(spheres(), {}, {14, 51, 0, 0, 0});
  CHECK(*found.nconmax == 20);  // 14 * 1.3 + 2 = 20
  CHECK(*found.njmax == 72);    // 51 * 1.3 + 4 = 70, in eights
  CHECK(size_flags(spheres(), found) == "--nconmax 20 --njmax 72");
}

TEST_CASE("nothing wanted needs no room, but kernels get one element", "[sim]") {
  const SizeRequest found = sizes_from_demand(spheres(), {}, {});
  CHECK(*found.nconmax == 0);
  CHECK(*found.njmax == 0);
  const RunSizes room = run_sizes(spheres(), found);
  CHECK(room.nconmax == 1);
  CHECK(room.njmax == 1);
}

TEST_CASE("an overflow says what was wanted, for how long, and what would do", "[sim]") {
  std::vector<int> counters(3 * NCOUNTER, 0);
  counters[COUNT_NCON_MAX] = 2;
  counters[NCOUNTER + COUNT_NCON_MAX] = 14;
  counters[2 * NCOUNTER + COUNT_NCON_MAX] = 5;
  counters[NCOUNTER + COUNT_OVERFLOW] = 7;
  int worlds = 0;
  const std::vector<Overflow> found = overflows_of(spheres(), {4, 64, {}}, counters, 3, &worlds);
  REQUIRE(found.size() == 1);
  CHECK(found[0].limit == "nconmax");
  CHECK(found[0].room == 4);
  CHECK(found[0].wanted == 14);
  CHECK(found[0].steps == 2);
  CHECK(found[0].remedy == "--nconmax 20");
  CHECK(worlds == 7);
}

TEST_CASE("what did not suffice at least doubles, the rest stays", "[sim]") {
  const SizeRequest more = enlarged(spheres(), {}, {10, 200, {}}, {12, 48, 0, 0, 0});
  CHECK(*more.nconmax >= 20);
  CHECK(*more.njmax == 200);
}
