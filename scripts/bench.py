#!/usr/bin/env python3
"""Runs a list of scenes with their flags, each several times, and writes one JSON file a run.

usage: bench.py [--suite bench/suite.json] [--out build/bench] [--testspeed build/release/apps/testspeed]
                [--scenes DIR]... [--only NAME]... [--repeat 5] [--sweep FLAG=V1,V2,...] [-- FLAGS for every run]

A run is a fresh process. Repetitions are interleaved (all scenes once, then all again), so that drift hits all alike. What
has been measured is not measured again: an interrupted call is taken up where it stopped, unless the binary, the flags or
the suite have changed. The suite's paths are looked for under each --scenes folder, then under scenes/.
With --sweep each scene is run for each value of a flag of testspeed, and --out gets a table and a plot of steps per second
(sweep_FLAG.md, sweep_FLAG.svg).
Exit code: 0; 2: the suite or a scene is missing or wrong; 1: a run failed (the others are still made).
"""
import argparse
import hashlib
import json
import math
import os
import statistics
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def usage_error(message):
    print(f"bench: {message}", file=sys.stderr)
    sys.exit(2)


def load_suite(path):
    try:
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        for run in runs:
            run["name"], run["scene"], run["flags"]
        return runs
    except (OSError, ValueError, KeyError, TypeError) as error:
        usage_error(f"{path}: not a suite: {error!r}")


def find(roots, path):
    for root in roots:
        if os.path.exists(os.path.join(root, path)):
            return os.path.join(root, path)
    usage_error(f"{path} is in none of: {' '.join(roots)}")


def command_of(args, run, value):
    command = [args.testspeed, find(args.roots, run["scene"])] + run["flags"]
    if "replay" in run:
        command += ["--replay", find(args.roots, run["replay"])]
    if value is not None:
        command.append(f"--{args.sweep_flag}={value}")
    return command + args.flags + ["--format=json"]


def fingerprint(args, command):
    """Changes when the binary or the command does: results of another one are not taken for these."""
    return hashlib.sha256("\0".join([args.binary_hash] + command).encode()).hexdigest()[:16]


def measure(path, command, key):
    """One run into a file; returns its JSON, or None where it failed."""
    try:
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
        if known.get("bench_key") == key:
            return known
    except (OSError, ValueError):
        pass
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr.strip()}", file=sys.stderr)
        return None
    try:
        result = json.loads(done.stdout)
    except ValueError as error:
        print(f"bench: {' '.join(command)}: its output is no JSON: {error}", file=sys.stderr)
        return None
    result.update(bench_key=key, command=command)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(path + ".new", path)
    return result


def sweep_table(flag, values, names, speeds):
    lines = [f"| {flag} | " + " | ".join(names) + " |", "|" + "---|" * (len(names) + 1)]
    for value in values:
        cells = [f"{statistics.median(speeds[name, value]):,.0f}" if speeds.get((name, value)) else "" for name in names]
        lines.append(f"| {value} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def sweep_plot(flag, values, names, speeds):
    """Steps per second against the flag, both logarithmic, as SVG that is readable on light and dark."""
    colours = ["#3b82f6", "#ef4444", "#10b981", "#f59e0b", "#8b5cf6", "#14b8a6"]
    width, height, left, bottom = 720, 420, 70, 50
    points = {n: [(float(v), statistics.median(speeds[n, v])) for v in values if speeds.get((n, v))] for n in names}
    flat = [p for line in points.values() for p in line]
    x0, x1 = math.log10(min(p[0] for p in flat)), math.log10(max(p[0] for p in flat))
    y0, y1 = math.floor(math.log10(min(p[1] for p in flat))), math.ceil(math.log10(max(p[1] for p in flat)))

    def place(x, y):
        return (left + (math.log10(x) - x0) / max(x1 - x0, 1e-9) * (width - left - 130),
                20 + (y1 - math.log10(y)) / max(y1 - y0, 1e-9) * (height - 20 - bottom))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">']
    for decade in range(y0, y1 + 1):
        _, y = place(10**x0, 10.0**decade)
        out.append(f'<line x1="{left}" x2="{width - 130}" y1="{y:.1f}" y2="{y:.1f}" stroke="#888" stroke-width="0.5"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#888">1e{decade}</text>')
    for value in values:
        x, _ = place(float(value), 10.0**y0)
        out.append(f'<text x="{x:.1f}" y="{height - bottom + 18}" text-anchor="middle" fill="#888" font-size="9">{value}</text>')
    out.append(f'<text x="{left}" y="{height - 10}" fill="#888">{flag}; vertical: steps per second</text>')
    for name, colour in zip(names, colours * len(names)):
        if not points[name]:
            continue
        line = " ".join("{:.1f},{:.1f}".format(*place(*p)) for p in points[name])
        x, y = place(*points[name][-1])
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default=os.path.join(ROOT, "bench", "suite.json"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "bench"))
    parser.add_argument("--testspeed", default=os.path.join(ROOT, "build", "release", "apps", "testspeed"))
    parser.add_argument("--scenes", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sweep", default="")
    flags = []
    argv = sys.argv[1:]
    if "--" in argv:
        flags = argv[argv.index("--") + 1:]
        argv = argv[:argv.index("--")]
    args = parser.parse_args(argv)
    args.flags = flags
    args.roots = args.scenes + [os.path.join(ROOT, "scenes")]
    args.sweep_flag, _, values = args.sweep.partition("=")
    args.values = values.split(",") if args.sweep else [None]
    if args.sweep and not values or args.repeat < 1:
        usage_error("--sweep takes FLAG=V1,V2,... and --repeat a number from 1")
    try:
        with open(args.testspeed, "rb") as file:
            args.binary_hash = hashlib.sha256(file.read()).hexdigest()
        os.makedirs(args.out, exist_ok=True)
    except OSError as error:
        usage_error(error)
    return args


def main():
    args = parse()
    runs = [run for run in load_suite(args.suite) if not args.only or run["name"] in args.only]
    if not runs:
        usage_error(f"no run of {args.suite} is named {' or '.join(args.only)}")
    speeds, failed = {}, False
    for repetition in range(args.repeat):
        for value in args.values:
            for run in runs:
                command = command_of(args, run, value)
                suffix = "" if value is None else f"_{args.sweep_flag}{value}"
                path = os.path.join(args.out, f"{run['name']}{suffix}_{repetition + 1}.json")
                result = measure(path, command, fingerprint(args, command))
                failed |= result is None
                if result is not None:
                    speeds.setdefault((run["name"], value), []).append(result["steps_per_second"])
    names = [run["name"] for run in runs]
    for (name, value), list_ in speeds.items():
        middle = statistics.median(list_)
        spread = 100 * (max(list_) - min(list_)) / middle
        at = "" if value is None else f" {args.sweep_flag}={value}"
        print(f"{name}{at}: {middle:,.0f} steps/s, median of {len(list_)}, spread {spread:.1f} %")
    if args.sweep and speeds:
        with open(os.path.join(args.out, f"sweep_{args.sweep_flag}.md"), "w", encoding="utf-8") as file:
            file.write(sweep_table(args.sweep_flag, args.values, names, speeds))
        with open(os.path.join(args.out, f"sweep_{args.sweep_flag}.svg"), "w", encoding="utf-8") as file:
            file.write(sweep_plot(args.sweep_flag, args.values, names, speeds))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
