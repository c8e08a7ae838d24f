#include "options.h"

#include <CLI/CLI.hpp>
#include <limits>

#include "base/error.h"
#include "base/numbers.h"
#include "commit.h"

namespace mjjit {
namespace {

constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr int kMostSteps = 10'000'000;  // the counters of each step are kept
constexpr int kMostSize = 1 << 24;

/// Adds flags to a CLI11 app; numbers are read strictly and checked here, so that every message
/// names the flag.
class Flags {
 public:
  explicit Flags(CLI::App* app) : app_(app) {}

  void group(const char* name) { group_ = name; }

  template <typename T>
  void number(const std::string& name, T* out, T least, T most, const std::string& help) {
    checked(name, help, std::is_integral_v<T> ? "N" : "X", fmt::format("{}", *out),
            [=](const std::string& text) { *out = in_range(name, text, least, most); });
  }

  void number(const std::string& name, std::optional<int>* out, int least, int most,
              const std::string& help) {
    checked(name, help, "N", "",
            [=](const std::string& text) { *out = in_range(name, text, least, most); });
  }

  void text(const std::string& name, std::string* out, const std::string& type,
            const std::string& help) {
    checked(name, help, type, *out, [=](const std::string& value) {
      if (value.empty()) {
        fail(Exit::input, "{}: must not be empty", name);
      }
      *out = value;
    });
  }

  template <typename T>
  void choice(const std::string& name, T* out, std::vector<std::pair<std::string, T>> values,
              const std::string& help) {
    std::vector<std::string> words;
    std::string first;
    for (const auto& [word, value] : values) {
      words.push_back(word);
      first = value == *out ? word : first;
    }
    checked(name, help, fmt::format("{}", fmt::join(words, "|")), first,
            [=](const std::string& text) {
              for (const auto& [word, value] : values) {
                if (word == text) {
                  *out = value;
                  return;
                }
              }
              fail(Exit::input, "{}: '{}' is none of {}", name, text, fmt::join(words, ", "));
            });
  }

  void flag(const std::string& name, bool* out, const std::string& help) {
    app_->add_flag(name, *out, help)->group(group_);
  }

  void list(const std::string& name, std::vector<std::string>* out, const std::string& type,
            const std::string& help) {
    app_->add_option(name, *out, help)->type_name(type)->allow_extra_args(false)->group(group_);
  }

 private:
  void checked(const std::string& name, const std::string& help, const std::string& type,
               const std::string& preset, const std::function<void(const std::string&)>& set) {
    CLI::Option* option =
        app_->add_option_function<std::string>(name, set, help)->type_name(type)->group(group_);
    if (!preset.empty()) {
      option->default_str(preset);
    }
  }

  template <typename T>
  static T in_range(const std::string& name, const std::string& text, T least, T most) {
    T value = {};
    const NumberStatus status = parse_number(text, value);
    if (status == NumberStatus::malformed) {
      fail(Exit::input, "{}: '{}' is not a {}", name, text,
           std::is_integral_v<T> ? "whole number" : "number");
    }
    if (status == NumberStatus::too_large || value < least || value > most) {
      fail(Exit::input, "{}: {} is out of range, expected {} to {}", name, text, least, most);
    }
    return value;
  }

  CLI::App* app_;
  std::string group_;
};

void add_run_flags(Flags* flags, Options* out) {
  flags->group("Scene");
  flags->number("--keyframe", &out->keyframe, -1, kMostInt,
                "keyframe to start from and to hold the control of, 0 if not given; -1: none");
  flags->text("--replay", &out->replay, "FILE.npz",
              "control sequence to follow: ctrl, and optionally times, qpos, qvel");
  flags->list("-o,--override", &out->overrides, "opt.NAME=VALUE",
              "change an option of the scene, e.g. opt.solver=cg; may be repeated");
  flags->flag("--ignore_unsupported", &out->ignore_unsupported,
              "leave out features that are not there yet, with a warning each");

  flags->group("Run");
  flags->number("--nworld", &out->nworld, 1, kMostInt, "parallel worlds");
  flags->number("--nstep", &out->nstep, 1, kMostSteps,
                "steps; 1000 if not given, or the length of the replay");
  flags->number("--nconmax", &out->sizes.nconmax, 0, kMostSize,
                "contacts a world has room for; found by a trial if not given");
  flags->number("--njmax", &out->sizes.njmax, 0, kMostSize,
                "constraint rows a world has room for; found by a trial if not given");
  flags->number("--nccdmax", &out->sizes.nccdmax, 0, kMostSize,
                "near pairs of convex geoms a world has room for");
  flags->number("--noise_std", &out->noise_std, 0.0, 1e6,
                "control noise, as a share of half the control range");
  flags->number("--noise_rate", &out->noise_rate, 0.0, 1e6,
                "seconds in which the control follows its centre; 0: at once");
  flags->text("--function", &out->function, "NAME",
              "what to time: step, forward, or one stage of a step");
  flags->choice("--overflow_behavior", &out->stop_on_overflow,
                {{"error", true}, {"continue", false}}, "what to do when a world does not fit");
  flags->flag("--sync_each_step", &out->sync_each_step,
              "wait after each step and leave control noise untimed");
}

void add_device_flags(Flags* flags, Options* out) {
  flags->group("Device");
  flags->text("--device", &out->device, "cpu|cuda:N",
              "where to run; the first GPU if not given, else the CPU");
  flags->choice("--precision", &out->precision,
                {{"float", Precision::single_}, {"double", Precision::double_}},
                "numbers of the kernels");
  flags->number("--threads", &out->threads, 0, 4096, "CPU threads; 0: all");

  flags->group("JIT");
  flags->number("--load_module_max_workers", &out->workers, 0, 4096,
                "threads that compile; 0: one a processor");
  flags->flag("--clear_kernel_cache", &out->clear_kernel_cache,
              "compile everything anew, with the compiler's own cache off too");
  flags->text("--kernel_cache_dir", &out->kernel_cache_dir, "DIR",
              "folder of the kernel cache; $XDG_CACHE_HOME/mjjit if not given");
  flags->flag("--compile_only", &out->compile_only,
              "compile all modules, print their figures, then stop");
  flags->text("--arch", &out->arch, "ARCH",
              "architecture to compile for: sm_90, or a -march of the host's compiler");
  flags->flag("--dry_run", &out->dry_run, "print sizes, modules and memory, then stop");
}

void add_output_flags(Flags* flags, Options* out) {
  flags->group("Output");
  flags->number("--verbosity", &out->verbosity, 0, 3,
                "1: a line a module; 2: also those of trials");
  flags->choice("--format", &out->format,
                {{"human", Format::human}, {"short", Format::short_}, {"json", Format::json}},
                "of stdout");
  flags->text("--output", &out->output, "FILE.json",
              "write the result as JSON, besides what stdout gets");
  flags->text("--dump", &out->dump, "FILE.npz",
              "write the model, world 0 after a forward pass, and its trajectory");
  flags->flag("--event_trace", &out->event_trace, "time each launch of a step");
  flags->flag("--measure_alloc", &out->measure_alloc,
              "print contacts and constraint rows along the run");
  flags->flag("--measure_solver", &out->measure_solver, "print solver iterations along the run");
  flags->flag("--memory", &out->memory, "print memory by array");
  flags->flag("--info", &out->info, "print all sizes and options of the model");
  flags->choice("--color", &out->color,
                {{"auto", ColorChoice::automatic},
                 {"always", ColorChoice::always},
                 {"never", ColorChoice::never}},
                "colour in messages");
  flags->flag("--profile", &out->profile,
              "for an outside profiler: NVTX ranges, and the run in one piece");

  flags->group("Checks");
  flags->text("--expect_hash", &out->expect_hash, "HASH",
              "exit with 1 when the state hash is another one");
  flags->flag("--require_converged", &out->require_converged,
              "exit with 1 when a world does not stay finite");
}

void check_together(const Options& options) {
  if (!options.arch.empty() && !options.compile_only && options.arch.rfind("sm_", 0) == 0) {
    fail(Exit::input, "--arch {}: needs --compile_only; a run uses the architecture of its device",
         options.arch);
  }
  if (!options.arch.empty() && options.dry_run) {
    fail(Exit::input, "--arch {}: --dry_run compiles nothing", options.arch);
  }
  if (options.clear_kernel_cache && options.dry_run) {
    fail(Exit::input, "--clear_kernel_cache: --dry_run compiles nothing");
  }
  if (options.keyframe && !options.replay.empty()) {
    fail(Exit::input, "--keyframe {}: excluded by --replay, which has its own start",
         *options.keyframe);
  }
  if (!options.dump.empty() && options.function != "step") {
    fail(Exit::input, "--dump: needs --function step");
  }
  if (options.compile_only && options.dry_run) {
    fail(Exit::input, "--compile_only and --dry_run exclude each other");
  }
  const std::pair<const char*, bool> of_a_rollout[] = {
      {"--expect_hash", !options.expect_hash.empty()},
      {"--require_converged", options.require_converged},
      {"--dump", !options.dump.empty()},
      {"--event_trace", options.event_trace},
      {"--measure_alloc", options.measure_alloc},
      {"--measure_solver", options.measure_solver},
      {"--profile", options.profile},
      {"--sync_each_step", options.sync_each_step},
      {"--keyframe", options.keyframe && options.compile_only},
      {"--replay", !options.replay.empty() && options.compile_only},
  };
  for (const auto& [flag, is_given] : of_a_rollout) {
    if (is_given && (options.compile_only || options.dry_run)) {
      fail(Exit::input, "{}: needs a rollout; {} does none", flag,
           options.compile_only ? "--compile_only" : "--dry_run");
    }
  }
  const bool is_hash =
      options.expect_hash.empty() ||
      (options.expect_hash.size() == 32 &&
       options.expect_hash.find_first_not_of("0123456789abcdef") == std::string::npos);
  if (!is_hash) {
    fail(Exit::input, "--expect_hash {}: not a state hash, which has 32 digits of 0-9 and a-f",
         options.expect_hash);
  }
}

}  // namespace

std::optional<Options> read_options(int argc, const char* const* argv, std::string* text) {
  Options options;
  CLI::App app(
      "Measures how fast many copies of an MJCF scene are simulated, and how long their kernels "
      "take to compile.",
      "testspeed");
  app.set_version_flag("--version", fmt::format("testspeed {} ({})", MJJIT_VERSION, MJJIT_COMMIT));
  app.get_formatter()->column_width(36);
  app.footer(
      "Exit codes: 0 good, 1 a check failed, 2 bad input, 3 overflow, 4 device, memory or JIT, 130 "
      "interrupted.");
  app.add_option("SCENE", options.scene, "MJCF file")->required()->type_name("FILE.xml");
  Flags flags(&app);
  add_run_flags(&flags, &options);
  add_device_flags(&flags, &options);
  add_output_flags(&flags, &options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    *text = app.help();
    return std::nullopt;
  } catch (const CLI::CallForVersion&) {
    *text = app.version() + "\n";
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    fail(Exit::input, "{} (testspeed --help lists the flags)", error.what());
  }
  check_together(options);
  return options;
}

}  // namespace mjjit
