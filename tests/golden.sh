#!/usr/bin/env bash
# Compares state hashes with tests/golden_hashes.txt: same scene, precision and pinned CPU flags, and the same for 1 and 2 threads.
# usage: tests/golden.sh TESTSPEED [--strict|--update]
# A line is: compiler|C library|scene|precision|hash. Where this machine's compiler and C library have no line there is nothing to
# compare with: the hashes are printed, and with --strict that is a failure. --update puts this machine's hashes in the file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
testspeed=$1
mode=${2:-}
file=tests/golden_hashes.txt
key="$(c++ --version | sed -n 1p)|$(ldd --version | sed -n 1p)"

hash_of() { # scene, precision, threads
  "$testspeed" "$1" --device=cpu --arch=x86-64-v3 --precision="$2" --threads="$3" --nworld=4 --nstep=50 \
    --nconmax=24 --njmax=64 | sed -n 's/^State hash: //p'
}

failed=0
unknown=0
for scene in scenes/humanoid/humanoid.xml scenes/aloha_pot/scene.xml; do
  for precision in float double; do
    name="$key|$scene|$precision"
    hash=$(hash_of "$scene" "$precision" 1)
    if [ "$(hash_of "$scene" "$precision" 2)" != "$hash" ]; then
      echo "DIFFERENT  $scene $precision: 2 threads do not give what 1 does"
      failed=1
    fi
    if [ "$mode" = --update ]; then
      grep -vF "$name|" "$file" >"$file.new" || true
      echo "$name|$hash" >>"$file.new"
      mv "$file.new" "$file"
    elif grep -qxF "$name|$hash" "$file"; then
      echo "same       $scene $precision: $hash"
    elif grep -qF "$name|" "$file"; then
      echo "DIFFERENT  $scene $precision: $hash"
      failed=1
    else
      echo "unknown    $scene $precision: $hash"
      unknown=1
    fi
  done
done
if [ "$unknown" -ne 0 ]; then
  echo "no golden hash is known for: $key (--update adds them)"
  if [ "$mode" = --strict ]; then
    failed=1
  fi
fi
exit "$failed"
