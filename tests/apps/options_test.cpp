#include "options.h"

#include "base/error.h"
#include "catch.h"

using namespace mjjit;

namespace {

Options options_of(std::vector<const char*> words) {
  words.insert(words.begin(), "testspeed");
  std::string text;
  const std::optional<Options> options =
      read_options(static_cast<int>(words.size()), words.data(), &text);
  REQUIRE(options);
  return *options;
}

std::string error_of(const std::vector<const char*>& words) {
  try {
    options_of(words);
  } catch (const Error& error) {
    CHECK(error.code() == Exit::input);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("flags take their value behind a blank or an equals sign", "[apps]") {
  const Options a = options_of({"scene.xml", "--nworld", "64", "--nconmax=24", "-o",
                                "opt.solver=cg", "--override=opt.cone=elliptic"});
  CHECK(a.scene == "scene.xml");
  CHECK(a.nworld == 64);
  CHECK(*a.sizes.nconmax == 24);
  CHECK_FALSE(a.sizes.njmax);
  CHECK(a.overrides == std::vector<std::string>{"opt.solver=cg", "opt.cone=elliptic"});
  const Options b = options_of({"--event_trace", "-o", "opt.solver=cg", "scene.xml", "--keyframe",
                                "-1", "--precision", "double"});
  CHECK(b.scene == "scene.xml");
  CHECK(b.event_trace);
  CHECK(b.keyframe == -1);
  CHECK(b.precision == Precision::double_);
}

TEST_CASE("what is not given has its default", "[apps]") {
  const Options options = options_of({"scene.xml"});
  CHECK(options.nworld == 8192);
  CHECK_FALSE(options.nstep);
  CHECK_FALSE(options.keyframe);
  CHECK(options.noise_std == 0.01);
  CHECK(options.noise_rate == 0.1);
  CHECK(options.function == "step");
  CHECK(options.stop_on_overflow);
  CHECK(options.precision == Precision::single_);
  CHECK(options.format == Format::human);
}

TEST_CASE("zero is a size, a negative number is not", "[apps]") {
  CHECK(*options_of({"s.xml", "--nconmax", "0", "--njmax", "0"}).sizes.nconmax == 0);
  CHECK_THAT(error_of({"s.xml", "--nconmax", "-3"}),
             ContainsSubstring("--nconmax: -3 is out of range"));
}

TEST_CASE("a malformed value or an unknown flag names the flag", "[apps]") {
  CHECK_THAT(error_of({"s.xml", "--nworld", "8k"}),
             ContainsSubstring("--nworld: '8k' is not a whole number"));
  CHECK_THAT(error_of({"s.xml", "--nworld", "0"}),
             ContainsSubstring("--nworld: 0 is out of range"));
  CHECK_THAT(error_of({"s.xml", "--nworld", "99999999999"}), ContainsSubstring("--nworld"));
  CHECK_THAT(error_of({"s.xml", "--noise_std", "nan"}), ContainsSubstring("--noise_std"));
  CHECK_THAT(error_of({"s.xml", "--format", "xml"}),
             ContainsSubstring("'xml' is none of human, short, json"));
  CHECK_THAT(error_of({"s.xml", "--nwrld", "1"}), ContainsSubstring("--nwrld"));
  CHECK_THAT(error_of({"s.xml", "--nworld"}), ContainsSubstring("--nworld"));
  CHECK_THAT(error_of({"s.xml", "t.xml"}), ContainsSubstring("t.xml"));
  CHECK_THAT(error_of({"--nworld", "1"}), ContainsSubstring("SCENE"));
  CHECK_THAT(error_of({"s.xml", "--arch", "sm_90"}), ContainsSubstring("--compile_only"));
}

TEST_CASE("help and version are text for stdout", "[apps]") {
  std::string text;
  const char* help[] = {"testspeed", "--help"};
  CHECK_FALSE(read_options(2, help, &text));
  for (const char* word :
       {"--nworld", "--overflow_behavior", "--load_module_max_workers", "Exit codes"}) {
    CHECK_THAT(text, ContainsSubstring(word));
  }
  const char* version[] = {"testspeed", "--version"};
  CHECK_FALSE(read_options(2, version, &text));
  CHECK_THAT(text, ContainsSubstring("testspeed 0."));
}
