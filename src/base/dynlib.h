#pragma once

#include <string>
#include <utility>

namespace mjjit {

/// A shared library opened at run time; closed with the object.
class DynLib {
 public:
  DynLib() = default;
  ~DynLib() { close(); }
  DynLib(DynLib&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  DynLib& operator=(DynLib&& other) noexcept;

  /// @return false when it cannot be opened; why() says the loader's reason
  bool open(const std::string& path);
  void close();
  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& why() const { return why_; }

  /// Address of a symbol, null when the library does not have it.
  void* find(const char* name) const;

  /// Sets a function pointer; false when the library does not have it.
  template <typename Function>
  bool get(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

  /// The file that a symbol's library was loaded from; empty when not known.
  static std::string file_of(const void* symbol);

 private:
  void* handle_ = nullptr;
  std::string why_;
};

}  // namespace mjjit
