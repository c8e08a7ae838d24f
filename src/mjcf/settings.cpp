#include <cctype>
#include <type_traits>

#include "mjcf/limits.h"
#include "mjcf/option_fields.h"
#include "mjcf/schema.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

// compiler, option, size, statistic and visual

namespace mjjit::mjcf {
namespace {

void read_flags(const Element& flag, ModelFile& file) {
  SpecOption& option = file.spec.option;
  int value = 0;
  for (int bit = 0; const char* name : kDisableFlags) {
    if (read_keyword(flag, name, value)) {
      option.disableflags =
          value ? option.disableflags & ~(1 << bit) : option.disableflags | 1 << bit;
      file.given_disable |= 1 << bit;
    }
    bit++;
  }
  for (int bit = 0; const char* name : kEnableFlags) {
    if (read_keyword(flag, name, value)) {
      option.enableflags = value ? option.enableflags | 1 << bit : option.enableflags & ~(1 << bit);
      file.given_enable |= 1 << bit;
    }
    bit++;
  }
}

void read_disabled_groups(const Element& section, ModelFile& file) {
  constexpr int kMaxGroup = 30;
  for (const int group : read_list<int>(section, "actuatorgroupdisable")) {
    if (group < 0 || group > kMaxGroup) {
      fail(section, "attribute 'actuatorgroupdisable' has {}, groups go from 0 to {}", group,
           kMaxGroup);
    }
    file.spec.option.disableactuator |= 1 << group;
    file.given_actuators |= 1 << group;
  }
}

/// A number of bytes: digits and at most one of K, M, G, T, P, E; "-1" stands for the default.
bool is_memory_size(std::string_view text) {
  std::string_view word = next_word(text);
  if (!next_word(text).empty() || word.empty()) {
    return false;
  }
  if (word == "-1") {
    return true;
  }
  if (std::string_view("KMGTPE").find(static_cast<char>(std::toupper(word.back()))) !=
      std::string_view::npos) {
    word.remove_suffix(1);
  }
  return !word.empty() && word.size() < 19 &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Sizes that are not given are -1. Those of what MuJoCo allocates are unused here but for nkey;
/// user data must still be of a size that there can be.
void read_count(const Element& section, const Attribute& attribute, ModelFile& file) {
  int value = 0;
  if (attribute.name == "memory" || !read(section, attribute.name, value)) {
    return;
  }
  const bool is_user_data = attribute.name == "nuserdata";
  const int least = is_user_data ? 0 : -1;
  if (value < least) {
    fail(section, attribute, "is {}, must be {} or more", value, least);
  }
  if (attribute.name.starts_with("nuser_") && value >= 0) {
    file.user_sizes[attribute.name] = value;
  }
  const std::int64_t most = attribute.name == "nkey" ? kMostElements : kMostNumbers;
  const bool is_used = attribute.name.starts_with("nuser") || attribute.name == "nkey";
  if (is_used && value > most) {
    fail(section, attribute, "is {}, must be at most {}", value, most);
  }
}

void check_positive(const Element& element, const char* name) {
  // extent is of double precision, but nothing is so small
  if (double value; read(element, name, value) && static_cast<float>(value) <= 0) {
    fail(element, "attribute '{}' is {}, must be positive", name, value);
  }
}

}  // namespace

void read_compiler(const Element& section, ModelFile& file) {
  SpecCompiler& compiler = file.spec.compiler;
  compiler.source = section.source;
  if (int global = 0; read_keyword(section, "coordinate", global) && global) {
    fail(section,
         "attribute 'coordinate': global coordinates were removed from MJCF; only local ones are "
         "there");
  }
  read(section, "autolimits", compiler.autolimits);
  read(section, "boundmass", compiler.boundmass);
  read(section, "boundinertia", compiler.boundinertia);
  read(section, "settotalmass", compiler.settotalmass);
  read(section, "balanceinertia", compiler.balanceinertia);
  read(section, "fitaabb", compiler.fitaabb);
  read(section, "fusestatic", compiler.fusestatic);
  read(section, "discardvisual", compiler.discardvisual);
  read(section, "alignfree", compiler.alignfree);
  read_keyword(section, "inertiafromgeom", compiler.inertiafromgeom);
  read(section, "inertiagrouprange", compiler.inertiagrouprange);

  // what is spent while reading
  if (int degree; read_keyword(section, "angle", degree)) {
    file.angles.is_degree = degree == 1;
  }
  if (read(section, "eulerseq", file.angles.eulerseq) &&
      file.angles.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos) {
    fail(section, "attribute 'eulerseq' is '{}', must have three of the letters x, y, z, X, Y, Z",
         file.angles.eulerseq);
  }
  read(section, "assetdir", file.folders.asset);
  read(section, "meshdir", file.folders.mesh);
  read(section, "texturedir", file.folders.texture);
  read(section, "strippath", file.folders.strippath);
  if (int mode; read_keyword(section, "conflict", mode)) {
    file.conflict = static_cast<Conflict>(mode);
  }
}

void read_option(const Element& section, ModelFile& file) {
  SpecOption& option = file.spec.option;
  option.source = section.source;
  for_each_option([&](const char* name, auto member, Merge) {
    if (!section.has(name)) {
      return;
    }
    file.given_options.insert(name);
    if (section.rule->attributes.find(name)->second.type == ValueType::keyword) {
      if constexpr (std::is_same_v<decltype(member), int SpecOption::*>) {
        read_keyword(section, name, option.*member);
      }
    } else {
      read(section, name, option.*member);
    }
  });
  read_disabled_groups(section, file);
  for (const Element& flag : section.children) {
    read_flags(flag, file);
  }
}

void read_size(const Element& section, ModelFile& file) {
  if (const std::string* memory = section.find("memory"); memory && !is_memory_size(*memory)) {
    fail(section,
         "attribute 'memory' is '{}', must be a number of bytes with K, M, G, T, P, E or nothing "
         "behind it",
         *memory);
  }
  for (const Attribute& attribute : section.attributes) {
    read_count(section, attribute, file);
  }
  if (read(section, "nkey", file.nkey)) {
    file.nkey_source = section.source;
  }
}

void read_visual(const Element& section) {
  for (const Element& child : section.children) {
    check_positive(child, child.tag == "global" ? "realtime" : "znear");
  }
}

void read_statistic(const Element& section, ModelFile& file) {
  read(section, "meaninertia", file.spec.stat_meaninertia);
  check_positive(section, "extent");
}

void read_extension(const Element& section, ModelFile& file) {
  for (const Element& plugin : section.children) {
    for (const Element& instance : plugin.children) {
      file.names.add(Kind::plugin, *instance.find("name"), instance.source);
    }
  }
}

}  // namespace mjjit::mjcf
