#include "sim/overrides.h"

#include "base/error.h"
#include "catch.h"

using namespace mjjit;

namespace {

SpecOption with(const std::string& text) {
  SpecOption option;
  apply_overrides({text}, &option);
  return option;
}

}  // namespace

TEST_CASE("an override sets numbers, lists and words of an option", "[sim]") {
  CHECK(with("opt.timestep=0.01").timestep == 0.01);
  CHECK(with("opt.iterations = 7").iterations == 7);
  CHECK(with("opt.gravity=0,0 -1.6").gravity == Vec3{0, 0, -1.6});
  CHECK(with("opt.solver=cg").solver == 1);
  CHECK(with("opt.solver=Newton").solver == 2);
  CHECK(with("opt.cone=elliptic").cone == 1);
  CHECK(with("opt.integrator=3").integrator == 3);
  CHECK(with("opt.disableflags=1048575").disableflags == 1048575);
}

TEST_CASE("an option is overridden once", "[sim]") {
  SpecOption option;
  CHECK_THROWS_WITH(apply_overrides({"opt.timestep=0.01", "opt.timestep=0.02"}, &option),
                    "--override opt.timestep=0.02: opt.timestep is overridden twice");
}

TEST_CASE("a bad override is an error that shows it", "[sim]") {
  CHECK_THROWS_WITH(with("opt.iterations=99999999999"),
                    ContainsSubstring("'99999999999' is too large"));
  CHECK_THROWS_WITH(with("opt.timestep=1e999"), ContainsSubstring("'1e999' is too large"));
  CHECK_THROWS_WITH(with("opt.solvr=cg"), ContainsSubstring("no option 'opt.solvr'"));
  CHECK_THROWS_WITH(with("opt.solver=jacobi"),
                    ContainsSubstring("'jacobi' is none of pgs, cg, newton"));
  CHECK_THROWS_WITH(with("opt.timestep=0.01s"),
                    ContainsSubstring("'0.01s' is not a finite number"));
  CHECK_THROWS_WITH(with("opt.timestep=0"), ContainsSubstring("timestep is 0, must be positive"));
  CHECK_THROWS_WITH(with("opt.iterations=-1"), ContainsSubstring("must not be negative"));
  CHECK_THROWS_WITH(with("opt.disableflags=1048576"),
                    ContainsSubstring("must have no other bits than the lowest 20"));
  CHECK_THROWS_WITH(with("opt.enableflags=256"),
                    ContainsSubstring("must have no other bits than the lowest 8"));
  CHECK_THROWS_WITH(with("opt.disableactuator=-1"), ContainsSubstring("disableactuator is -1"));
  CHECK_THROWS_WITH(with("opt.iterations=1.5"), ContainsSubstring("is not a whole number"));
  CHECK_THROWS_WITH(with("opt.gravity=0 0"), ContainsSubstring("has 2 numbers, expected 3"));
  CHECK_THROWS_WITH(with("opt.iterations"), ContainsSubstring("expected opt.NAME=VALUE"));
  CHECK_THROWS_WITH(with("geom_size=1"), ContainsSubstring("expected opt.NAME=VALUE"));
}
