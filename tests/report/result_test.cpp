#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/tables.h"
#include "report/terminal.h"
#include "report/text.h"

using namespace mjjit;

namespace {

/// A run of 8192 worlds and 2 steps in which every figure is known.
Result example() {
  Result result;
  result.scene = "humanoid.xml";
  result.function = "step";
  result.precision = "float";
  result.nworld = 8192;
  result.nstep = result.nstep_asked = 2;
  result.timestep = 0.002;
  result.jit_duration = 1.519;
  result.run_time = 0.41;
  result.converged_worlds = 8192;
  result.workers = 4;
  result.compile_ms = 2500;
  result.state_hash = "00112233445566778899aabbccddeeff";
  result.environment.device_id = "cuda:0";
  result.environment.device_name = "NVIDIA H200";
  result.environment.arch = "sm_90";
  result.modules = {{"smooth", "1111111", 500, true, 0, 0, 10, {}},
                    {"solver", "3f2a91c", 2000, false, 1, 3, 20, {}}};
  result.steps.contacts = {8192, 3 * 8192};
  result.steps.alloc = {2 * 8192, 4 * 8192};
  result.steps.rows = {4 * 8192, 6 * 8192};
  result.steps.rows_max = {10, 20};
  result.steps.niter = {8192, 2 * 8192};
  result.steps.niter_max = {3, 4};
  result.steps.niter_histogram = {0, 8192, 8192};
  return result;
}

}  // namespace

TEST_CASE("the summary has the words and the order that scripts look for", "[report]") {
  Result result = example();
  result.nstep = 1000;
  result.run_time = 0.41;
  CHECK(summary_text(result) ==
        "\nSummary for 8192 parallel rollouts\n\n"
        "Total JIT time: 1.52 s\n"
        "Total simulation time: 0.41 s\n"
        "Total steps per second: 19,980,488\n"  // 8,192,000 / 0.41
        "Total realtime factor: 39,960.98 x\n"  // times 0.002
        "Total time per step: 50.05 ns\n"
        "Total converged worlds: 8192 / 8192\n\n"
        "JIT: 2 modules (1 cached), 4 workers, compile work 2.50 s, longest module solver 2.00 s\n"
        "Device: cuda:0, NVIDIA H200, sm_90\n"
        "State hash: 00112233445566778899aabbccddeeff\n");
}

TEST_CASE("figures with the peer's names have the peer's meaning", "[report]") {
  const auto json = nlohmann::json::parse(json_text(example()));
  CHECK(json["schema"] == 1);
  CHECK(json["ncon_mean"] == 3.0);  // the larger of contacts and pairs, a world
  CHECK(json["contacts_per_world_mean"] == 2.0);
  CHECK(json["nefc_mean"] == 15.0);  // of the largest world
  CHECK(json["rows_per_world_mean"] == 5.0);
  CHECK(json["solver_niter_mean"] == 1.5);
  CHECK(json["solver_niter_p95"] == 2.0);  // over all worlds and steps
  CHECK(json["steps_per_second"] == Approx(8192 * 2 / 0.41));
  CHECK(json["modules"][1]["state"] == "compiled");
  CHECK(json["modules"][0]["state"] == "cached");
  CHECK(json["converged_worlds"] == 8192);
}

TEST_CASE("a figure that is missing is null, with a reason", "[report]") {
  Result result = example();
  result.function = "forward";
  result.steps = {};
  const auto json = nlohmann::json::parse(json_text(result));
  CHECK(json["ncon_mean"].is_null());
  CHECK(json["reasons"]["ncon_mean"] == "--function forward does not step");
}

TEST_CASE("the short format is key, colon, value", "[report]") {
  const std::string text = short_text(example());
  CHECK_THAT(text, ContainsSubstring("jit_duration: 1.519\n"));
  CHECK_THAT(text, ContainsSubstring("converged_worlds: 8192\n"));
  CHECK_THAT(text, ContainsSubstring("ncon_mean: 3\n"));
}

TEST_CASE("a module's line is the one that scripts parse", "[report]") {
  const ModuleFigures module = {"solver", "3f2a91c", 412.333, false, 0, 0, 0, {}};
  CHECK(module_line(module, "cuda:0") ==
        "Module solver 3f2a91c load on device 'cuda:0' took 412.33 ms  (compiled)");
}

TEST_CASE("the trace adds launches up to stages", "[report]") {
  Result result = example();
  result.trace = {
      {"smooth", "smooth", 20}, {"solver", "solver", 30}, {"solver", "solver_coupled", 1.5}};
  CHECK(trace_text(result) ==
        "\nEvent trace, ns per world-step:\n\n"
        "step: 51.50\n"
        "  smooth: 20.00\n"
        "    smooth: 20.00\n"
        "  solver: 31.50\n"
        "    solver: 30.00\n"
        "    solver_coupled: 1.50\n");
}

TEST_CASE("numbers are grouped by thousands and bytes are readable", "[report]") {
  CHECK(with_commas(999, 0) == "999");
  CHECK(with_commas(1234567.891, 2) == "1,234,567.89");
  CHECK(with_commas(-1000, 0) == "-1,000");
  CHECK(readable_bytes(1023) == "1023 bytes");
  CHECK(readable_bytes(1536) == "1.50 KiB");
}

TEST_CASE("the progress bar shows task, share and what is left", "[report]") {
  CHECK(progress_text("rolling out", 50, 100, 2.0, "") ==
        "rolling out  [###############...............]  50 %  50/100  2 s left");
  CHECK(progress_text("compiling", 0, 4, 0, "solver") ==
        "compiling  [..............................]  0 %  0/4  solver");
}

TEST_CASE("control characters of names are written as escapes", "[report]") {
  CHECK(printable("a\nb\tc\rd\x1b[31m\x7f") == "a\\nb\\tc\\rd\\x1b[31m\\x7f");
  CHECK(printable("\xc2\x9b"
                  "1m \xc3\xa9") == "\\x9b1m \xc3\xa9");  // é stays
  CHECK(printable("two\nlines\x07", true) == "two\nlines\\x07");
}

TEST_CASE("colour is only put where it is wanted", "[report]") {
  CHECK(colored("error:", "31", false) == "error:");
  CHECK(colored("error:", "31", true) == "\x1b[31merror:\x1b[0m");
  CHECK(use_color(ColorChoice::always, 2));
  CHECK_FALSE(use_color(ColorChoice::never, 2));
}
