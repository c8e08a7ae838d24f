#include "model/draft.h"

namespace mjjit {

void NameTable::add(const std::string& name, const Source& source) {
  const int id = count_++;
  if (name.empty()) {
    return;
  }
  const auto [entry, is_new] = entries_.try_emplace(name, Entry{id, source});
  if (!is_new) {
    const Source& first = entry->second.source;
    fail(source, "{} '{}': the name is already used at {}:{}", kind_, name, first.file, first.line);
  }
}

int NameTable::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? -1 : entry->second.id;
}

std::string label(std::string_view kind, const std::string& name) {
  return name.empty() ? std::string(kind) : fmt::format("{} '{}'", kind, name);
}

const SpecCompiler& compiler_of(const Draft& d, int body) {
  const auto& own = d.bodies[body]->compiler;
  return own ? *own : d.spec.compiler;
}

void refuse(Draft& d, const Source& at, const std::string& what, const std::string& consequence) {
  if (!d.ignore_unsupported) {
    fail(at, "{} is not supported", what);
  }
  d.m.warnings.push_back(
      fmt::format("{}:{}: {} is not supported: {}", at.file, at.line, what, consequence));
}

}  // namespace mjjit
