#pragma once

#include "mjcf/element.h"
#include "mjcf/model_file.h"

namespace mjjit::mjcf {

// Readers of one element each: the target holds the default class before, and the element's own
// attributes after. They serve default classes too. Names, references and frames are the business
// of the callers.

void read_joint(const Element& element, ModelFile& file, SpecJoint& joint);
void read_geom(const Element& element, ModelFile& file, GeomDefault& geom);
void read_site(const Element& element, ModelFile& file, SiteDefault& site);
void read_camera(const Element& element, ModelFile& file, SpecCamera& camera);
void read_pair(const Element& element, ModelFile& file, SpecPair& pair);
void read_equality_common(const Element& element, SpecEquality& equality);
void read_mesh_common(const Element& element, SpecMesh& mesh);

/// Delayed values need a history.
void check_history(const Element& element);

void read_texture_common(const Element& element, TextureDefault& texture);

/// Angles of a joint, which the file may give in degrees, in radians; to be called once, when the
/// joint is complete. A range that limits nothing stays as it is written, as in MuJoCo.
void convert_joint_angles(const AngleRule& angles, bool autolimits, SpecJoint& joint);

/// @param chain   the class whose values `actuator` holds, for a shortcut that does not fit them
void read_actuator(const Element& element, ModelFile& file, const DefaultClass& chain,
                   SpecActuator& actuator);

/// Refuses an element whose attribute 'user', its own or its class's, has more values than the file
/// says there are.
/// @param size   the attribute of <size> that says so, nuser_geom
void check_user(const Element& element, const ModelFile& file, const char* size,
                const DefaultClass* inherited);

}  // namespace mjjit::mjcf
