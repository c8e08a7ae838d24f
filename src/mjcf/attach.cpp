#include "mjcf/attach.h"

#include "mjcf/lists.h"
#include "mjcf/option_fields.h"
#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// The part of a model that is attached: a body, a frame of a body, or all that the world holds.
struct Part {
  BodyEntry* body = nullptr;
  int frame = -1;
  bool is_body = false;
};

Part find_part(const Element& element, ModelFile& from, const std::string& where) {
  Part part;
  if (const std::string* name = element.find("body")) {
    part.is_body = true;
    part.body = find_body(from.world, *name);
    if (!part.body) {
      fail(element, "{} has no body '{}' to attach", where, *name);
    }
  } else if (const std::string* frame = element.find("frame")) {
    part.body = find_frame(from.world, *frame, part.frame);
    if (!part.body) {
      fail(element, "{} has no frame '{}' to attach", where, *frame);
    }
  } else {
    part.body = &from.world;
  }
  return part;
}

/// Classes of the attached model can be used under their new names.
void copy_defaults(const Transfer& t) {
  for (const auto& [name, values] : t.from.defaults.all()) {
    const std::string copy_name = t.affix.around(name);
    if (!t.to.defaults.has(copy_name)) {
      DefaultClass copy = values;
      copy.parent = values.parent.empty() ? "main" : t.affix.around(values.parent);
      t.to.defaults.add(copy_name, std::move(copy));
    }
  }
}

/// The settings about inertia, for the bodies, where they are not those of the scene.
std::shared_ptr<const SpecCompiler> body_compiler(const ModelFile& from, const ModelFile& to) {
  const SpecCompiler& a = from.spec.compiler;
  const SpecCompiler& b = to.spec.compiler;
  const bool is_same = a.inertiafromgeom == b.inertiafromgeom &&
                       a.inertiagrouprange == b.inertiagrouprange && a.boundmass == b.boundmass &&
                       a.boundinertia == b.boundinertia && a.balanceinertia == b.balanceinertia &&
                       a.alignfree == b.alignfree;
  return is_same ? nullptr : std::make_shared<const SpecCompiler>(a);
}

void copy_part(const Transfer& t, const Part& part, BodyEntry& body, int frame) {
  if (part.is_body) {
    copy_body(t, *part.body, body, frame);
  } else {
    const Place place =
        part.frame < 0 ? Place() : part.body->frames[static_cast<std::size_t>(part.frame)].place;
    copy_frame(t, *part.body, part.frame, place, body, frame);
  }
  copy_lists(t);
}

/// A second <attach> of a model would say the same again.
void add_warning(ModelFile& file, const std::string& warning) {
  auto& warnings = file.spec.warnings;
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
    warnings.push_back(warning);
  }
}

void attach_model(const Element& element, ModelFile& from, ModelFile& to, const Affix& affix,
                  BodyEntry& body, int frame) {
  const Part part = find_part(element, from, fmt::format("model '{}'", from.spec.modelname));
  join_options(element, from, to);
  share_keyframes(from, to, affix);
  const Transfer t{from, to, affix, body_compiler(from, to)};
  copy_defaults(t);
  copy_part(t, part, body, frame);
  forget_keyframes(from);

  // the same again from a second <attach> says nothing new
  for (const SpecUnsupported& feature : from.spec.unsupported) {
    to.unsupported(feature.source, feature.what);
  }
  for (const std::string& warning : from.spec.warnings) {
    add_warning(to, warning);
  }
}

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }

template <std::size_t n>
std::string text_of(const std::array<double, n>& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

/// Joins flag bits; a bit counts where its file sets it.
void join_bits(const Element& attach, const ModelFile& from, const ModelFile& to, int given_from,
               int given_to, int from_bits, int& to_bits) {
  if (to.conflict == Conflict::merge) {
    to_bits |= from_bits & given_from;
  } else if (to.conflict == Conflict::error &&
             ((from_bits ^ to_bits) & given_from & given_to) != 0) {
    fail(attach, "flags of model '{}' conflict with those of the scene", from.spec.modelname);
  }
}

}  // namespace

void attach(const Element& element, ModelFile& file, BodyEntry& body, int frame) {
  Affix affix{*element.find("prefix"), ""};
  const std::string* model_name = element.find("model");
  if (!model_name) {
    if (!element.has("body") && !element.has("frame")) {
      fail(element, "it needs a model, or a body or frame of this model");
    }
    copy_part({file, file, affix}, find_part(element, file, "this model, so far,"), body, frame);
    return;
  }
  const auto model = file.models.find(*model_name);
  if (model == file.models.end()) {
    fail(element, "model '{}' is not defined in <asset>", *model_name);
  }
  attach_model(element, *model->second, file, affix, body, frame);
}

void join_options(const Element& attach, const ModelFile& from, ModelFile& to) {
  const SpecOption& theirs = from.spec.option;
  SpecOption& ours = to.spec.option;
  for_each_option([&](const char* name, auto member, Merge merge) {
    if (theirs.*member == ours.*member || !from.given_options.count(name)) {
      return;
    }
    const bool is_given = to.given_options.count(name) > 0;
    const std::string what =
        fmt::format("{} of attached model '{}' is {}, that of the scene {}", name,
                    from.spec.modelname, text_of(theirs.*member), text_of(ours.*member));
    const bool can_join = !is_given || merge != Merge::none;
    if (is_given &&
        (to.conflict == Conflict::error || (to.conflict == Conflict::merge && !can_join))) {
      fail(attach, "{}; conflict=\"{}\" does not allow this", what,
           to.conflict == Conflict::error ? "error" : "merge");
    }
    if (to.conflict == Conflict::merge) {
      const bool keeps_ours = is_given && (merge == Merge::smaller ? ours.*member < theirs.*member
                                                                   : theirs.*member < ours.*member);
      if (!keeps_ours) {
        ours.*member = theirs.*member;
      }
      return;
    }
    add_warning(to, fmt::format("{}:{}: {}; the scene's is used", attach.source.file,
                                attach.source.line, what));
  });
  join_bits(attach, from, to, from.given_disable, to.given_disable, theirs.disableflags,
            ours.disableflags);
  join_bits(attach, from, to, from.given_enable, to.given_enable, theirs.enableflags,
            ours.enableflags);
  join_bits(attach, from, to, from.given_actuators, to.given_actuators, theirs.disableactuator,
            ours.disableactuator);
}

}  // namespace mjjit::mjcf
