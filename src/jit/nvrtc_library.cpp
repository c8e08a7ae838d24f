#include "jit/nvrtc_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace mjjit {

namespace fs = std::filesystem;

namespace {

constexpr const char* sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};

void add_if_folder(const fs::path& folder, std::vector<fs::path>& folders) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) {
    folders.push_back(folder);
  }
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end(), std::greater<>());  // newer versions first
  return found;
}

/// Where PyPI's packages of a virtual environment have the library:
/// lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib, and nvidia/cu13/lib from CUDA 13 on.
void add_environment(const fs::path& environment, std::vector<fs::path>& folders) {
  for (const fs::path& python : entries(environment / "lib")) {
    for (const fs::path& package : entries(python / "site-packages" / "nvidia")) {
      const std::string name = package.filename().string();
      if (name == "cuda_nvrtc" || name.starts_with("cu1")) {
        add_if_folder(package / "lib", folders);
      }
    }
  }
}

/// Folders to look into after the loader's own.
std::vector<fs::path> candidate_folders() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable); root != nullptr && root[0] != '\0') {
      add_if_folder(fs::path(root) / "lib64", folders);
    }
  }
  add_if_folder("/usr/local/cuda/lib64", folders);
  for (const fs::path& root : entries("/usr/local")) {
    if (root.filename().string().starts_with("cuda-")) {
      add_if_folder(root / "lib64", folders);
    }
  }
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment != nullptr) {
    add_environment(environment, folders);
  }

  // .venv of the source tree that this program was built in: beside it or a few folders above
  std::error_code ignored;
  fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (int up = 0; up < 5 && folder.has_relative_path(); ++up, folder = folder.parent_path()) {
    add_environment(folder / ".venv", folders);
  }
  return folders;
}

/// Files to try, the wanted ones first.
std::vector<std::string> candidates() {
  std::vector<std::string> files;
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("MJJIT_NVRTC"); chosen != nullptr && chosen[0] != '\0') {
    std::error_code ignored;
    if (!fs::is_directory(chosen, ignored)) {
      return {chosen};
    }
    folders = {chosen};
  } else {
    folders = candidate_folders();
    folders.insert(folders.begin(),
                   fs::path());  // the loader: LD_LIBRARY_PATH and the system's folders
  }
  for (const char* soname : sonames) {
    for (const fs::path& folder : folders) {
      files.push_back((folder / soname).string());
    }
  }
  return files;
}

bool get_functions(NvrtcLibrary& n) {
  const DynLib& lib = n.library;
  return lib.get("nvrtcVersion", n.version) && lib.get("nvrtcGetErrorString", n.error_string) &&
         lib.get("nvrtcCreateProgram", n.create) && lib.get("nvrtcDestroyProgram", n.destroy) &&
         lib.get("nvrtcCompileProgram", n.compile) &&
         lib.get("nvrtcGetProgramLogSize", n.log_size) && lib.get("nvrtcGetProgramLog", n.log) &&
         lib.get("nvrtcGetCUBINSize", n.cubin_size) && lib.get("nvrtcGetCUBIN", n.cubin) &&
         lib.get("nvrtcGetNumSupportedArchs", n.arch_count) &&
         lib.get("nvrtcGetSupportedArchs", n.archs) && n.version(&n.major, &n.minor) == 0;
}

}  // namespace

NvrtcLibrary open_nvrtc() {
  std::string tried;
  for (const std::string& file : candidates()) {
    NvrtcLibrary nvrtc;
    if (!nvrtc.library.open(file)) {
      tried += "\n  " + nvrtc.library.why();
    } else if (!get_functions(nvrtc) || nvrtc.major < 12) {
      tried += "\n  " + file + ": is older than CUDA 12";
    } else {
      nvrtc.file = DynLib::file_of(reinterpret_cast<const void*>(nvrtc.version));
      return nvrtc;
    }
  }
  fail(Exit::device,
       "NVRTC, the CUDA run-time compiler (12 or newer), was not found; install the CUDA Toolkit "
       "or PyPI's "
       "nvidia-cuda-nvrtc, or name the library in MJJIT_NVRTC. Looked for:{}",
       tried);
}

}  // namespace mjjit
