#include "jit/sources.h"

#include "base/error.h"
#include "catch.h"

using namespace mjjit;

namespace {

const std::vector<EmbeddedFile> files = {
    {"step.cu", "#include \"model.cuh\"\n  #include \"part.cuh\"\nreal x[NV];\n"},
    {"model.cuh",
     "#include \"dialect.h\"\n#include \"sizes.h\"\n#include \"fields.def\"\n#include "
     "\"fields.def\"\n"},
    {"part.cuh", "#include \"model.cuh\"\n#include <math.h>\n// NQ_OLD is not NQ\n"},
    {"fields.def", "FIELD(nu)\n"},
    {"dialect_cpu.cuh", "cpu\n"},
    {"dialect_cuda.cuh", "cuda\n"},
    {"broken.cu", "#include \"missing.cuh\"\n"},
};

const std::string header =
    "#pragma once\nconstexpr int NQ = 3;\nconstexpr int NV = 2;\nconstexpr bool HAS_FREE = true;\n";

}  // namespace

TEST_CASE("a module's sources are its file and each file it includes, once", "[jit]") {
  const auto sources = module_sources("step.cu", Backend::cpu, header, files);
  std::vector<std::string> names;
  for (const SourceFile& source : sources) {
    names.push_back(source.name);
  }
  CHECK(names == std::vector<std::string>{"step.cu", "model.cuh", "part.cuh", "dialect.h",
                                          "fields.def", "sizes.h"});
}

TEST_CASE("the back end decides what dialect.h is", "[jit]") {
  CHECK(module_sources("step.cu", Backend::cpu, header, files)[3].text == "cpu\n");
  CHECK(module_sources("step.cu", Backend::cuda, header, files)[3].text == "cuda\n");
}

TEST_CASE("a module's sizes.h has only the constants that its files name", "[jit]") {
  const auto sources = module_sources("step.cu", Backend::cpu, header, files);
  CHECK(sources.back().text == "#pragma once\nconstexpr int NQ = 3;\nconstexpr int NV = 2;\n");
  const std::vector<SourceFile> other = {{"a.cu", "if constexpr (HAS_FREE) {}"}};
  CHECK(used_constants(header, other) == "#pragma once\nconstexpr bool HAS_FREE = true;\n");
}

TEST_CASE("an include that is not part of the build is named", "[jit]") {
  CHECK_THROWS_WITH(module_sources("broken.cu", Backend::cpu, header, files),
                    "kernel file missing.cuh is not part of this build (included by broken.cu)");
  CHECK_THROWS_AS(module_sources("nothing.cu", Backend::cpu, header, files), Error);
}
