#include "sim/state_hash.h"

#include "catch.h"

using namespace mjjit;

TEST_CASE("the state hash is XXH3-128 of the blocks as one stream", "[sim]") {
  CHECK(hash_of({}) == "99aa06d3014798d86001c324468d497f");  // the published hash of nothing
  CHECK(hash_of({{'a', 'b'}, {'c'}}) == hash_of({{'a', 'b', 'c'}}));
  CHECK(hash_of({{'a'}}) != hash_of({{'b'}}));
}
