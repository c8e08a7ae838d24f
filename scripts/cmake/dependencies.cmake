# Third-party libraries, all of them distribution packages; none of them links CUDA, which is opened at run time.
find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(tinyxml2 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_path(QHULL_INCLUDE_DIR libqhull_r/libqhull_r.h REQUIRED)
find_library(QHULL_LIBRARY NAMES libqhullstatic_r.a qhull_r REQUIRED)
find_path(TINYOBJ_INCLUDE_DIR tiny_obj_loader.h REQUIRED)

# headers only: the driver and the run-time compiler are opened with dlopen, and a machine without CUDA builds too
find_path(CUDA_INCLUDE_DIR cuda.h
  HINTS $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/include /usr/local/cuda/include /usr/include /usr/include/cuda)
