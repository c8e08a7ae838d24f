#include "mjcf/schema.h"

#include <cassert>

#include "base/numbers.h"
#include "mjcf/keywords.h"
#include "mjcf/schema_table.h"

namespace mjjit::mjcf {
namespace {

using Rules = std::map<std::string, ElementRule, std::less<>>;

/// Takes a mark off the end of a text; whether it was there.
bool take_mark(std::string_view& text, char mark) {
  const bool is_there = !text.empty() && text.back() == mark;
  if (is_there) {
    text.remove_suffix(1);
  }
  return is_there;
}

/// "3", "1-3", "*" or nothing
void read_count(std::string_view text, AttributeRule& rule) {
  if (text == "*") {
    rule.least = 0;
    rule.most = -1;
  } else if (!text.empty()) {
    const auto dash = text.find('-');
    parse_number(text.substr(0, dash), rule.least);
    rule.most = rule.least;
    if (dash != std::string_view::npos) {
      parse_number(text.substr(dash + 1), rule.most);
    }
  }
}

AttributeRule read_attribute(std::string_view word) {
  AttributeRule rule;
  rule.in_defaults = !take_mark(word, '~');
  rule.required = take_mark(word, '!');
  rule.needs_value = take_mark(word, '^') || rule.required;
  const auto colon = word.find(':');
  rule.name = word.substr(0, colon);
  rule.in_defaults = rule.in_defaults && rule.name != "name" && rule.name != "class";
  const std::string_view type = word.substr(colon + 1);
  switch (type[0]) {
    case 'd':
      rule.type = ValueType::real;
      read_count(type.substr(1), rule);
      break;
    case 'f':
      rule.type = ValueType::single;
      read_count(type.substr(1), rule);
      break;
    case 'i':
      rule.type = ValueType::integer;
      read_count(type.substr(1), rule);
      break;
    case 'b':
      rule.type = ValueType::boolean;
      rule.word_set = "bool";
      break;
    case 'k':
    case 'm':
      rule.type = type[0] == 'k' ? ValueType::keyword : ValueType::keywords;
      rule.word_set = type.substr(2);
      break;
    case 'c':
      read_count(type.substr(1), rule);
      break;
    default:
      assert(type == "s");
      rule.least = 0;
      rule.most = -1;
  }
  if (!rule.word_set.empty()) {
    rule.words = &keyword_set(rule.word_set);
  }
  return rule;
}

const TableRow& table_row(std::string_view id) {
  for (const TableRow& row : kTable) {
    if (row.id == id) {
      return row;
    }
  }
  assert(false);
  return kTable[0];
}

void read_attributes(std::string_view text, ElementRule& rule) {
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (word == "*") {
      rule.is_free = true;
    } else if (word[0] == '@') {
      read_attributes(table_row(word).attributes, rule);
    } else {
      AttributeRule attribute = read_attribute(word);
      rule.attributes[attribute.name] = std::move(attribute);
    }
  }
}

/// "one a b+c; all d e"
void read_presence(std::string_view text, ElementRule& rule) {
  while (!text.empty()) {
    const auto semicolon = text.find(';');
    std::string_view part = text.substr(0, semicolon);
    text = semicolon == std::string_view::npos ? "" : text.substr(semicolon + 1);

    using Kind = PresenceRule::Kind;
    const std::string_view kind = next_word(part);
    PresenceRule presence{kind == "one"    ? Kind::at_most_one
                          : kind == "some" ? Kind::at_least_one
                                           : Kind::together,
                          {}};
    for (std::string_view word = next_word(part); !word.empty(); word = next_word(part)) {
      std::vector<std::string> bundle;
      for (auto plus = word.find('+'); plus != std::string_view::npos; plus = word.find('+')) {
        bundle.emplace_back(word.substr(0, plus));
        word.remove_prefix(plus + 1);
      }
      bundle.emplace_back(word);
      presence.bundles.push_back(std::move(bundle));
    }
    rule.presence.push_back(std::move(presence));
  }
}

std::string tag_of(std::string_view id) {
  const auto dot = id.find('.');
  return std::string(dot == std::string_view::npos ? id : id.substr(dot + 1));
}

Rules read_table() {
  Rules rules;
  for (const TableRow& row : kTable) {
    if (row.id[0] != '@') {
      ElementRule& rule = rules[std::string(row.id)];
      rule.id = row.id;
      rule.tag = tag_of(row.id);
      read_attributes(row.attributes, rule);
      read_presence(row.presence, rule);
    }
  }

  // children point to rows, so all rows have to be there
  for (const TableRow& row : kTable) {
    std::string_view text = row.children;
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
      ChildRule child;
      child.once = take_mark(word, '?');
      assert(rules.find(word) != rules.end());
      child.rule = &rules.find(word)->second;
      rules.find(row.id)->second.children[child.rule->tag] = child;
    }
  }
  return rules;
}

}  // namespace

const ElementRule& element_rule(std::string_view id) {
  static const Rules rules = read_table();
  const auto found = rules.find(id);
  assert(found != rules.end());
  return found->second;
}

}  // namespace mjjit::mjcf
