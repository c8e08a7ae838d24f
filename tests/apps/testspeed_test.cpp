// testspeed as its users run it: whole outputs, exit codes and files. One small scene, so that its
// kernels are compiled once.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "catch.h"
#include "command.h"
#include "sim/npz.h"

namespace {

/// A ball that drops onto a plane, beside a driven pendulum; two keyframes.
const std::string& ball() {
  static const std::string path = workshop().scene("ball.xml", R"(<mujoco model="ball">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="ball" pos="0 0 0.2"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
    <body name="arm" pos="1 0 1"><joint name="swing" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator><motor name="drive" joint="swing" ctrlrange="-1 1"/></actuator>
  <keyframe>
    <key name="rest" qpos="0 0 0.099 1 0 0 0 0"/>
    <key name="high" qpos="0 0 0.5 1 0 0 0 0.2" ctrl="0.5"/>
  </keyframe>
</mujoco>
)");
  return path;
}

const std::string cpu = " --device cpu --nconmax 4 --njmax 16 ";

/// Lines of a text matched with patterns one by one; the first that does not match is shown.
void check_lines(const std::string& text, const std::vector<std::string>& patterns) {
  std::string rest = text;
  for (const std::string& pattern : patterns) {
    const std::string line = rest.substr(0, rest.find('\n'));
    INFO("line '" << line << "', pattern '" << pattern << "'");
    CHECK(std::regex_match(line, std::regex(pattern)));
    rest.erase(0, line.size() + 1);
  }
}

std::string hash_of(const std::string& out) {
  const std::size_t at = out.find("State hash: ");
  return at == std::string::npos ? "" : out.substr(at + 12, 32);
}

}  // namespace

TEST_CASE("a run prints the model, the sizes and the summary", "[apps]") {
  const Ran ran = workshop().testspeed(ball() + cpu + "--nworld 16 --nstep 50");
  REQUIRE(ran.code == 0);
  check_lines(ran.out, {"Loading model from: .*ball\\.xml\\.\\.\\.",
                        "",
                        "Model",
                        "  nq: 8 nv: 7 nu: 1 nbody: 3 ngeom: 3",
                        "Option",
                        "  integrator: EULER",
                        "  cone: PYRAMIDAL",
                        "  solver: NEWTON iterations: 100 ls_iterations: 50",
                        "Data",
                        "  nworld: 16 nconmax: 4 njmax: 16 nccdmax: \\d+",
                        "Rolling out 50 steps at dt = 0\\.002\\.\\.\\.",
                        "",
                        "Summary for 16 parallel rollouts",
                        "",
                        "Total JIT time: \\d+\\.\\d\\d s",
                        "Total simulation time: \\d+\\.\\d\\d s",
                        "Total steps per second: [\\d,]+",
                        "Total realtime factor: [\\d,]+\\.\\d\\d x",
                        "Total time per step: \\d+\\.\\d\\d ns",
                        "Total converged worlds: 16 / 16",
                        "",
                        "JIT: \\d+ modules \\(\\d+ cached\\), \\d+ workers?, compile work .* s, "
                        "longest module \\w+ .* s",
                        "Device: cpu, .*",
                        "State hash: [0-9a-f]{32}"});
  CHECK(ran.err.empty());
}

TEST_CASE("a module is logged once, compiled when cold and cached when warm", "[apps]") {
  const std::string arguments = ball() + cpu + "--nworld 1 --nstep 1 --verbosity 1";
  workshop().testspeed(arguments);
  const Ran warm = workshop().testspeed(arguments);
  REQUIRE(warm.code == 0);
  CHECK(warm.err.find("(compiled)") == std::string::npos);
  const std::regex line(
      R"(Module (\w+) [0-9a-f]{7} load on device 'cpu' took \d+\.\d\d ms  \(cached\))");
  std::map<std::string, int> seen;
  for (std::sregex_iterator at(warm.err.begin(), warm.err.end(), line), end; at != end; ++at) {
    ++seen[(*at)[1]];
  }
  CHECK(seen.size() >= 5);
  for (const auto& [module, count] : seen) {
    INFO(module);
    CHECK(count == 1);
  }
}

TEST_CASE("the same command gives the same state hash, whatever the number of threads", "[apps]") {
  const std::string arguments = ball() + cpu + "--nworld 9 --nstep 100 --noise_std 0.1";
  const std::string first = hash_of(workshop().testspeed(arguments + " --threads 1").out);
  CHECK(first.size() == 32);
  CHECK(hash_of(workshop().testspeed(arguments + " --threads 1").out) == first);
  CHECK(hash_of(workshop().testspeed(arguments + " --threads 2").out) == first);
  CHECK(hash_of(workshop().testspeed(arguments + " --noise_std=0.2").out) != first);
  CHECK(workshop().testspeed(arguments + " --expect_hash " + first).code == 0);
  const Ran wrong =
      workshop().testspeed(arguments + " --expect_hash 01230123012301230123012301230123");
  CHECK(wrong.code == 1);
  CHECK(lines_beginning(wrong.err, "error: state hash is " + first + ", expected 0123") == 1);
}

TEST_CASE("JSON is all of stdout, and goes to a file beside any other format", "[apps]") {
  const std::string arguments = ball() + cpu + "--nworld 4 --nstep 20 --keyframe 1";
  const Ran ran = workshop().testspeed(arguments + " --format json");
  REQUIRE(ran.code == 0);
  const auto json = nlohmann::json::parse(ran.out);
  CHECK(json["schema"] == 1);
  CHECK(json["nworld"] == 4);
  CHECK(json["converged_worlds"] == 4);
  CHECK(json["steps_per_second"].get<double>() > 0);
  CHECK(json["modules"].size() >= 5);
  CHECK(json["environment"]["device"] == "cpu");
  CHECK(json["environment"]["commit"].is_string());

  const Ran both =
      workshop().testspeed(arguments + " --output '" + workshop().file("result.json") + "'");
  REQUIRE(both.code == 0);
  CHECK(both.out.find("Summary for 4 parallel rollouts") != std::string::npos);
  const auto file = nlohmann::json::parse(mjjit::read_file(workshop().file("result.json")));
  CHECK(file["state_hash"] == json["state_hash"]);
}

TEST_CASE("a dump holds model, first forward pass and trajectory", "[apps]") {
  const std::string path = workshop().file("dump.npz");
  const Ran ran = workshop().testspeed(
      ball() + cpu + "--precision double --nworld 1 --noise_std 0 --nstep 5 --dump '" + path + "'");
  REQUIRE(ran.code == 0);
  std::map<std::string, mjjit::NpzArray> dump;
  for (const mjjit::NpzArray& array : mjjit::read_npz(path)) {
    dump[array.name] = array;
  }
  using Shape = std::vector<std::size_t>;
  CHECK(dump.at("m.nq").values == std::vector<double>{8});
  CHECK(dump.at("m.opt.gravity").values == std::vector<double>{0, 0, -9.81});
  CHECK(dump.at("m.key_qpos").shape == Shape{2, 8});
  CHECK(dump.at("d.qM_dense").shape == Shape{7, 7});
  CHECK(dump.at("d.qM_dense").values[0] == Approx(1));        // the ball's mass
  CHECK(dump.at("d.ncon").values == std::vector<double>{1});  // it lies in the floor, 1 mm deep
  CHECK(dump.at("d.contact.geom").values == std::vector<double>{0, 1});
  CHECK(dump.at("d.efc_J_dense").shape == Shape{4, 7});
  CHECK(dump.at("traj.qpos").shape == Shape{6, 8});
  CHECK(dump.at("traj.nefc").values == std::vector<double>(5, 4));
}

TEST_CASE("an overflow is an error with a remedy, or a line when the run is to go on", "[apps]") {
  const std::string arguments =
      ball() + " --device cpu --njmax 16 --nconmax 0 --nworld 4 --nstep 3";
  const Ran stopped = workshop().testspeed(arguments);
  CHECK(stopped.code == 3);
  CHECK(lines_beginning(stopped.err, "error:") == 1);
  CHECK_THAT(stopped.err, ContainsSubstring("nconmax 0 is too small: 1 wanted (in 3 of 3 steps"));
  CHECK_THAT(stopped.err, ContainsSubstring("--nconmax 4 would do"));
  const Ran going = workshop().testspeed(arguments + " --overflow_behavior continue");
  CHECK(going.code == 0);
  CHECK(lines_beginning(going.err, "warning: nconmax 0 is too small") == 1);
}

TEST_CASE("sizes that are left out are found and printed as flags", "[apps]") {
  const Ran ran = workshop().testspeed(ball() + " --device cpu --nworld 4 --nstep 20");
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.out, ContainsSubstring("Sizes found: --nconmax 4 --njmax 16"));
}

TEST_CASE("memory is added up before it is asked for", "[apps]") {
  const Ran ran = workshop().testspeed(ball() + cpu + "--nworld 900000000 --nstep 1");
  CHECK(ran.code == 4);
  CHECK(lines_beginning(ran.err, "error:") == 1);
  CHECK_THAT(ran.err, ContainsSubstring("nworld"));
}

TEST_CASE("bad input is one line that begins with error:, and exit code 2", "[apps]") {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"no/such.xml --device cpu", "no/such.xml"},
      {ball() + " --nworld -1", "--nworld"},
      {ball() + " --no_such_flag", "--no_such_flag"},
      {ball() + cpu + "--keyframe 2", "keyframe 2 does not exist: the scene has keyframes 0 to 1"},
      {ball() + cpu + "-o opt.solvr=cg", "opt.solvr"},
      {ball() + cpu + "--function fly", "--function fly: this scene has step, forward"},
      {ball() + cpu + "--dry_run --function fly", "--function fly: this scene has step, forward"},
      {ball() + cpu + "--compile_only --function fly", "--function fly: this scene has"},
      {ball() + cpu + "--compile_only --arch foo", "--arch foo: "},
      {ball() + cpu + "--nworld 1 --nstep 1 --arch foo", "--arch foo: "},
      {ball() + cpu + "--compile_only --arch sm_foo", "--arch 'sm_foo'"},
      {ball() + cpu + "--dry_run --arch x86-64", "--arch x86-64: --dry_run compiles nothing"},
      {ball() + cpu + "--dry_run --clear_kernel_cache", "--dry_run compiles nothing"},
      {ball() + cpu + "--dry_run --measure_alloc", "--measure_alloc: needs a rollout"},
      {ball() + cpu + "--dry_run --measure_solver", "--measure_solver: needs a rollout"},
      {ball() + cpu + "--dry_run --profile", "--profile: needs a rollout"},
      {ball() + cpu + "--dry_run --sync_each_step", "--sync_each_step: needs a rollout"},
      {ball() + cpu + "--compile_only --replay no/such.npz", "--replay: needs a rollout"},
      {ball() + cpu + "--compile_only --keyframe 99", "--keyframe: needs a rollout"},
      {"/dev/zero" + cpu, "file '/dev/zero' is no regular file"},
      {ball() + cpu + "--replay /dev/zero", "file '/dev/zero' is no regular file"},
      {ball() + cpu + "--keyframe 0 --replay no/such.npz", "--keyframe 0: excluded by --replay"},
      {ball() + cpu + "-o opt.disableflags=2097152", "opt.disableflags=2097152: disableflags is"},
      {"$'no\\nsuch\\x1b[31m.xml'", "no\\nsuch\\x1b[31m.xml"},
      {ball() + cpu + "--replay no/such.npz", "no/such.npz"},
      {ball() + cpu + "--dump no/such/dump.npz", "--dump no/such/dump.npz: cannot be written"},
      {ball() + cpu + "--dump /tmp", "--dump /tmp: is a folder"},
      {ball() + cpu + "--output " + ball(), "would overwrite an input of this run"},
      {ball() + cpu + "--output a.out --dump ./a.out", "--output and --dump name the same file"},
      {ball() + cpu + "--expect_hash zz", "--expect_hash zz: not a state hash"},
      {ball() + cpu + "--dry_run --expect_hash 0123456789abcdef0123456789abcdef",
       "--expect_hash: needs a rollout; --dry_run does none"},
  };
  for (const auto& [arguments, words] : bad) {
    INFO(arguments);
    const Ran ran = workshop().testspeed(arguments);
    CHECK(ran.code == 2);
    CHECK(lines_beginning(ran.err, "error:") == 1);
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    CHECK_THAT(ran.err, ContainsSubstring(words));
  }
}

TEST_CASE("a name with control characters stays on its line of the message", "[apps]") {
  const std::string scene = workshop().scene(
      "escape.xml",
      "<mujoco><worldbody><geom name='a&#10;error: b&#27;[31m' mesh='none'/></worldbody></mujoco>");
  const Ran ran = workshop().testspeed(scene + cpu);
  CHECK(ran.code == 2);
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  CHECK_THAT(ran.err, ContainsSubstring("geom 'a\\nerror: b\\x1b[31m': mesh 'none'"));
}

TEST_CASE("sensors are named in one warning of the summary and the JSON", "[apps]") {
  const std::string scene = workshop().scene(
      "sensors.xml",
      "<mujoco><worldbody><body><freejoint/><geom size='1'/><site name='s'/></body></worldbody>\n"
      "<sensor><gyro site='s'/><clock/></sensor></mujoco>");
  const std::string words = "the scene has 2 sensors: read and checked, but not computed";
  const Ran ran = workshop().testspeed(scene + cpu + "--nworld 1 --nstep 1");
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.out, ContainsSubstring("Warning: ") && ContainsSubstring("xml:2: " + words));
  const Ran json = workshop().testspeed(scene + cpu + "--nworld 1 --nstep 1 --format json");
  const auto warnings = nlohmann::json::parse(json.out)["warnings"];
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0].get<std::string>(), ContainsSubstring(words));
}

TEST_CASE("a dry run adds up the memory that the run takes", "[apps]") {
  const std::string arguments = ball() + cpu + "--nworld 8 --nstep 500 --format json";
  const auto dry = nlohmann::json::parse(workshop().testspeed(arguments + " --dry_run").out);
  const auto real = nlohmann::json::parse(workshop().testspeed(arguments).out);
  CHECK(dry["total_memory"] == real["total_memory"]);
  CHECK(dry["memory"] == real["memory"]);
}

TEST_CASE("the architecture asked for is the one in the result", "[apps]") {
  const Ran ran = workshop().testspeed(ball() + cpu + "--compile_only --arch x86-64 --format json");
  REQUIRE(ran.code == 0);
  CHECK(nlohmann::json::parse(ran.out)["environment"]["arch"] == "x86-64");
}

TEST_CASE("a function other than step is timed alone", "[apps]") {
  const Ran ran =
      workshop().testspeed(ball() + cpu + "--nworld 4 --nstep 20 --function forward --format json");
  REQUIRE(ran.code == 0);
  const auto json = nlohmann::json::parse(ran.out);
  CHECK(json["steps_per_second"].get<double>() > 0);
  CHECK(json["ncon_mean"].is_null());
  CHECK(json["reasons"]["ncon_mean"] == "--function forward does not step");
}

TEST_CASE("Ctrl-C ends a run with 130 and what was measured so far", "[apps]") {
  // twice at once, as timeout(1) sends it
  const Ran ran = workshop().interrupted(ball() + cpu + "--nworld 256 --nstep 10000000",
                                         "Rolling out", "kill -INT $pid; kill -INT $pid");
  CHECK(ran.code == 130);
  CHECK_THAT(ran.out, ContainsSubstring("Summary for 256 parallel rollouts"));
  CHECK_THAT(ran.out, ContainsSubstring("Interrupted: "));
}

TEST_CASE("a dry run shows sizes, modules and memory and compiles nothing", "[apps]") {
  const Ran ran = workshop().testspeed(ball() + cpu + "--nworld 8 --dry_run");
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.out, ContainsSubstring("Modules, the most expensive first:"));
  CHECK_THAT(ran.out, ContainsSubstring("Memory by array:"));
  CHECK(ran.out.find("Summary") == std::string::npos);
}
