#!/usr/bin/env python3
"""Times testspeed on the CPU beside MuJoCo C, one thread each, same scene, worlds, steps and control noise, in one run.

usage: compare_mujoco_cpu.py [SCENE.xml] [--testspeed build/release/apps/testspeed] [--nworld 16] [--nstep 1000] [--repeat 5]
                             [--output bench/cpu_humanoid.json]

Needs `pip install mujoco numpy`. MuJoCo runs through mujoco.rollout (C, double precision, no Python between steps); testspeed
runs in float, its default. The two take turns, so that drift of the machine hits both; each number is the median.
Exit code 0: testspeed is faster; 1: it is not; 2: bad input.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

import mujoco
import mujoco.rollout
import numpy as np



def halton(index, base):
    """The radical inverse of index in a base, in 0..1."""
    value, scale = 0.0, 1.0
    while index > 0:
        scale /= base
        value += scale * (index % base)
        index //= base
    return value


def noisy_controls(model, centre, nworld, nstep, std=0.01, rate=0.1):
    """Ornstein-Uhlenbeck control noise as testspeed makes it: (nworld, nstep, nu)."""
    keep = math.exp(-model.opt.timestep / rate)
    scale = std * math.sqrt(1 - keep * keep)
    limited = np.asarray(model.actuator_ctrllimited, bool)
    low, high = model.actuator_ctrlrange.T
    half = np.where(limited, (high - low) / 2, 1.0)
    controls = np.empty((nworld, nstep, model.nu))
    for world in range(nworld):
        ctrl = centre.copy()
        for step in range(nstep):
            draw = np.array([2 * halton((step + 1) * (world + 1), u + 2) - 1 for u in range(model.nu)])
            ctrl = keep * ctrl + (1 - keep) * centre + scale * half * draw
            ctrl = np.where(limited, np.clip(ctrl, low, high), ctrl)
            controls[world, step] = ctrl
    return controls


def mujoco_seconds(model, state, controls):
    """Wall time of MuJoCo's rollout on one thread."""
    data = [mujoco.MjData(model)]
    start = time.perf_counter()
    mujoco.rollout.rollout(model, data, state, controls)
    return time.perf_counter() - start


def testspeed_seconds(args):
    """Simulation time that testspeed reports on one thread."""
    command = [args.testspeed, args.scene, "--device=cpu", "--threads=1", f"--nworld={args.nworld}", f"--nstep={args.nstep}", "--format=json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"compare_mujoco_cpu: {' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)["run_time"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser.add_argument("scene", nargs="?", default=os.path.join(root, "scenes/humanoid/humanoid.xml"))
    parser.add_argument("--testspeed", default=os.path.join(root, "build/release/apps/testspeed"))
    parser.add_argument("--nworld", type=int, default=16)
    parser.add_argument("--nstep", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--output")
    args = parser.parse_args()

    model = mujoco.MjModel.from_xml_path(args.scene)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    controls = noisy_controls(model, data.ctrl.copy(), args.nworld, args.nstep)
    states = np.repeat(state[None], args.nworld, 0)

    work = args.nworld * args.nstep
    rates = {"mujoco": [], "testspeed": []}
    testspeed_seconds(args)  # fills the kernel cache
    for _ in range(args.repeat):
        rates["mujoco"].append(work / mujoco_seconds(model, states, controls))
        rates["testspeed"].append(work / testspeed_seconds(args))
    median = {name: statistics.median(values) for name, values in rates.items()}
    ratio = median["testspeed"] / median["mujoco"]
    for name, values in rates.items():
        print(f"{name:10} {median[name]:12,.0f} steps/s  (min {min(values):,.0f}, max {max(values):,.0f}, {args.repeat} runs)")
    print(f"ratio      {ratio:12.2f}")
    if args.output:
        result = {"scene": os.path.basename(args.scene), "nworld": args.nworld, "nstep": args.nstep, "mujoco_version": mujoco.__version__,
                  "command": " ".join(sys.argv), "steps_per_second": rates, "ratio": ratio}
        with open(args.output, "w") as file:
            json.dump(result, file, indent=1)
    sys.exit(0 if ratio > 1 else 1)


if __name__ == "__main__":
    main()
