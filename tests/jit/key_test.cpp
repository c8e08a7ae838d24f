#include "jit/key.h"

#include <set>

#include "catch.h"

using namespace mjjit;

TEST_CASE("a key changes with everything that decides the code, and with nothing else", "[jit]") {
  const KeyInputs base{"c++ 12.2",
                       {"-O3", "-DMJJIT_REAL=float"},
                       {{"a.cu", "text"}, {"sizes.h", "constexpr int NV = 1;"}}};
  std::set<std::string> keys = {cache_key(base)};
  const auto is_new = [&](auto change) {
    KeyInputs inputs = base;
    change(inputs);
    return keys.insert(cache_key(inputs)).second;
  };
  CHECK(cache_key(base) == cache_key(KeyInputs(base)));
  CHECK(cache_key(base).size() == 32);
  CHECK(is_new([](KeyInputs& k) { k.compiler = "c++ 12.3"; }));
  CHECK(is_new([](KeyInputs& k) { k.options[1] = "-DMJJIT_REAL=double"; }));
  CHECK(is_new([](KeyInputs& k) { k.options = {"-O3 -DMJJIT_REAL=float"}; }));
  CHECK(is_new([](KeyInputs& k) { k.options.push_back(""); }));
  CHECK(is_new([](KeyInputs& k) { k.sources[0].name = "b.cu"; }));
  CHECK(is_new([](KeyInputs& k) { k.sources[0].text += " "; }));
  CHECK(is_new([](KeyInputs& k) { k.sources[1].text = "constexpr int NV = 2;"; }));
  CHECK(is_new([](KeyInputs& k) { k.sources.pop_back(); }));
  CHECK(is_new([](KeyInputs& k) { std::swap(k.sources[0], k.sources[1]); }));
}
