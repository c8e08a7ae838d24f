#include <algorithm>

#include "../../kernels/enums.cuh"
#include "model/draft.h"

namespace mjjit {
namespace {

const char* type_name(int type) {
  return type == EQ_CONNECT ? "connect"
         : type == EQ_WELD  ? "weld"
         : type == EQ_JOINT ? "joint"
                            : "tendon";
}

int find(const NameTable& table, const std::string& name, const Source& at,
         const std::string& element) {
  const int id = table.find(name);
  if (id < 0) {
    fail(at, "{}: {} '{}' is not defined", element, table.kind(), name);
  }
  return id;
}

const NameTable& objects(const Draft& d, const SpecEquality& spec) {
  return spec.type == EQ_JOINT ? d.joint_ids : spec.objtype == OBJ_SITE ? d.site_ids : d.body_ids;
}

void check_scalar(const Draft& d, int joint, const SpecEquality& spec, const std::string& element) {
  if (joint >= 0 && d.joints[joint]->type != JNT_HINGE && d.joints[joint]->type != JNT_SLIDE) {
    fail(spec.source, "{}: joint '{}' is not a hinge or slide", element, d.joints[joint]->name);
  }
}

/// Columns of eq_data: joint: polynomial in 0-4; connect and weld of bodies: anchor in 0-2; weld:
/// relative pose in 3-9; all but site connects: torque scale in 10. What is missing follows from
/// qpos0, see equality_data in constants.cpp.
std::array<double, 12> initial_data(const SpecEquality& spec) {
  std::array<double, 12> data = {};
  data[10] = spec.torquescale;
  if (spec.type == EQ_JOINT) {
    std::copy(spec.polycoef.begin(), spec.polycoef.end(), data.begin());
    return data;
  }
  if (spec.objtype == OBJ_SITE) {
    if (spec.type == EQ_CONNECT) {
      return {};
    }
    data[1] = 1;  // MuJoCo leaves the default of the polynomial there; no row depends on it
  }
  if (spec.anchor) {
    std::copy(spec.anchor->begin(), spec.anchor->end(), data.begin());
  }
  if (spec.relpose) {
    std::copy(spec.relpose->begin(), spec.relpose->end(), data.begin() + 3);
  }
  return data;
}

}  // namespace

void compile_equalities(Draft& d) {
  Model& m = d.m;
  for (const SpecEquality& spec : d.spec.equalities) {
    const std::string name = label(type_name(spec.type), spec.name);
    if (spec.type > EQ_JOINT) {
      refuse(d, spec.source, fmt::format("equality of type {}", type_name(spec.type)),
             "it is left out");
      continue;
    }
    const NameTable& table = objects(d, spec);
    const int id1 = find(table, spec.name1, spec.source, name);
    const int missing = table.kind() == "body" ? 0 : -1;  // the world stands in for a second body
    const int id2 = spec.name2.empty() ? missing : find(table, spec.name2, spec.source, name);
    if (id1 == id2) {
      fail(spec.source, "{}: {} '{}' is constrained to itself", name, table.kind(), spec.name1);
    }
    if (spec.type == EQ_JOINT) {
      check_scalar(d, id1, spec, name);
      check_scalar(d, id2, spec, name);
    } else if (table.kind() == "site" && id2 < 0) {
      fail(spec.source, "{}: attribute 'site2' is missing", name);
    }
    m.eq_type.push_back(spec.type);
    m.eq_obj1id.push_back(id1);
    m.eq_obj2id.push_back(id2);
    m.eq_objtype.push_back(spec.type == EQ_JOINT ? static_cast<int>(OBJ_UNKNOWN) : spec.objtype);
    m.eq_active0.push_back(spec.active);
    m.eq_solref.insert(m.eq_solref.end(), spec.solref.begin(), spec.solref.end());
    m.eq_solimp.insert(m.eq_solimp.end(), spec.solimp.begin(), spec.solimp.end());
    const auto data = initial_data(spec);
    m.eq_data.insert(m.eq_data.end(), data.begin(), data.end());
  }
  m.neq = static_cast<int>(m.eq_type.size());
}

}  // namespace mjjit
