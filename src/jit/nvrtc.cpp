#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "jit/compiler.h"
#include "jit/nvrtc_library.h"
#include "jit/scratch.h"

namespace mjjit {

namespace {

/// The 90 of "sm_90" or "sm_90a". @throws Error{Exit::input} for anything else
int arch_number(const std::string& arch) {
  int number = 0;
  if (arch.starts_with("sm_")) {
    const char* end = arch.data() + arch.size();
    const auto [at, code] = std::from_chars(arch.data() + 3, end, number);
    const bool has_letter = end - at == 1 && (*at == 'a' || *at == 'f');
    if (code == std::errc() && number >= 50 && (at == end || has_letter)) {
      return number;
    }
  }
  fail(Exit::input, "--arch '{}': a CUDA architecture such as sm_90 was expected", arch);
}

/// Lets malloc keep what is freed. A module takes tens of MB that are free again after it: given
/// back to the system and asked for anew they are 66,000 page faults for aloha_pot, kept 15,000,
/// and threads wait for each other at a page fault.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

/// A program object that is destroyed with its scope.
class NvrtcProgram {
 public:
  NvrtcProgram(const NvrtcLibrary& nvrtc, const std::vector<SourceFile>& sources) : nvrtc_(nvrtc) {
    std::vector<const char*> texts, names;
    for (std::size_t i = 1; i < sources.size(); ++i) {
      texts.push_back(sources[i].text.c_str());
      names.push_back(sources[i].name.c_str());
    }
    check(nvrtc_.create(&program_, sources[0].text.c_str(), sources[0].name.c_str(),
                        static_cast<int>(texts.size()), texts.data(), names.data()),
          "nvrtcCreateProgram");
  }
  ~NvrtcProgram() { nvrtc_.destroy(&program_); }
  NvrtcProgram(const NvrtcProgram&) = delete;
  NvrtcProgram& operator=(const NvrtcProgram&) = delete;

  NvrtcLibrary::Result compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) {
      pointers.push_back(option.c_str());
    }
    return nvrtc_.compile(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const {
    std::size_t size = 0;
    if (nvrtc_.log_size(program_, &size) != 0 || size <= 1) {
      return "";
    }
    std::string text(size, '\0');
    return nvrtc_.log(program_, text.data()) == 0 ? text.substr(0, size - 1) : "";
  }

  std::vector<char> cubin() const {
    std::size_t size = 0;
    check(nvrtc_.cubin_size(program_, &size), "nvrtcGetCUBINSize");
    std::vector<char> image(size);
    check(nvrtc_.cubin(program_, image.data()), "nvrtcGetCUBIN");
    return image;
  }

 private:
  void check(NvrtcLibrary::Result result, const char* call) const {
    if (result != 0) {
      fail(Exit::device, "{}: {}", call, nvrtc_.error_string(result));
    }
  }

  const NvrtcLibrary& nvrtc_;
  NvrtcLibrary::Program program_ = nullptr;
};

class Nvrtc final : public Compiler {
 public:
  explicit Nvrtc(const JitOptions& options)
      : nvrtc_(open_nvrtc()),
        precision_(options.precision),
        arch_(options.arch),
        is_cache_off_(options.compiler_cache_off) {
    keep_freed_memory();
    const int wanted = arch_number(arch_);
    int count = 0;
    nvrtc_.arch_count(&count);
    std::vector<int> known(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0 && nvrtc_.archs(known.data()) == 0 &&
        std::find(known.begin(), known.end(), wanted) == known.end()) {
      fail(Exit::device, "{} ({}) does not know {}: it compiles for sm_{} to sm_{}", name(),
           nvrtc_.file, arch_, *std::min_element(known.begin(), known.end()),
           *std::max_element(known.begin(), known.end()));
    }
  }

  std::string name() const override {
    return fmt::format("NVRTC {}.{}", nvrtc_.major, nvrtc_.minor);
  }

  /// The version has no patch number, so the library's size stands in for it.
  std::string identity() const override {
    std::error_code ignored;
    return fmt::format("{} {}", name(), std::filesystem::file_size(nvrtc_.file, ignored));
  }

  std::vector<std::string> options(const Module& module) const override {
    std::vector<std::string> all = {"-arch=" + arch_, "-std=c++20",         "--no-source-include",
                                    "-lineinfo",      "--ptxas-options=-v", "-default-device"};
    for (const std::string& definition :
         definitions(precision_, module.group_size, module.block_size)) {
      all.push_back(definition);
    }
    if (is_since(12, 4)) {
      all.emplace_back("--minimal");  // no textures or launches from kernels: 5 ms less a module
    }
    return all;
  }

  CompilerOutput compile(const Module& module,
                         const std::vector<SourceFile>& sources) const override {
    std::vector<std::string> all = options(module);
    if (is_cache_off_ && is_since(12, 9)) {  // before that it has no cache
      all.emplace_back("--no-cache");
    }
    NvrtcProgram program(nvrtc_, sources);
    const NvrtcLibrary::Result result = program.compile(all);
    const std::string log = program.log();
    if (result != 0) {
      fail(Exit::device, "module {} does not compile for {} ({}: {}):\n{}\nfull log: {}",
           module.name, arch_, name(), nvrtc_.error_string(result), first_error(log),
           keep_log(module.name, describe(all) + log));
    }
    return {program.cubin(), parse_usage(log)};
  }

 private:
  /// Whether NVRTC has options that came with a version; before that they are errors.
  bool is_since(int major, int minor) const {
    return nvrtc_.major > major || (nvrtc_.major == major && nvrtc_.minor >= minor);
  }

  std::string describe(const std::vector<std::string>& all) const {
    std::string text = fmt::format("{} ({})\n", name(), nvrtc_.file);
    for (const std::string& option : all) {
      text += option + "\n";
    }
    return text + "\n";
  }

  NvrtcLibrary nvrtc_;
  Precision precision_;
  std::string arch_;
  bool is_cache_off_;
};

}  // namespace

std::unique_ptr<Compiler> make_nvrtc(const JitOptions& options) {
  return std::make_unique<Nvrtc>(options);
}

}  // namespace mjjit
