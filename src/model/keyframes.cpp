#include <algorithm>

#include "../../kernels/enums.cuh"
#include "mjcf/limits.h"
#include "model/draft.h"
#include "model/pose.h"

namespace mjjit {
namespace {

/// One row: the given values, or what the model starts with where there are none.
void append_row(std::vector<double>& to, const std::vector<double>& given,
                const std::vector<double>& start, const SpecKey& key, const char* attribute) {
  const std::vector<double>& row = given.empty() ? start : given;
  if (row.size() != start.size()) {
    fail(key.source, "{}: {} has {} values, expected {}", label("key", key.name), attribute,
         row.size(), start.size());
  }
  to.insert(to.end(), row.begin(), row.end());
}

/// Normalises a quaternion in place; one without length becomes the identity.
void normalize_at(double* q) {
  Quat unit = {q[0], q[1], q[2], q[3]};
  if (normalize(unit) == 0) {
    unit = {1, 0, 0, 0};
  }
  std::copy(unit.begin(), unit.end(), q);
}

void normalize_qpos(const Model& m, double* qpos) {
  for (int i = 0; i < m.njnt; i++) {
    if (m.jnt_type[i] == JNT_FREE) {
      normalize_at(qpos + m.jnt_qposadr[i] + 3);
    } else if (m.jnt_type[i] == JNT_BALL) {
      normalize_at(qpos + m.jnt_qposadr[i]);
    }
  }
}

}  // namespace

void compile_keyframes(Draft& d) {
  Model& m = d.m;
  std::vector<double> mpos, mquat;
  for (int i = 0; i < m.nbody; i++) {
    if (m.body_mocapid[i] >= 0) {
      mpos.insert(mpos.end(), &m.body_pos[3 * i], &m.body_pos[3 * i] + 3);
      mquat.insert(mquat.end(), &m.body_quat[4 * i], &m.body_quat[4 * i] + 4);
    }
  }
  const std::vector<double> no_velocity(m.nv), no_act(m.na), no_ctrl(m.nu);

  NameTable names("key");
  const std::int64_t width = m.nq + m.nv + m.na + m.nu + 7 * m.nmocap;
  for (const SpecKey& key : d.spec.keys) {
    names.add(key.name, key.source);
    if (width * (m.nkey + 1) > kMostNumbers) {
      fail(key.source, "{}: with {} keyframes there are more than {} values in them",
           label("key", key.name), d.spec.keys.size(), kMostNumbers);
    }
    m.key_time.push_back(key.time);
    append_row(m.key_qpos, key.qpos, m.qpos0, key, "qpos");
    append_row(m.key_qvel, key.qvel, no_velocity, key, "qvel");
    append_row(m.key_act, key.act, no_act, key, "act");
    append_row(m.key_mpos, key.mpos, mpos, key, "mpos");
    append_row(m.key_mquat, key.mquat, mquat, key, "mquat");
    append_row(m.key_ctrl, key.ctrl, no_ctrl, key, "ctrl");
    normalize_qpos(m, m.key_qpos.data() + static_cast<std::size_t>(m.nkey) * m.nq);
    for (int i = 0; i < m.nmocap; i++) {
      normalize_at(m.key_mquat.data() + 4 * (static_cast<std::size_t>(m.nkey) * m.nmocap + i));
    }
    m.nkey++;
  }
}

void compile_numerics(Draft& d) {
  Model& m = d.m;
  NameTable names("numeric");
  for (const SpecNumeric& numeric : d.spec.numerics) {
    names.add(numeric.name, numeric.source);
    const std::string name = label("numeric", numeric.name);
    const int given = static_cast<int>(numeric.data.size());
    const int size = numeric.size != 0 ? numeric.size : given;
    if (size <= 0) {
      fail(numeric.source, "{}: size must be positive", name);
    }
    if (size < given) {
      fail(numeric.source, "{}: data has {} values, more than size {}", name, given, size);
    }
    if (static_cast<std::int64_t>(m.numeric_data.size()) + size > kMostNumbers) {
      fail(numeric.source, "{}: with it there are more than {} custom numbers", name, kMostNumbers);
    }
    m.numeric_adr.push_back(static_cast<int>(m.numeric_data.size()));
    m.numeric_size.push_back(size);
    m.numeric_data.insert(m.numeric_data.end(), numeric.data.begin(), numeric.data.end());
    m.numeric_data.resize(m.numeric_adr.back() + size);
    m.nnumeric++;
  }
  m.nnumericdata = static_cast<int>(m.numeric_data.size());
}

}  // namespace mjjit
