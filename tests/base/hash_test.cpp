#include "base/hash.h"

#include "catch.h"

using namespace mjjit;

// expected values: what `xxh128sum` prints for these bytes
TEST_CASE("a hash is the one that xxh128sum prints", "[base]") {
  CHECK(hash_hex("", 0) == "99aa06d3014798d86001c324468d497f");
  CHECK(hash_hex("a", 1) == "a96faf705af16834e6c632b61e964e1f");
}

TEST_CASE("pieces hash like the whole", "[base]") {
  Hasher pieces;
  pieces.add("kernel", 6);
  pieces.add(nullptr, 0);
  pieces.add("s", 1);
  CHECK(pieces.hex() == hash_hex("kernels", 7));
}

TEST_CASE("texts with other ends hash differently", "[base]") {
  Hasher one, other;
  one.add("ab");
  one.add("c");
  other.add("a");
  other.add("bc");
  CHECK(one.hex() != other.hex());
}
