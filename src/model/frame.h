#pragma once

#include <optional>
#include <string>

#include "mjcf/spec.h"
#include "model/pose.h"

namespace mjjit {

/// A unit quaternion with the direction of q.
/// @throws Error{Exit::input} naming the element's quat where it has no length
Quat unit_quat(Quat q, const Source& at, const std::string& element);

/// Where a geom or site stands and how large it is, after `fromto`.
struct Placement {
  Pose pose;
  Vec3 size;
};

/// Resolves `fromto`: the segment gives place, direction and half length; without it, the pose is
/// as given.
/// @param frame  orientation of the frames around the element, in the body: it fixes the roll about
/// the segment
/// @throws Error{Exit::input} for kinds that are not long, and for a segment without length
Placement place(int type, const Pose& pose, const std::optional<std::array<double, 6>>& fromto,
                const Quat& frame, const Vec3& size, const Source& at, const std::string& element);

/// @throws Error{Exit::input} where a measure that the kind needs is not positive
void check_size(int type, const Vec3& size, const Source& at, const std::string& element);

}  // namespace mjjit
