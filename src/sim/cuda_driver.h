#pragma once

#include <cstddef>

#include "base/dynlib.h"

namespace mjjit {

/// The functions of the CUDA driver that we call, found in libcuda opened at run time. They are
/// declared here rather than taken from cuda.h, so that a machine without the CUDA Toolkit's
/// headers builds the same binary. The names end in what the header's macros append (_v2): that is
/// the version of the call that is meant, and it does not change.
struct CudaDriver {
  using Result = int;  // CUresult; 0: good
  using DeviceIndex = int;
  using Pointer = unsigned long long;
  using Context = void*;
  using ModuleHandle = void*;
  using Function = void*;
  using Stream = void*;
  using Event = void*;
  using Graph = void*;
  using GraphExec = void*;

  // values of the enumerations that we use
  static constexpr Result out_of_memory = 2;  // CUDA_ERROR_OUT_OF_MEMORY
  static constexpr int attribute_compute_major =
      75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  static constexpr int attribute_compute_minor =
      76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
  static constexpr unsigned stream_non_blocking = 1;   // CU_STREAM_NON_BLOCKING
  static constexpr unsigned event_default = 0;         // CU_EVENT_DEFAULT
  static constexpr int capture_mode_thread_local = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

  DynLib library;

  Result (*init)(unsigned flags) = nullptr;
  Result (*driver_version)(int* version) = nullptr;
  Result (*error_name)(Result, const char** text) = nullptr;
  Result (*error_string)(Result, const char** text) = nullptr;
  Result (*device_count)(int* count) = nullptr;
  Result (*device_get)(DeviceIndex*, int ordinal) = nullptr;
  Result (*device_name)(char* name, int length, DeviceIndex) = nullptr;
  Result (*device_attribute)(int* value, int attribute, DeviceIndex) = nullptr;
  Result (*context_retain)(Context*, DeviceIndex) = nullptr;
  Result (*context_release)(DeviceIndex) = nullptr;
  Result (*context_set)(Context) = nullptr;
  Result (*memory_info)(std::size_t* free_bytes, std::size_t* total_bytes) = nullptr;
  Result (*memory_allocate)(Pointer*, std::size_t bytes) = nullptr;
  Result (*memory_free)(Pointer) = nullptr;
  Result (*memory_set)(Pointer, unsigned char value, std::size_t bytes) = nullptr;
  Result (*copy_to_device)(Pointer, const void* host, std::size_t bytes) = nullptr;
  Result (*copy_to_host)(void* host, Pointer, std::size_t bytes) = nullptr;
  Result (*module_load)(ModuleHandle*, const void* image) = nullptr;
  Result (*module_unload)(ModuleHandle) = nullptr;
  Result (*module_function)(Function*, ModuleHandle, const char* name) = nullptr;
  Result (*launch)(Function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream,
                   void** parameters, void** extra) = nullptr;
  Result (*stream_create)(Stream*, unsigned flags) = nullptr;
  Result (*stream_destroy)(Stream) = nullptr;
  Result (*stream_synchronize)(Stream) = nullptr;
  Result (*capture_begin)(Stream, int mode) = nullptr;
  Result (*capture_end)(Stream, Graph*) = nullptr;
  Result (*graph_instantiate)(GraphExec*, Graph, unsigned long long flags) = nullptr;
  Result (*graph_destroy)(Graph) = nullptr;
  Result (*graph_exec_destroy)(GraphExec) = nullptr;
  Result (*graph_launch)(GraphExec, Stream) = nullptr;
  Result (*event_create)(Event*, unsigned flags) = nullptr;
  Result (*event_destroy)(Event) = nullptr;
  Result (*event_record)(Event, Stream) = nullptr;
  Result (*event_synchronize)(Event) = nullptr;
  Result (*event_elapsed_ms)(float* ms, Event start, Event end) = nullptr;

  /// @throws Error{Exit::device} with call, error name and its meaning when `result` is not 0
  void check(Result result, const char* call, const char* subject = "") const;
};

/// The driver, opened and initialised once a process.
/// @throws Error{Exit::device} saying what is missing: the driver, a function of it, or a GPU
const CudaDriver& cuda_driver();

}  // namespace mjjit
