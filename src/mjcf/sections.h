#pragma once

#include "mjcf/element.h"
#include "mjcf/model_file.h"

namespace mjjit::mjcf {

// Readers of the sections of a file, in the order in which read.cpp calls them.

void read_compiler(const Element& section, ModelFile& file);
void read_option(const Element& section, ModelFile& file);
void read_size(const Element& section, ModelFile& file);
void read_visual(const Element& section);
void read_statistic(const Element& section, ModelFile& file);
void read_extension(const Element& section, ModelFile& file);
void read_custom(const Element& section, ModelFile& file);
void read_asset(const Element& section, ModelFile& file);
void read_contact(const Element& section, ModelFile& file);
void read_deformable(const Element& section, ModelFile& file);
void read_equality(const Element& section, ModelFile& file);
void read_tendon(const Element& section, ModelFile& file);
void read_actuators(const Element& section, ModelFile& file);
void read_sensors(const Element& section, ModelFile& file);
void read_keyframe(const Element& section, ModelFile& file);
void read_worldbody(const Element& section, ModelFile& file);

/// Reads a model file with all its sections.
std::shared_ptr<ModelFile> read_model_file(const std::string& path,
                                           std::shared_ptr<int> key_counter,
                                           std::vector<std::string> opening);

/// Closes the frames, checks the references and makes the Spec.
Spec finish(ModelFile& file);

}  // namespace mjjit::mjcf
