#include "sim/buffers.h"

#include <numeric>

#include "base/error.h"
#include "catch.h"
#include "mjcf/read.h"

using namespace mjjit;

namespace {

const char* const pendulum =
    "<mujoco><option timestep='0.25' gravity='1 2 3'/><worldbody><body><joint name='j'/>"
    "<geom type='sphere' size='.1' mass='3' pos='1 0 0'/></body></worldbody>"
    "<actuator><motor joint='j' gear='7'/></actuator></mujoco>";

RunSizes some_sizes() {
  RunSizes sizes;
  sizes.nconmax = 2;
  sizes.njmax = 5;
  return sizes;
}

// reads what a kernel sees of both structs into arrays that the host looks at: first and last
// fields among them
const char* const probe = R"(
#include "model.cuh"
KERNEL(probe, 1) {
  const int w = g.world();
  real* out = at_world(d.efc_D, w, NJMAX);
  out[0] = m.body_mass[1];
  out[1] = m.opt_timestep[0] + m.opt_gravity[2];
  out[2] = m.actuator_gear[0];
  out[3] = d.noise_std + d.noise_rate + d.replay_ctrl[1];
  out[4] = m.stat_meaninertia;
  d.qpos[w] += w + m.opt_iterations[0];
  int* ints = at_world(d.efc_type, w, NJMAX);
  ints[0] = d.nworld;
  ints[1] = d.nreplay;
  ints[2] = d.nstep_counter;
  ints[3] = sizeof(Model);
  ints[4] = sizeof(Data);
  atomic_add(d.step_counter + COUNT_NCON_SUM, w + 1);
  at_world(d.solver_niter, w, NTREE)[0] = d.xanchor != nullptr;
}
)";

Program compile_probe(const Plan& plan, Precision precision) {
  std::vector<EmbeddedFile> files = embedded_kernels();
  files.push_back({"probe.cu", probe});
  JitOptions options;
  options.precision = precision;
  options.use_cache = false;
  return compile_program(plan, options, files);
}

}  // namespace

TEST_CASE("a kernel finds every value where the host put it, in both precisions", "[sim]") {
  const Model model = compile(read_mjcf_text(pendulum));
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    for (const bool with_dump : {false, true}) {
      Plan plan = make_plan(model, some_sizes(), precision, Backend::cpu);
      plan.modules = {{"probe", "probe.cu", 1, 1, 1, {"probe"}}};
      const auto device = open_device("cpu", 2);
      device->load(compile_probe(plan, precision));
      Buffers buffers(*device, model, some_sizes(), precision, 3, with_dump);
      buffers.set_noise(0.5, 2);
      buffers.set_replay({10, 20}, 2);
      buffers.set_counters(4);
      buffers.fill("qpos", {0.125});
      buffers.write("qpos", 2, {1});
      const std::vector<Launch> launches = {{"probe", "probe", "probe", 1, false}};
      device->run(device->prepare(plan, launches, buffers.model_image(), buffers.data_image(), 3),
                  1);

      const std::vector<double> reals = buffers.read("efc_D", 1, 1);
      CHECK(reals[0] == 3);
      CHECK(reals[1] == 0.25 + 3);
      CHECK(reals[2] == 7);
      CHECK(reals[3] == 0.5 + 2 + 20);
      CHECK(reals[4] == Approx(model.stat_meaninertia));
      const int iterations = model.opt_iterations[0];
      CHECK(buffers.read("qpos", 0, 3) ==
            std::vector<double>{iterations + 0.125, iterations + 1.125, iterations + 3.0});
      const std::vector<int> ints = buffers.read_ints("efc_type", 0, 1);
      CHECK(ints[0] == 3);
      CHECK(ints[1] == 2);
      CHECK(ints[2] == 4);
      CHECK(ints[3] == static_cast<int>(buffers.model_image().size()));
      CHECK(ints[4] == static_cast<int>(buffers.data_image().size()));
      CHECK(buffers.read_ints("solver_niter", 0, 1)[0] == (with_dump ? 1 : 0));
      std::vector<int> counters = buffers.counters();
      CHECK(counters.size() == 4 * NCOUNTER);
      CHECK(counters[COUNT_NCON_SUM] == 1 + 2 + 3);
      buffers.clear_counters();
      counters = buffers.counters();
      CHECK(std::accumulate(counters.begin(), counters.end(), 0) == 0);
      buffers.clear();
      CHECK(buffers.read("qpos", 0, 3) == std::vector<double>{0, 0, 0});
    }
  }
}

TEST_CASE("the list of arrays adds up to what is allocated", "[sim]") {
  const Model model = compile(read_mjcf_text(pendulum));
  for (const bool with_dump : {false, true}) {
    const auto device = open_device("cpu", 1);
    const Buffers buffers(*device, model, some_sizes(), Precision::double_, 10, with_dump);
    const MemoryNeed need =
        memory_need(list_arrays(model, some_sizes(), Precision::double_, 10, with_dump), 10);
    CHECK(device->allocated_bytes() == need.total());
    CHECK(need.data_bytes == 10 * need.world_bytes);
  }
}

TEST_CASE("an array's bytes are worlds × rows × columns × size of its type", "[sim]") {
  const Model model = compile(read_mjcf_text(pendulum));
  const auto device = open_device("cpu", 1);
  const Buffers buffers(*device, model, some_sizes(), Precision::single_, 10, false);
  REQUIRE(buffers.find("contact_pos") != nullptr);
  CHECK(buffers.find("contact_pos")->bytes == 10 * 2 * 3 * 4);
  CHECK(buffers.find("efc_type")->is_int);
  CHECK(buffers.find("xanchor") == nullptr);    // for a dump only
  CHECK(buffers.find("body_mass") == nullptr);  // the model's
  CHECK(buffers.read_bytes("qpos").size() == 10 * 4);
}

TEST_CASE("wrong names and shapes are refused", "[sim]") {
  const Model model = compile(read_mjcf_text(pendulum));
  const auto device = open_device("cpu", 1);
  Buffers buffers(*device, model, some_sizes(), Precision::single_, 2, false);
  CHECK_THROWS_AS(buffers.read("nothing", 0, 1), Error);
  CHECK_THROWS_AS(buffers.read("qpos", 1, 2), Error);
  CHECK_THROWS_AS(buffers.read("qpos", -1, 1), Error);
  CHECK_THROWS_AS(buffers.read_ints("qpos", 0, 1), Error);
  CHECK_THROWS_AS(buffers.fill("qpos", {1, 2}), Error);
  CHECK_THROWS_AS(buffers.write("qpos", 2, {1}), Error);
  CHECK_THROWS_AS(buffers.set_replay({1, 2, 3}, 2), Error);
}

TEST_CASE("a run that does not fit is refused with need, room and what would fit", "[sim]") {
  DeviceInfo device;
  device.id = "cuda:0";
  device.memory_free = 32000;  // of which a thirty-second part stays free
  MemoryNeed need;
  need.model_bytes = 1000;
  need.world_bytes = 3000;
  need.data_bytes = 10 * need.world_bytes;
  CHECK_NOTHROW(check_memory(device, need, 10));  // 31000 of 31000
  need.data_bytes = 20 * need.world_bytes;
  CHECK_THROWS_WITH(check_memory(device, need, 20),
                    "--nworld 20 needs 61.00 kB on cuda:0, which has 32.00 kB free (3.00 kB a "
                    "world): at most --nworld 10 fits");
  device.memory_free = 500;
  CHECK_THROWS_WITH(check_memory(device, need, 20), ContainsSubstring("not even one world fits"));
}
