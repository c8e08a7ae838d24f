#include "catch.h"
#include "jit/compiler.h"

using namespace mjjit;

TEST_CASE("the first error comes with its source line", "[jit]") {
  const std::string log =
      "step.cu: In function 'void f()':\n"
      "step.cu:3:3: warning: unused\n"
      "step.cu:4:5: error: 'y' was not declared\n"
      "    4 |     y = 1;\n"
      "      |     ^\n"
      "step.cu:5:5: error: another\n";
  CHECK(first_error(log) ==
        "step.cu:4:5: error: 'y' was not declared\n    4 |     y = 1;\n      |     ^");
  CHECK(first_error("ld: no room\nmore\n") == "ld: no room");
  CHECK(first_error("") == "the compiler said nothing");
}

// the log that NVRTC 13.0 gives for two kernels, of which one calls a function that is not inlined
TEST_CASE("registers, spills, stack and shared memory are read per kernel", "[jit]") {
  const std::string log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'solver' for 'sm_90'\n"
      "ptxas info    : Function properties for leaf\n"
      "    48 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Function properties for solver\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 96 registers, used 1 barriers, 64 bytes cumulative stack size, 4480 "
      "bytes smem\n"
      "ptxas info    : Compile time = 20.000 ms\n"
      "ptxas info    : Compiling entry function 'gather' for 'sm_90'\n"
      "ptxas info    : Function properties for gather\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 30 registers, used 0 barriers\n";
  const std::vector<KernelUsage> usage = parse_usage(log);
  REQUIRE(usage.size() == 2);
  CHECK(usage[0].kernel == "solver");
  CHECK(usage[0].registers == 96);
  CHECK(usage[0].stack_bytes == 16);
  CHECK(usage[0].spill_store_bytes == 8);
  CHECK(usage[0].spill_load_bytes == 12);
  CHECK(usage[0].shared_bytes == 4480);
  CHECK(usage[1].kernel == "gather");
  CHECK(usage[1].registers == 30);
  CHECK(usage[1].shared_bytes == 0);
  CHECK(parse_usage("").empty());
}
