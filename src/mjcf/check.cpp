#include "mjcf/check.h"

#include <algorithm>
#include <numeric>

#include "base/numbers.h"
#include "mjcf/schema.h"

namespace mjjit::mjcf {
namespace {

/// Number of insertions, deletions and replacements that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// "; did you mean 'size'?" where one of the words is near, otherwise nothing.
template <typename Words, typename NameOf>
std::string suggestion(std::string_view given, const Words& words, NameOf name_of) {
  std::string_view best;
  std::size_t best_distance = given.size() > 3 ? 3 : 2;  // the first distance that is too far
  for (const auto& word : words) {
    const std::size_t distance = edit_distance(given, name_of(word));
    if (distance < best_distance) {
      best_distance = distance;
      best = name_of(word);
    }
  }
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::string count_text(const AttributeRule& rule, const char* unit) {
  if (rule.least == rule.most) {
    return fmt::format("{} {}{}", rule.least, unit, rule.least == 1 ? "" : "s");
  }
  return fmt::format("{} to {} {}s", rule.least, rule.most, unit);
}

template <typename T>
void check_numbers(const Element& element, const Attribute& attribute, const AttributeRule& rule) {
  std::string_view text = attribute.value;
  int count = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    T value;
    switch (parse_number(word, value)) {
      case NumberStatus::good:
        break;
      case NumberStatus::malformed:
        fail(element, attribute, "has '{}' where a {} is expected", word,
             rule.type == ValueType::integer ? "whole number" : "finite number");
      case NumberStatus::too_large:
        fail(element, attribute, "has '{}', which is too large", word);
    }
    count++;
  }
  // an empty text counts as not given, as it does in MuJoCo
  if (count > 0 && (count < rule.least || (rule.most >= 0 && count > rule.most))) {
    fail(element, attribute, "has {} value{}, must have {}", count, count == 1 ? "" : "s",
         count_text(rule, "value"));
  }
  if (count == 0 && rule.needs_value) {
    fail(element, attribute, "has no value");
  }
}

void check_keyword(const Element& element, const Attribute& attribute, const AttributeRule& rule,
                   std::string_view word) {
  const auto& words = *rule.words;
  if (std::any_of(words.begin(), words.end(), [&](const Keyword& k) { return k.word == word; })) {
    return;
  }
  std::string list;
  for (const Keyword& k : words) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", k.word);
  }
  fail(element, attribute, "is '{}', must be one of {}{}", word, list,
       suggestion(word, words, [](const Keyword& k) { return k.word; }));
}

/// Several keywords, each once and in the order of the set.
void check_keywords(const Element& element, const Attribute& attribute, const AttributeRule& rule) {
  std::string_view text = attribute.value;
  int last = -1;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    check_keyword(element, attribute, rule, word);
    const auto found = std::find_if(rule.words->begin(), rule.words->end(),
                                    [&](const Keyword& k) { return k.word == word; });
    if (found->value <= last && rule.word_set != "camout") {
      fail(element, attribute, "must have each keyword once, in the order of MuJoCo's list");
    }
    last = found->value;
  }
}

void check_value(const Element& element, const Attribute& attribute, const AttributeRule& rule) {
  switch (rule.type) {
    case ValueType::real:
      check_numbers<double>(element, attribute, rule);
      break;
    case ValueType::single:
      check_numbers<float>(element, attribute, rule);
      break;
    case ValueType::integer:
      check_numbers<int>(element, attribute, rule);
      break;
    case ValueType::boolean:
    case ValueType::keyword:
      check_keyword(element, attribute, rule, attribute.value);
      break;
    case ValueType::keywords:
      check_keywords(element, attribute, rule);
      break;
    case ValueType::text: {
      const int length = static_cast<int>(attribute.value.size());
      if (rule.most >= 0 && (length < rule.least || length > rule.most)) {
        fail(element, attribute, "is '{}', must have {}", attribute.value,
             count_text(rule, "character"));
      }
      break;
    }
    case ValueType::anything:
      break;
  }
}

void check_attributes(const Element& element, const ElementRule& rule, bool in_default) {
  for (const Attribute& attribute : element.attributes) {
    const auto found = rule.attributes.find(attribute.name);
    if (found == rule.attributes.end()) {
      mjjit::fail(Source{element.source.file, attribute.line}, "{}: unknown attribute '{}'{}",
                  element.label(), attribute.name,
                  suggestion(attribute.name, rule.attributes,
                             [](const auto& pair) { return std::string_view(pair.first); }));
    }
    if (in_default && !found->second.in_defaults) {
      fail(element, attribute, "cannot be set in a default class");
    }
    check_value(element, attribute, found->second);
  }
  for (const auto& [name, attribute] : rule.attributes) {
    if (attribute.required && !element.has(name) && !(in_default && !attribute.in_defaults)) {
      fail(element, "required attribute '{}' is missing", name);
    }
  }
}

std::string bundle_text(const PresenceRule& rule, const char* joint) {
  std::string text;
  for (const auto& bundle : rule.bundles) {
    text += fmt::format("{}{}", text.empty() ? "" : joint, fmt::join(bundle, " with "));
  }
  return text;
}

void check_presence(const Element& element, const PresenceRule& rule) {
  std::size_t begun = 0, complete = 0;
  for (const auto& bundle : rule.bundles) {
    const auto is_given = [&](const std::string& name) { return element.has(name); };
    begun += std::any_of(bundle.begin(), bundle.end(), is_given);
    complete += std::all_of(bundle.begin(), bundle.end(), is_given);
  }
  switch (rule.kind) {
    case PresenceRule::Kind::at_most_one:
      if (begun > 1) {
        fail(element, "there can be only one of these attributes: {}", bundle_text(rule, ", or "));
      }
      break;
    case PresenceRule::Kind::at_least_one:
      if (complete == 0) {
        fail(element, "one of these attributes is required: {}", bundle_text(rule, ", or "));
      }
      break;
    case PresenceRule::Kind::together:
      if (begun != 0 && begun != rule.bundles.size()) {
        fail(element, "attributes {} must be given together", bundle_text(rule, " and "));
      }
      break;
  }
}

void check_element(Element& element, const ElementRule& rule, bool in_default) {
  element.rule = &rule;
  if (rule.is_free) {
    return;
  }
  const bool is_default_section = rule.id == "default";
  check_attributes(element, rule, in_default && !is_default_section);
  for (const PresenceRule& presence : rule.presence) {
    check_presence(element, presence);
  }
  for (std::size_t i = 0; i < element.children.size(); i++) {
    Element& child = element.children[i];
    const auto found = rule.children.find(child.tag);
    if (found == rule.children.end()) {
      mjjit::fail(child.source, "<{}>: unknown element in {}{}", child.tag, element.label(),
                  suggestion(child.tag, rule.children,
                             [](const auto& pair) { return std::string_view(pair.first); }));
    }
    const bool is_repeated =
        std::any_of(element.children.begin(), element.children.begin() + i,
                    [&](const Element& other) { return other.tag == child.tag; });
    if (found->second.once && is_repeated) {
      fail(child, "there can be only one in {}", element.label());
    }
    check_element(child, *found->second.rule, in_default || is_default_section);
  }
}

}  // namespace

void check(Element& root) {
  if (root.tag != "mujoco") {
    mjjit::fail(root.source, "<{}>: the root element of a model must be <mujoco>", root.tag);
  }
  check_element(root, element_rule("mujoco"), false);
}

}  // namespace mjjit::mjcf
