#include "mjcf/names.h"

#include "base/error.h"
#include "mjcf/limits.h"

namespace mjjit::mjcf {

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Kind::count)> kKindNames = {
    "element", "body",     "joint",    "geom", "site",  "camera", "light",    "frame",  "mesh",
    "hfield",  "texture",  "material", "skin", "flex",  "tendon", "actuator", "sensor", "pair",
    "exclude", "equality", "numeric",  "text", "tuple", "key",    "plugin"};

}  // namespace

const char* kind_name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Kind kind_of(std::string_view word) {
  if (word == "xbody") {
    return Kind::body;
  }
  for (std::size_t i = 1; i < kKindNames.size(); i++) {
    if (word == kKindNames[i]) {
      return static_cast<Kind>(i);
    }
  }
  return Kind::none;
}

void Names::add(Kind kind, const std::string& name, const Source& source) {
  int& count = counts_[static_cast<std::size_t>(kind)];
  if (++count > kMostElements) {
    fail(source,
         "{}: there are more than {} elements of this kind; what is replicated and attached counts "
         "too",
         name.empty() ? kind_name(kind) : fmt::format("{} '{}'", kind_name(kind), name),
         kMostElements);
  }
  if (!name.empty()) {
    of(kind)[name].push_back(source);
  }
}

void Names::remove(Kind kind, const std::string& name) {
  counts_[static_cast<std::size_t>(kind)]--;
  const auto entry = of(kind).find(name);
  if (entry != of(kind).end()) {
    entry->second.pop_back();
    if (entry->second.empty()) {
      of(kind).erase(entry);
    }
  }
}

void Names::check_unique() const {
  for (std::size_t kind = 0; kind < tables_.size(); kind++) {
    // the first in the alphabet, so that the message does not depend on the table's order
    const std::string* repeated = nullptr;
    for (const auto& [name, sources] : tables_[kind]) {
      if (sources.size() > 1 && (!repeated || name < *repeated)) {
        repeated = &name;
      }
    }
    if (repeated) {
      const std::vector<Source>& sources = tables_[kind].at(*repeated);
      const Source& other = sources.front();
      const std::string place =
          other.line > 0 ? fmt::format(", at {}:{}", other.file, other.line) : "";
      fail(sources.back(), "{} '{}': repeated name: another {} has it{}", kKindNames[kind],
           *repeated, kKindNames[kind], place);
    }
  }
}

}  // namespace mjjit::mjcf
