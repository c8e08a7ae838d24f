#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "catch.h"
#include "jit/program.h"
#include "temporary_folder.h"

using namespace mjjit;
namespace fs = std::filesystem;

namespace {

// a dialect of a few lines: enough to make a module
const std::vector<EmbeddedFile> files = {
    {"dialect_cpu.cuh",
     "#pragma once\nusing real = MJJIT_REAL;\n#define KERNEL(name) extern \"C\" void name(real* "
     "x)\n"},
    {"one.cu", "#include \"dialect.h\"\n#include \"sizes.h\"\nKERNEL(one) { x[0] = NV; }\n"},
    {"two.cu", "#include \"dialect.h\"\n#include \"sizes.h\"\nKERNEL(two) { x[0] = NQ; }\n"},
    {"bad.cu", "#include \"dialect.h\"\nKERNEL(bad) {\n  y = 1;\n}\n"},
};

Plan two_modules() {
  Plan plan;
  plan.sizes_h = "#pragma once\nconstexpr int NV = 2;\nconstexpr int NQ = 3;\n";
  plan.modules = {{"one", "one.cu", 1, 1, 1, {"one"}}, {"two", "two.cu", 1, 1, 2, {"two"}}};
  return plan;
}

JitOptions options_in(const fs::path& folder) {
  JitOptions options;
  options.cache_dir = folder;
  return options;
}

int cached_modules(const Program& program) {
  return static_cast<int>(std::count_if(program.modules.begin(), program.modules.end(),
                                        [](const auto& m) { return m.cached; }));
}

/// Sets an environment variable for a scope.
struct Environment {
  const char* name;
  std::string old;
  bool was_set;
  Environment(const char* variable, const std::string& value)
      : name(variable), was_set(getenv(variable) != nullptr) {
    old = was_set ? getenv(variable) : "";
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (was_set) {
      setenv(name, old.c_str(), 1);
    } else {
      unsetenv(name);
    }
  }
};

}  // namespace

TEST_CASE("a program is compiled once and then comes from the cache, the same bytes", "[jit]") {
  const TemporaryFolder folder;
  const Program cold = compile_program(two_modules(), options_in(folder.path), files);
  const Program warm = compile_program(two_modules(), options_in(folder.path), files);
  REQUIRE(cold.modules.size() == 2);
  CHECK(cached_modules(cold) == 0);
  CHECK(cached_modules(warm) == 2);
  for (int i = 0; i < 2; ++i) {
    CHECK(cold.modules[i].name == warm.modules[i].name);
    CHECK(cold.modules[i].hash == warm.modules[i].hash);
    CHECK(cold.modules[i].hash.size() == 7);
    CHECK(cold.modules[i].image == warm.modules[i].image);
  }
  CHECK(cold.compile_ms > 0);
  CHECK_FALSE(cold.compiler.empty());
}

TEST_CASE("each module is reported once, with several workers too", "[jit]") {
  const TemporaryFolder folder;
  JitOptions options = options_in(folder.path);
  options.workers = 4;
  std::vector<std::string> seen;
  options.on_module = [&](const CompiledModule& module) { seen.push_back(module.name); };
  const Program program = compile_program(two_modules(), options, files);
  std::sort(seen.begin(), seen.end());
  CHECK(seen == std::vector<std::string>{"one", "two"});
  CHECK(program.modules[0].name == "one");  // the plan's order, whoever was first
}

TEST_CASE("a size recompiles only the modules that name it", "[jit]") {
  const TemporaryFolder folder;
  compile_program(two_modules(), options_in(folder.path), files);
  Plan changed = two_modules();
  changed.sizes_h = "#pragma once\nconstexpr int NV = 2;\nconstexpr int NQ = 4;\n";
  const Program program = compile_program(changed, options_in(folder.path), files);
  CHECK(program.modules[0].cached);
  CHECK_FALSE(program.modules[1].cached);
}

TEST_CASE("precision and architecture have entries of their own", "[jit]") {
  const TemporaryFolder folder;
  JitOptions options = options_in(folder.path);
  compile_program(two_modules(), options, files);
  options.precision = Precision::double_;
  CHECK(cached_modules(compile_program(two_modules(), options, files)) == 0);
  options.arch = "x86-64";
  CHECK(cached_modules(compile_program(two_modules(), options, files)) == 0);
  CHECK(cached_modules(compile_program(two_modules(), options, files)) == 2);
}

TEST_CASE("without the cache nothing is read and nothing is written", "[jit]") {
  const TemporaryFolder folder;
  JitOptions options = options_in(folder.path / "cache");
  options.use_cache = false;
  compile_program(two_modules(), options, files);
  CHECK(cached_modules(compile_program(two_modules(), options, files)) == 0);
  CHECK_FALSE(fs::exists(options.cache_dir));
}

TEST_CASE("a kernel that does not compile is an error with the source line and a log", "[jit]") {
  const TemporaryFolder folder;
  const Environment temporary("TMPDIR", folder.path.string());
  Plan plan = two_modules();
  plan.modules.push_back({"bad", "bad.cu", 1, 1, 9, {"bad"}});
  try {
    compile_program(plan, options_in(folder.path / "cache"), files);
    FAIL("it compiled");
  } catch (const Error& error) {
    CHECK(error.code() == Exit::device);
    CHECK_THAT(error.what(), ContainsSubstring("module bad"));
    CHECK_THAT(error.what(), ContainsSubstring("bad.cu:3:3: error:"));
    CHECK_THAT(error.what(), ContainsSubstring("y = 1;"));
    CHECK_THAT(error.what(), ContainsSubstring(folder.path.string() + "/mjjit-bad-"));
  }
  // the log is all that stays
  for (const std::string& name : TemporaryFolder::names(folder.path)) {
    CHECK((name == "cache" || name.ends_with(".log")));
  }
}

TEST_CASE("a host compiler that is not there is an error that says what to do", "[jit]") {
  const TemporaryFolder folder;
  const Environment compiler("CXX", "no-such-compiler");
  try {
    compile_program(two_modules(), options_in(folder.path), files);
    FAIL("it compiled");
  } catch (const Error& error) {
    CHECK(error.code() == Exit::device);
    CHECK_THAT(error.what(), ContainsSubstring("no-such-compiler"));
    CHECK_THAT(error.what(), ContainsSubstring("CXX"));
  }
}

TEST_CASE("compiling goes on where no cache folder can be found or made", "[jit]") {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder.path / "file", "");
  JitOptions options = options_in(folder.path / "file" / "cache");
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  CHECK(compile_program(two_modules(), options, files).modules.size() == 2);
  CHECK(warnings.size() == 1);
}

TEST_CASE("an architecture that is not CUDA's is refused", "[jit]") {
  JitOptions options;
  options.backend = Backend::cuda;
  options.use_cache = false;
  for (const char* arch : {"", "native", "sm_", "sm_9x", "sm_90ab", "90"}) {
    options.arch = arch;
    CHECK_THROWS_AS(compile_program(two_modules(), options, files), Error);
  }
}
