#!/usr/bin/env bash
# Runs mujoco_warp's testspeed and ours on the same scenes, flags and card, taking turns, and writes bench/peer.json.
# usage: scripts/bench_peer.sh [TESTSPEED] [SCENES]      SCENES: a folder with g1/ (the other scenes come with the project)
# mujoco_warp 4.0.0 is taken from PYTHONPATH if it is there, else installed into build/peer (PyPI). It compiles its kernels
# once, before anything is timed; ours is run with --sync_each_step, too, which times as the peer does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
testspeed=${1:-build/release/apps/testspeed}
scenes=${2:-scenes}
repeat=${REPEAT:-3}

python=python3
if ! python3 -c 'import mujoco_warp' 2>/dev/null; then
  python3 -m venv build/peer
  build/peer/bin/pip install -q mujoco==4.0.0 mujoco-warp==4.0.0 warp-lang==1.19.0
  python=build/peer/bin/python
fi

"$python" - "$testspeed" "$scenes" "$repeat" <<'PYTHON'
import json
import os
import statistics
import subprocess
import sys

testspeed, scenes, repeat = sys.argv[1], sys.argv[2], int(sys.argv[3])
PEER = [sys.executable, "-c", "from mujoco_warp import testspeed; testspeed.main()"]
with open("bench/suite.json", encoding="utf-8") as file:
    suite = json.load(file)["runs"]


def find(path):
    return next((os.path.join(root, path) for root in (scenes, "scenes") if os.path.exists(os.path.join(root, path))), None)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench_peer: {' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout[done.stdout.index("{"):])


result = {}
for entry in suite:
    paths = [find(entry["scene"])] + [find(entry["replay"])] * ("replay" in entry)
    if None in paths:
        print(f"{entry['name']}: left out, it is in neither {scenes} nor scenes")
        continue
    flags = entry["flags"] + ([f"--replay={paths[1]}"] if len(paths) > 1 else []) + ["--format=json"]
    peer, ours = PEER + [paths[0]] + flags, [testspeed, paths[0]] + flags
    cold = run(peer)["jit_duration"]
    run(ours)
    seen = {"peer": [], "ours": [], "ours_sync_each_step": []}
    for _ in range(repeat):
        seen["peer"].append(run(peer))
        seen["ours"].append(run(ours))
        seen["ours_sync_each_step"].append(run(ours + ["--sync_each_step"]))
    row = {who: statistics.median(r["steps_per_second"] for r in runs) for who, runs in seen.items()}
    row.update(ratio=row["ours"] / row["peer"], ratio_sync_each_step=row["ours_sync_each_step"] / row["peer"],
               peer_jit_first_run=cold, flags=flags, runs=repeat,
               peer_memory=seen["peer"][-1].get("total_memory"), memory=seen["ours"][-1]["total_memory"])
    result[entry["name"]] = row
    print(f"{entry['name']}: peer {row['peer']:,.0f}, ours {row['ours']:,.0f} ({row['ratio']:.2f} times; "
          f"{row['ratio_sync_each_step']:.2f} synchronised each step)", flush=True)
with open("bench/peer.json", "w", encoding="utf-8") as file:
    json.dump({"command": f"scripts/bench_peer.sh {testspeed} {scenes}", "rows": result}, file, indent=1)
    file.write("\n")
PYTHON
