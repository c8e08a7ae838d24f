#!/usr/bin/env bash
# Sets up, builds and runs testspeed on a bundled scene: on the GPU where there is one, on the CPU otherwise.
# usage: scripts/demo.sh [SCENE.xml [testspeed flags]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh

cmake --preset release -DMJJIT_TESTS=OFF >/dev/null
cmake --build --preset release --target testspeed

if [ $# -gt 0 ]; then
  flags=("$@")
else
  flags=(scenes/humanoid/humanoid.xml --nconmax=24 --njmax=64)
fi
if ! nvidia-smi -L >/dev/null 2>&1 && [[ " ${flags[*]} " != *--nworld* ]]; then
  flags+=(--nworld=256)  # a size for a few CPU cores; the default is 8192
fi
set -x
build/release/apps/testspeed "${flags[@]}" --verbosity=1 --load_module_max_workers=4
