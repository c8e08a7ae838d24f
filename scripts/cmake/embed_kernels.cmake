# The kernel sources travel inside the binary: build/kernels_embedded.cpp holds every file of kernels/ as a string, so
# that nothing outside the binary can reach a kernel. src/jit/sources.cpp reads them.
file(GLOB kernel_files CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/kernels/*.cu ${PROJECT_SOURCE_DIR}/kernels/*.cuh ${PROJECT_SOURCE_DIR}/kernels/*.def)
set(embedded ${PROJECT_BINARY_DIR}/kernels_embedded.cpp)
add_custom_command(
  OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${kernel_files}" -DOUTPUT=${embedded}
          -P ${PROJECT_SOURCE_DIR}/scripts/cmake/write_embedded.cmake
  DEPENDS ${kernel_files} ${PROJECT_SOURCE_DIR}/scripts/cmake/write_embedded.cmake
  VERBATIM)
add_library(mjjit_kernels STATIC ${embedded})
target_include_directories(mjjit_kernels PUBLIC ${PROJECT_SOURCE_DIR}/src)
