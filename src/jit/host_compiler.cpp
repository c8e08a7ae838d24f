#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "jit/compiler.h"
#include "jit/process.h"
#include "jit/scratch.h"

namespace mjjit {

namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string joined(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What -march=native looks at: the first processor's lines of /proc/cpuinfo but for those that
/// change while it runs.
std::string describe_processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string text, line;
  while (std::getline(in, line) && !line.empty()) {
    if (line.find("MHz") == std::string::npos && line.find("bogomips") == std::string::npos) {
      text += line + "\n";
    }
  }
  return text;
}

std::vector<char> read_image(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

class HostCompiler final : public Compiler {
 public:
  explicit HostCompiler(const JitOptions& options)
      : precision_(options.precision), arch_(options.arch.empty() ? "native" : options.arch) {
    const char* chosen = std::getenv("CXX");
    command_ = words(chosen != nullptr ? chosen : "");
    if (command_.empty()) {
      command_ = {"c++"};
    }
    std::vector<std::string> ask = command_;
    ask.emplace_back("--version");
    const ProcessResult result = run_process(ask);
    if (!result.was_started || result.exit_code != 0) {
      fail(Exit::device,
           "the host compiler '{}' cannot be run ({}): the cpu device compiles its kernels with "
           "it; install g++ or "
           "clang++, or name one in CXX",
           command_[0], first_line(result.output));
    }
    version_ = first_line(result.output);
    check_arch();
  }

  std::string name() const override { return version_; }

  std::string identity() const override {
    return joined(command_) + "\n" + version_ + "\n" +
           (arch_ == "native" ? describe_processor() : "");
  }

  std::vector<std::string> options(const Module&) const override {
    std::vector<std::string> all = {
        "-std=c++20", "-O3", "-march=" + arch_,
        // a named architecture is asked for to get the same bits everywhere: no fused
        // multiply-add where the compiler likes one
        arch_ == "native" ? "-ffp-contract=fast" : "-ffp-contract=off", "-fno-math-errno",
        "-fno-trapping-math", "-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables",
        "-fno-stack-protector", "-fvisibility=hidden", "-fPIC", "-shared"};
    for (const std::string& definition : definitions(precision_, 1, 1)) {
      all.push_back(definition);
    }
    return all;
  }

  CompilerOutput compile(const Module& module,
                         const std::vector<SourceFile>& sources) const override {
    const ScratchFolder folder;
    for (const SourceFile& source : sources) {
      write_text(folder.path() / source.name, source.text);
    }
    const std::filesystem::path image = folder.path() / "module.so";
    std::vector<std::string> command = command_;
    for (const std::string& option : options(module)) {
      command.push_back(option);
    }
    for (const std::string& word :
         {std::string("-o"), image.string(), std::string("-x"), std::string("c++"),
          (folder.path() / sources[0].name).string(), std::string("-lm")}) {
      command.push_back(word);
    }

    const ProcessResult result = run_process(command);
    CompilerOutput output{read_image(image), {}};
    if (result.exit_code != 0 || output.image.empty()) {
      const std::string log = replaced(result.output, folder.path().string() + "/", "");
      fail(Exit::device, "module {} does not compile for the cpu (exit code {}):\n{}\nfull log: {}",
           module.name, result.exit_code, first_error(log),
           keep_log(module.name, joined(command) + "\n\n" + log));
    }
    return output;
  }

 private:
  /// An architecture that the compiler does not know is the user's slip, not a module's.
  void check_arch() const {
    if (arch_ == "native") {
      return;
    }
    std::vector<std::string> ask = command_;
    for (const char* word : {"-E", "-x", "c++", "/dev/null", "-o", "/dev/null"}) {
      ask.emplace_back(word);
    }
    ask.push_back("-march=" + arch_);
    if (run_process(ask).exit_code != 0) {
      fail(Exit::input, "--arch {}: '{}' knows no -march={}", arch_, joined(command_), arch_);
    }
  }

  Precision precision_;
  std::string arch_;
  std::vector<std::string> command_;
  std::string version_;
};

}  // namespace

std::unique_ptr<Compiler> make_host_compiler(const JitOptions& options) {
  return std::make_unique<HostCompiler>(options);
}

std::vector<std::string> definitions(Precision precision, int group_size, int block_size) {
  return {fmt::format("-DMJJIT_REAL={}", precision == Precision::single_ ? "float" : "double"),
          fmt::format("-DGROUP_SIZE={}", group_size), fmt::format("-DBLOCK_SIZE={}", block_size)};
}

}  // namespace mjjit
