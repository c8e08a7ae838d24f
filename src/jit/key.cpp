#include "jit/key.h"

#include "base/hash.h"

namespace mjjit {

std::string cache_key(const KeyInputs& inputs) {
  Hasher hash;
  hash.add("mjjit module 1");  // the number goes up when the meaning of an entry changes
  hash.add(inputs.compiler);
  for (const std::string& option : inputs.options) {
    hash.add("option");
    hash.add(option);
  }
  for (const SourceFile& source : inputs.sources) {
    hash.add("source");
    hash.add(source.name);
    hash.add(source.text);
  }
  return hash.hex();
}

}  // namespace mjjit
