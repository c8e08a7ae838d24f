#include "base/dynlib.h"

#include <dlfcn.h>

namespace mjjit {

DynLib& DynLib::operator=(DynLib&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = std::exchange(other.handle_, nullptr);
    why_ = std::move(other.why_);
  }
  return *this;
}

bool DynLib::open(const std::string& path) {
  close();
  // it stays mapped after closing: NVRTC and the driver keep memory of their own for good, and
  // opening again is quick
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle_ == nullptr) {
    const char* reason = dlerror();
    why_ = reason != nullptr ? reason : "unknown reason";
  }
  return handle_ != nullptr;
}

void DynLib::close() {
  if (handle_ != nullptr) {
    dlclose(handle_);
    handle_ = nullptr;
  }
}

void* DynLib::find(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

std::string DynLib::file_of(const void* symbol) {
  Dl_info info;
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace mjjit
