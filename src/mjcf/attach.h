#pragma once

#include "mjcf/element.h"
#include "mjcf/model_file.h"

namespace mjjit::mjcf {

/// Carries out an <attach>: puts a body, a frame or all of another model (or a part of this one,
/// again) into a frame of a body, with everything that refers to it and a prefix to all names.
void attach(const Element& element, ModelFile& file, BodyEntry& body, int frame);

/// Joins the options of an attached model with those of the scene, as the scene's <compiler
/// conflict> says.
/// @throws Error{Exit::input} at the <attach> where they cannot be joined
void join_options(const Element& attach, const ModelFile& from, ModelFile& to);

/// Notes the keyframes of a model that is about to be attached: their values go to the joints,
/// bodies and actuators they speak of. @throws Error{Exit::input} at a keyframe whose length does
/// not fit its model
void share_keyframes(ModelFile& from, ModelFile& to, const Affix& affix);

/// Forgets what share_keyframes left at elements that were not copied.
void forget_keyframes(ModelFile& file);

/// Makes keyframes of the finished model from the shares: joints that no keyframe speaks of stay at
/// their reference.
void gather_keyframes(ModelFile& file);

}  // namespace mjjit::mjcf
