#!/usr/bin/env bash
# Sets up, builds and runs all tests.
# usage: scripts/test.sh [preset]      release (default): everything; asan, tsan: the fast tests under a sanitizer
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh

preset=${1:-release}
cmake --preset "$preset" -DMJJIT_TESTS=ON >/dev/null
cmake --build --preset "$preset"
if [ "$preset" = release ]; then
  ctest --preset all -j "$(nproc)"
else
  ctest --preset "$preset" -j "$(nproc)"
fi
