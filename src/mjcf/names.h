#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"

namespace mjjit::mjcf {

/// Kinds of elements that have names of their own.
enum class Kind {
  none,
  body,
  joint,
  geom,
  site,
  camera,
  light,
  frame,
  mesh,
  hfield,
  texture,
  material,
  skin,
  flex,
  tendon,
  actuator,
  sensor,
  pair,
  exclude,
  equality,
  numeric,
  text,
  tuple,
  key,
  plugin,
  count
};

/// "body", "joint", ...: the word for messages.
const char* kind_name(Kind kind);

/// The kind that a word of the file means ("xbody" is a body); Kind::none for other words.
Kind kind_of(std::string_view word);

/// Names in use, by kind, with the places of the elements that have them. While parts of the tree
/// are copied, patterns and copies can share a name for a while; so repeated names are looked for
/// at the end.
class Names {
 public:
  /// Counts an element and takes its name; an empty one is free for all.
  /// @throws Error{Exit::input} at an element beyond the most there may be of one kind
  void add(Kind kind, const std::string& name, const Source& source);

  /// Forgets an element that was added.
  void remove(Kind kind, const std::string& name);
  bool has(Kind kind, const std::string& name) const { return of(kind).count(name) > 0; }

  /// @throws Error{Exit::input} at the last of the elements that share a name, naming name, kind
  /// and the other place
  void check_unique() const;

 private:
  using Table = std::unordered_map<std::string, std::vector<Source>>;
  Table& of(Kind kind) { return tables_[static_cast<std::size_t>(kind)]; }
  const Table& of(Kind kind) const { return tables_[static_cast<std::size_t>(kind)]; }

  std::array<Table, static_cast<std::size_t>(Kind::count)> tables_;
  std::array<int, static_cast<std::size_t>(Kind::count)> counts_ = {};
};

/// What copying puts around names.
struct Affix {
  std::string prefix, suffix;

  /// Names that are empty stay so.
  std::string around(const std::string& name) const {
    return name.empty() ? name : prefix + name + suffix;
  }
};

}  // namespace mjjit::mjcf
