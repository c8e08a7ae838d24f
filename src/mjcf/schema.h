#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mjjit::mjcf {

/// What the value of an attribute may be.
enum class ValueType { text, real, single, integer, boolean, keyword, keywords, anything };

struct Keyword {
  std::string_view word;
  int value;
};

struct AttributeRule {
  std::string name;
  ValueType type = ValueType::text;
  int least = 1, most = 1;  // how many numbers or characters; most < 0: any number
  bool required = false;
  bool needs_value = false;  // an empty text is no number
  bool in_defaults = true;   // may stand in a default class
  const std::vector<Keyword>* words = nullptr;
  std::string word_set;  // the name of `words`
};

struct ChildRule {
  const struct ElementRule* rule = nullptr;
  bool once = false;
};

/// Attributes that exclude or need one another; a bundle is a list of attribute names.
struct PresenceRule {
  enum class Kind { at_most_one, at_least_one, together } kind;
  std::vector<std::vector<std::string>> bundles;
};

/// One row of the table of elements.
struct ElementRule {
  std::string id;        // unique: "equality.joint"
  std::string tag;       // "joint"
  bool is_free = false;  // a feature that is not there: attributes and children are not looked at
  std::map<std::string, AttributeRule, std::less<>> attributes;
  std::map<std::string, ChildRule, std::less<>> children;
  std::vector<PresenceRule> presence;
};

/// The row of an element by its id; the table covers MuJoCo 4.0.
/// Source: the public MJCF schema of MuJoCo 3.12, and what MuJoCo 4.0.0 accepts
const ElementRule& element_rule(std::string_view id);

}  // namespace mjjit::mjcf
