#pragma once

#include <cstddef>
#include <string>

#include "base/dynlib.h"

namespace mjjit {

/// The functions of NVRTC that we call, found in a library opened at run time. They are declared
/// here rather than taken from nvrtc.h, so that a machine without the CUDA Toolkit's headers builds
/// the same binary; the C interface is stable.
struct NvrtcLibrary {
  using Program = void*;
  using Result = int;  // 0: good

  DynLib library;
  std::string file;
  int major = 0, minor = 0;

  Result (*version)(int* major, int* minor) = nullptr;
  const char* (*error_string)(Result) = nullptr;
  Result (*create)(Program*, const char* source, const char* name, int headers,
                   const char* const* texts, const char* const* names) = nullptr;
  Result (*destroy)(Program*) = nullptr;
  Result (*compile)(Program, int options, const char* const* option) = nullptr;
  Result (*log_size)(Program, std::size_t*) = nullptr;
  Result (*log)(Program, char*) = nullptr;
  Result (*cubin_size)(Program, std::size_t*) = nullptr;
  Result (*cubin)(Program, char*) = nullptr;
  Result (*arch_count)(int*) = nullptr;
  Result (*archs)(int*) = nullptr;
};

/// Opens the newest NVRTC: the file or folder named in MJJIT_NVRTC, else what the loader finds,
/// else the places where the CUDA Toolkit and PyPI's nvidia-cuda-nvrtc put it.
/// @throws Error{Exit::device} when there is none, or none that is new enough
NvrtcLibrary open_nvrtc();

}  // namespace mjjit
