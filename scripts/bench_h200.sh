#!/usr/bin/env bash
# Measures the whole table on one GPU and writes bench/h200.json: the suite with the time of each stage, cold starts with 1 and
# 4 workers, warm starts, the process without its rollout, and steps per second against the number of worlds.
# usage: scripts/bench_h200.sh [TESTSPEED] [SCENES]      SCENES: a folder with g1/ (the other scenes come with the project)
# Takes about four minutes. Runs that are there already are not made again: remove OUT (default build/bench) to start afresh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
testspeed=${1:-build/release/apps/testspeed}
scenes=${2:-scenes}
out=${OUT:-build/bench}
repeat=${REPEAT:-3}
mkdir -p "$out"

only=()
if [ ! -d "$scenes/g1" ]; then
  echo "bench_h200: no $scenes/g1: g1_flat and g1_hfield are left out" >&2
  only=(--only aloha_pot --only humanoid --only three_humanoids)
fi
scripts/bench.py --testspeed "$testspeed" --scenes "$scenes" --out "$out" --repeat "$repeat" "${only[@]}" -- --event_trace

# cold and warm starts: a process each, workers taking turns
aloha=(scenes/aloha_pot/scene.xml --nconmax=24 --njmax=64 --format=json)
for i in $(seq "$repeat"); do
  for workers in 1 4; do
    "$testspeed" "${aloha[@]}" --nstep=1 --clear_kernel_cache --kernel_cache_dir="$out/cache" \
      --load_module_max_workers="$workers" >"$out/cold_w${workers}_$i.json"
  done
  begin=$(date +%s.%N)
  "$testspeed" "${aloha[@]}" --kernel_cache_dir="$out/cache" --load_module_max_workers=4 >"$out/warm_$i.json"
  echo "$begin $(date +%s.%N)" >"$out/warm_$i.wall"
done
rm -rf "$out/cache"

scripts/bench.py --testspeed "$testspeed" --out "$out" --only humanoid --only aloha_pot --repeat 1 \
  --sweep nworld=1,4,16,64,256,1024,4096,8192,16384,32768,65536

python3 - "$out" "$testspeed $scenes" <<'PYTHON'
import glob
import json
import statistics
import sys

out = sys.argv[1]
DROPPED = {"modules", "warnings", "event_trace", "bench_key", "command", "memory"}


def load(pattern):
    runs = []
    for path in sorted(glob.glob(f"{out}/{pattern}")):
        with open(path, encoding="utf-8") as file:
            runs.append(json.load(file))
    return runs


def median(runs, key):
    return statistics.median(run[key] for run in runs)


rows = {}
for name in ("aloha_pot", "humanoid", "three_humanoids", "g1_flat", "g1_hfield"):
    runs = load(f"{name}_[0-9]*.json")
    if runs:
        speeds = [run["steps_per_second"] for run in runs]
        best = sorted(runs, key=lambda run: run["steps_per_second"])[len(runs) // 2]
        rows[name] = {key: value for key, value in best.items() if key not in DROPPED}
        rows[name].update(runs=len(runs), lowest=min(speeds), highest=max(speeds), flags=best["command"][2:],
                          stages={stage["kernel"]: round(stage["ns_per_step"], 2) for stage in best["event_trace"]})
walls = []
for path, run in zip(sorted(glob.glob(f"{out}/warm_*.wall")), load("warm_*.json")):
    with open(path, encoding="utf-8") as file:
        begin, end = map(float, file.read().split())
    walls.append(end - begin - run["run_time"])
jit = {f"cold_{workers}_workers": {
    "jit_duration": median(load(f"cold_w{workers}_*.json"), "jit_duration"),
    "all": [run["jit_duration"] for run in load(f"cold_w{workers}_*.json")],
    "compile_work_ms": median(load(f"cold_w{workers}_*.json"), "compile_work_ms"),
    "modules_ms": {m["name"]: round(m["ms"], 1) for m in load(f"cold_w{workers}_*.json")[0]["modules"]}} for workers in (1, 4)}
jit["warm"] = {"jit_duration": median(load("warm_*.json"), "jit_duration"), "process_without_rollout": statistics.median(walls)}
scaling = {}
for name in ("humanoid", "aloha_pot"):
    runs = {run["nworld"]: round(run["steps_per_second"]) for run in load(f"{name}_nworld*_1.json")}
    scaling[name] = dict(sorted(runs.items()))
with open("bench/h200.json", "w", encoding="utf-8") as file:
    json.dump({"command": "scripts/bench_h200.sh " + sys.argv[2], "rows": rows, "jit": jit, "scaling": scaling}, file, indent=1)
    file.write("\n")
for name, row in rows.items():
    print(f"{name}: {row['steps_per_second']:,.0f} steps/s ({row['lowest']:,.0f} to {row['highest']:,.0f}), converged {row['converged_worlds']}")
print("jit:", {key: round(value["jit_duration"], 3) for key, value in jit.items()}, "process", round(statistics.median(walls), 2))
PYTHON
cp "$out/sweep_nworld.md" "$out/sweep_nworld.svg" bench/
