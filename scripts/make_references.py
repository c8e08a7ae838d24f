#!/usr/bin/env python3
"""Writes tests/data/<name>.npz: MuJoCo's own numbers for the scenes that tests/kernels compares with.

usage: make_references.py [NAME ...]          needs `pip install mujoco==4.0.0 numpy`

Each file holds the numeric fields of MjModel as m.<field>, MjData after mj_forward at the start as d.<field> (contacts as
d.contact.<field>, the mass matrix as d.qM_dense, the Jacobian as d.efc_J_dense) and traj.qpos, traj.qvel of some steps, with
traj.solver_niter, the iterations of the island that took most. The control applied is what testspeed applies with --noise_std 0: the
keyframe's, with the first-order lag of the noise.
"""
import math
import os
import sys

import mujoco
import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# name: scene, steps of the trajectory; and where there is a third, the replay that it starts from
SCENES = {
    "humanoid": ("scenes/humanoid/humanoid.xml", 50),
    "three_humanoids": ("scenes/humanoid/three_humanoids.xml", 20),
    "aloha_pot": ("scenes/aloha_pot/scene.xml", 20),
    "pinch": ("scenes/aloha_pot/scene.xml", 1, "tests/data/scenes/pinch_start.npz"),
    "mixed": ("tests/data/scenes/mixed.xml", 5),
    "swim": ("tests/data/scenes/swim.xml", 20),
    "pile": ("tests/data/scenes/pile.xml", 20),
}
MODEL_PREFIXES = ("body_", "jnt_", "dof_", "geom_", "site_", "eq_", "actuator_", "key_", "pair_", "qpos")
MODEL_SKIP = ("user", "rgba", "matid", "group", "plugin", "bvh", "sameframe", "castshadow", "plastic", "history", "delay", "mesh_")
DATA = (
    "xpos xquat xmat xipos geom_xpos site_xpos subtree_com cdof cinert crb cvel qfrc_bias qfrc_passive qfrc_spring qfrc_damper "
    "qfrc_gravcomp qfrc_fluid qfrc_actuator qfrc_smooth qfrc_constraint qacc qacc_smooth act_dot actuator_length "
    "actuator_velocity actuator_force efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagA efc_KBIP efc_D efc_R efc_aref efc_force"
).split()
CONTACT = "dist pos frame includemargin friction solref solimp dim geom".split()


def start(model, replay):
    """Fresh MjData at keyframe 0, or a replay's first state, and its control."""
    data = mujoco.MjData(model)
    if replay is not None:
        first = np.load(replay)
        data.qpos[:], data.qvel[:] = first["qpos"][0], first["qvel"][0]
        return data, first["ctrl"][0]
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    return data, data.ctrl.copy()


def follow(model, ctrl, centre):
    """Next control, relaxed towards the centre in 0.1 s and clamped."""
    rate = math.exp(-model.opt.timestep / 0.1)
    ctrl = rate * ctrl + (1 - rate) * centre
    low, high = model.actuator_ctrlrange.reshape(-1, 2).T
    return np.where(np.asarray(model.actuator_ctrllimited, bool), np.clip(ctrl, low, high), ctrl)


def jacobian(model, data):
    dense = np.zeros((data.nefc, model.nv))
    if not mujoco.mj_isSparse(model):
        return np.asarray(data.efc_J).ravel()[: data.nefc * model.nv].reshape(dense.shape).copy()
    for row in range(data.nefc):
        begin, count = data.efc_J_rowadr[row], data.efc_J_rownnz[row]
        dense[row, data.efc_J_colind[begin : begin + count]] = np.asarray(data.efc_J).ravel()[begin : begin + count]
    return dense


def mass(model, data):
    dense = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, dense)
    return dense


def reference(path, nstep, replay=None):
    model = mujoco.MjModel.from_xml_path(path)
    out = {"m.stat.meaninertia": np.array(model.stat.meaninertia)}
    for name in dir(model):
        if name.startswith(MODEL_PREFIXES) and not any(skip in name for skip in MODEL_SKIP):
            value = np.asarray(getattr(model, name))
            if value.dtype.kind in "iufb":
                out["m." + name] = value.astype(np.int32 if value.dtype.kind in "iub" else np.float64)
    data, centre = start(model, replay)
    data.ctrl[:] = follow(model, data.ctrl, centre)
    mujoco.mj_forward(model, data)
    out.update({"d." + name: np.array(getattr(data, name)) for name in DATA})
    out.update({"d.contact." + name: np.array(getattr(data.contact, name)) for name in CONTACT})
    out["d.qM_dense"], out["d.efc_J_dense"] = mass(model, data), jacobian(model, data)

    data, centre = start(model, replay)
    qpos, qvel, niter = [data.qpos.copy()], [data.qvel.copy()], []
    for _ in range(nstep):
        data.ctrl[:] = follow(model, data.ctrl, centre)
        mujoco.mj_step(model, data)
        qpos.append(data.qpos.copy())
        qvel.append(data.qvel.copy())
        niter.append(max(data.solver_niter))
    out["traj.qpos"], out["traj.qvel"], out["traj.solver_niter"] = np.array(qpos), np.array(qvel), np.array(niter, np.int32)
    return out


def main():
    if mujoco.__version__ != "4.0.0":
        sys.exit(f"make_references: MuJoCo 4.0.0 is needed, this is {mujoco.__version__}")
    for name in sys.argv[1:] or SCENES:
        if name not in SCENES:
            sys.exit(f"make_references: no scene '{name}': {' '.join(SCENES)}")
        scene, nstep, *replay = SCENES[name]
        path = os.path.join(ROOT, "tests", "data", name + ".npz")
        np.savez_compressed(path, **reference(os.path.join(ROOT, scene), nstep, *(os.path.join(ROOT, r) for r in replay)))
        print(f"{path}: {os.path.getsize(path) // 1024} KiB")


if __name__ == "__main__":
    main()
