// Every kernel file and every header of kernels/ compiles alone, for the CPU in both precisions
// and, where NVRTC is found, for sm_90 (which needs no GPU).
#include <algorithm>

#include "base/error.h"
#include "catch.h"
#include "jit/nvrtc_library.h"
#include "jit/program.h"
#include "mjcf/read.h"

using namespace mjjit;

namespace {

/// A scene with a bit of everything, so that the kernels' branches are there to be compiled.
const char* const scene = R"(
<mujoco>
  <option cone="elliptic" density="1.2" viscosity="1e-5" integrator="implicitfast"/>
  <asset>
    <hfield name="ground" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"/>
    <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <geom type="hfield" hfield="ground"/>
    <body name="free" pos="0 0 1"><freejoint/><geom type="mesh" mesh="tetrahedron"/><geom type="box" size=".1 .1 .1"/></body>
    <body name="ball" pos="0 0 2" gravcomp="1"><joint type="ball" damping="1"/><geom type="ellipsoid" size=".1 .2 .3"/></body>
    <body name="hinge" pos="0 1 2"><joint name="h" frictionloss="1" limited="true" range="-1 1"/>
      <geom type="capsule" size=".1 .2"/>
      <body pos="0 0 1"><joint name="s" type="slide"/><geom type="cylinder" size=".1 .2" condim="6"/></body></body>
    <body name="moved" mocap="true" pos="0 0 3"><geom type="sphere" size=".1"/></body>
  </worldbody>
  <equality>
    <connect body1="free" body2="ball" anchor="0 0 0"/>
    <weld body1="free" body2="moved"/>
    <joint joint1="h" joint2="s"/>
  </equality>
  <actuator>
    <motor joint="h"/>
    <position joint="s" kp="1"/>
  </actuator>
</mujoco>)";

Plan plan_of_scene(Precision precision, Backend backend, const std::string& integrator = "") {
  std::string text = scene;
  if (!integrator.empty()) {
    text.replace(text.find("implicitfast"), 12, integrator);
  }
  RunSizes sizes;
  sizes.nconmax = 8;
  sizes.njmax = 32;
  sizes.nccdmax = 4;
  return make_plan(compile(read_mjcf_text(text)), sizes, precision, backend);
}

/// The plan's modules, those of RK4, and one more for each header, which includes nothing else.
Plan everything_alone(Precision precision, Backend backend, std::vector<EmbeddedFile>& files) {
  Plan plan = plan_of_scene(precision, backend);
  const Plan rk4 = plan_of_scene(precision, backend, "RK4");
  std::copy_if(rk4.modules.begin(), rk4.modules.end(), std::back_inserter(plan.modules),
               [](const Module& module) { return module.name == "rk4"; });
  static std::vector<std::string> texts;  // what `files` looks at
  texts.reserve(1000);
  files = embedded_kernels();
  for (const EmbeddedFile& file : embedded_kernels()) {
    if (!file.name.ends_with(".cuh") || file.name == "structs.cuh" ||
        file.name.starts_with("dialect_")) {
      continue;  // structs.cuh needs `real` before it: both of its includers say so
    }
    texts.push_back(std::string(file.name));
    const std::string_view name = texts.back();
    texts.push_back("#include \"" + std::string(name) + "\"\n");
    const std::string_view text = texts.back();
    texts.push_back("alone_" + std::string(name));
    files.push_back({texts.back(), text});
    plan.modules.push_back({texts.back(), texts.back(), 32, 32, 1, {}});
  }
  return plan;
}

void compile_each(Precision precision, Backend backend) {
  std::vector<EmbeddedFile> files;
  const Plan plan = everything_alone(precision, backend, files);
  JitOptions options;
  options.precision = precision;
  options.backend = backend;
  options.arch = backend == Backend::cuda ? "sm_90" : "x86-64-v3";
  options.use_cache = false;
  for (const Module& module : plan.modules) {
    Plan one = plan;
    one.modules = {module};
    INFO(module.name);
    try {
      const Program program = compile_program(one, options, files);
      CHECK_FALSE(program.modules[0].image.empty());
      if (backend == Backend::cuda) {
        CHECK(program.modules[0].usage.size() == module.kernels.size());
      }
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
}

bool has_nvrtc() {
  try {
    open_nvrtc();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("every kernel file of this build belongs to a module", "[jit]") {
  std::vector<EmbeddedFile> files;
  const Plan plan = everything_alone(Precision::single_, Backend::cpu, files);
  for (const EmbeddedFile& file : embedded_kernels()) {
    if (file.name.ends_with(".cu")) {
      INFO(file.name);
      CHECK(std::any_of(plan.modules.begin(), plan.modules.end(),
                        [&](const Module& m) { return m.file == file.name; }));
    }
  }
}

TEST_CASE("every kernel file and header compiles alone for the cpu in float", "[jit][slow]") {
  compile_each(Precision::single_, Backend::cpu);
}

TEST_CASE("every kernel file and header compiles alone for the cpu in double", "[jit][slow]") {
  compile_each(Precision::double_, Backend::cpu);
}

TEST_CASE("every kernel file and header compiles alone for sm_90", "[jit][slow][cuda]") {
  if (!has_nvrtc()) {
    WARN("NVRTC was not found: nothing was compiled");
    return;
  }
  compile_each(Precision::single_, Backend::cuda);
}
