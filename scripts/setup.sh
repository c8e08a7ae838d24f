#!/usr/bin/env bash
# Installs what is missing to build and test, on Debian 12 or Ubuntu 24.04: the distribution's packages, and NVRTC from
# PyPI in .venv where no CUDA Toolkit is installed. Called by demo.sh and test.sh; does nothing the second time.
# usage: scripts/setup.sh [further packages]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
  g++ cmake ninja-build git ca-certificates python3 python3-venv
  libcli11-dev libfmt-dev libtinyxml2-dev catch2 libeigen3-dev libqhull-dev libtinyobjloader-dev
  nlohmann-json3-dev libxxhash-dev zlib1g-dev libpng-dev
  "$@"
)

missing=()
for package in "${packages[@]}"; do
  if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
    missing+=("$package")
  fi
done
if [ ${#missing[@]} -gt 0 ]; then
  sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo=(sudo)
  fi
  echo "installing: ${missing[*]}" >&2
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# the run-time compiler: an installed toolkit's, else PyPI's; without either the CPU device still works
have_nvrtc() {
  ldconfig -p | grep -q 'libnvrtc\.so' || compgen -G '/usr/local/cuda*/lib64/libnvrtc.so.*' >/dev/null ||
    compgen -G '.venv/lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.*' >/dev/null
}
if ! have_nvrtc; then
  echo "installing: nvidia-cuda-nvrtc (PyPI, in .venv)" >&2
  if ! { python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check nvidia-cuda-nvrtc; }; then
    echo "warning: NVRTC could not be installed: only the CPU device will work" >&2
  fi
fi
