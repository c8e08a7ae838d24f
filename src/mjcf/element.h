#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/source.h"

namespace mjjit::mjcf {

struct ElementRule;

struct Attribute {
  std::string name;
  std::string value;
  int line = 0;
};

/// An XML element with its includes already replaced by what the files hold, each part knowing its
/// own file.
struct Element {
  std::string tag;
  Source source;
  std::string folder;  // of the included file that the element is in; empty: it is in the main file
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  const ElementRule* rule = nullptr;  // set by check()

  /// @return the value of an attribute, null where it is not given
  const std::string* find(std::string_view name) const {
    for (const Attribute& attribute : attributes) {
      if (attribute.name == name) {
        return &attribute.value;
      }
    }
    return nullptr;
  }

  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// "<geom> 'foot'", or "<geom>" without a name, for messages.
  std::string label() const {
    const std::string* name = find("name");
    return name && !name->empty() ? fmt::format("<{}> '{}'", tag, *name) : fmt::format("<{}>", tag);
  }
};

/// Throws bad input found in an element: "FILE:LINE: <geom> 'foot': text".
template <typename... Args>
[[noreturn]] void fail(const Element& at, fmt::format_string<Args...> text, Args&&... args) {
  mjjit::fail(at.source, "{}: {}", at.label(), fmt::format(text, std::forward<Args>(args)...));
}

/// The same at the line of one of its attributes: "FILE:LINE: <geom> 'foot': attribute 'size'
/// text".
template <typename... Args>
[[noreturn]] void fail(const Element& at, const Attribute& attribute,
                       fmt::format_string<Args...> text, Args&&... args) {
  mjjit::fail(Source{at.source.file, attribute.line}, "{}: attribute '{}' {}", at.label(),
              attribute.name, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace mjjit::mjcf
