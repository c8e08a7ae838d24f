#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/program.h"
#include "jit/sources.h"

namespace mjjit {

/// What a compiler makes of a module.
struct CompilerOutput {
  std::vector<char> image;
  std::vector<KernelUsage> usage;
};

/// One of the two back ends. compile() is called from several threads at a time.
class Compiler {
 public:
  virtual ~Compiler() = default;

  /// For the user: "NVRTC 13.0", "c++ (Debian 12.2.0-14) 12.2.0".
  virtual std::string name() const = 0;

  /// For the cache key: whatever decides the code and is not in the sources or the options.
  virtual std::string identity() const = 0;

  /// The options that decide a module's code.
  virtual std::vector<std::string> options(const Module& module) const = 0;

  /// @throws Error{Exit::device} with the first error and its source line, naming a file with the
  /// full log
  virtual CompilerOutput compile(const Module& module,
                                 const std::vector<SourceFile>& sources) const = 0;
};

/// Opens NVRTC. @throws Error{Exit::device} when there is none, saying where it was looked for
std::unique_ptr<Compiler> make_nvrtc(const JitOptions& options);

/// Finds the host's C++ compiler: $CXX, else `c++`. @throws Error{Exit::device} when it cannot be
/// run
std::unique_ptr<Compiler> make_host_compiler(const JitOptions& options);

/// The options that set what a kernel sees besides its sources: real, GROUP_SIZE, BLOCK_SIZE.
std::vector<std::string> definitions(Precision precision, int group_size, int block_size);

/// The first error of a compiler's log with the source line below it; the log's first line where no
/// error stands out.
std::string first_error(const std::string& log);

/// Resource use per kernel as ptxas -v reports it in an NVRTC log.
std::vector<KernelUsage> parse_usage(const std::string& log);

}  // namespace mjjit
