#!/usr/bin/env python3
"""Compares what NVRTC makes of every kernel for sm_90 with tests/budget.json: what costs speed and needs no clock to see.

usage: budget.py TESTSPEED [--update]

A scene's budget is, per kernel, registers, spilled bytes and shared memory; launches a step; bytes of device memory a world.
None may exceed it. Other versions of NVRTC allocate registers otherwise: kernels are compared only where the version is the
budget's. --update writes what was seen: for a change whose gain was measured (bench/).
Exit code: 0; 1: something exceeds its budget; 2: testspeed failed.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FILE = os.path.join(ROOT, "tests", "budget.json")
SCENES = {
    "humanoid": ["scenes/humanoid/humanoid.xml", "--nconmax=24", "--njmax=64"],
    "three_humanoids": ["scenes/humanoid/three_humanoids.xml", "--nconmax=100", "--njmax=192"],
    "aloha_pot": ["scenes/aloha_pot/scene.xml", "--nconmax=24", "--njmax=64"],
}


def testspeed(program, arguments):
    done = subprocess.run([program, *arguments, "--format=json"], capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        print(f"budget: testspeed {' '.join(arguments)}: {done.stderr.strip()}", file=sys.stderr)
        sys.exit(2)
    return json.loads(done.stdout)


def measure(program):
    seen = {"compiler": "", "scenes": {}}
    for name, scene in SCENES.items():
        with tempfile.TemporaryDirectory() as cache:
            built = testspeed(program, [*scene, "--compile_only", "--arch=sm_90", f"--kernel_cache_dir={cache}"])
        planned = testspeed(program, [*scene, "--dry_run", "--device=cpu", "--nworld=8192"])
        kernels = {
            kernel["name"]: {key: kernel[key] for key in ("registers", "spill_bytes", "shared_bytes")}
            for module in built["modules"] for kernel in module["kernels"]}
        seen["compiler"] = built["environment"]["compiler"]
        seen["scenes"][name] = {"launches": len(kernels), "bytes_a_world": planned["data_memory"] // 8192, "kernels": dict(sorted(kernels.items()))}
    return seen


def flatten(budget, with_kernels):
    """{what: number} of everything that has a limit."""
    flat = {}
    for scene, limits in budget["scenes"].items():
        flat[f"{scene}: launches"] = limits["launches"]
        flat[f"{scene}: bytes a world"] = limits["bytes_a_world"]
        for kernel, numbers in limits["kernels"].items() if with_kernels else ():
            flat.update({f"{scene}: {kernel}: {key}": number for key, number in numbers.items()})
    return flat


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    seen = measure(os.path.abspath(sys.argv[1]))
    if sys.argv[2:]:
        with open(FILE, "w", encoding="utf-8") as file:
            json.dump(seen, file, indent=1)
            file.write("\n")
        return
    with open(FILE, encoding="utf-8") as file:
        budget = json.load(file)
    same = budget["compiler"] == seen["compiler"]
    if not same:
        print(f"budget: made with {budget['compiler']}, this is {seen['compiler']}: kernels are not compared")
    limits = flatten(budget, same)
    over = [(what, number, limits.get(what)) for what, number in flatten(seen, same).items() if what not in limits or number > limits[what]]
    for what, number, limit in over:
        print(f"OVER       {what}: {number}, the budget is {'none' if limit is None else limit}")
    print(f"{len(limits)} limits, {len(over)} exceeded")
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
