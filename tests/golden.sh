#!/usr/bin/env bash
# Compares state hashes with tests/golden_hashes.txt: same scene, precision and pinned CPU flags, any number of threads.
# usage: tests/golden.sh TESTSPEED [--update]
# A line is: compiler|C library|scene|precision|hash. Where this machine's compiler and C library have no line there is nothing to
# compare with, and the hashes are printed to be added with --update.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
testspeed=$1
update=${2:-}
file=tests/golden_hashes.txt
key="$(c++ --version | sed -n 1p)|$(ldd --version | sed -n 1p)"

different=0
unknown=0
for scene in scenes/humanoid/humanoid.xml scenes/aloha_pot/scene.xml; do
  for precision in float double; do
    for threads in 1 2; do
      hash=$("$testspeed" "$scene" --device=cpu --arch=x86-64-v3 --precision="$precision" --threads="$threads" --nworld=4 --nstep=50 \
        --nconmax=24 --njmax=64 | sed -n 's/^State hash: //p')
      line="$key|$scene|$precision|$hash"
      if grep -qxF "$line" "$file"; then
        echo "same       $scene $precision, $threads thread(s): $hash"
      elif grep -qF "$key|$scene|$precision|" "$file"; then
        echo "DIFFERENT  $scene $precision, $threads thread(s): $hash"
        different=1
      else
        echo "unknown    $scene $precision, $threads thread(s): $hash"
        unknown=1
        if [ "$update" = --update ]; then
          echo "$line" >>"$file"
        fi
      fi
    done
  done
done
if [ "$unknown" -ne 0 ]; then
  echo "no golden hash is known for: $key"
fi
exit "$different"
