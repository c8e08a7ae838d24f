#include "sim/rollout.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/clock.h"
#include "base/error.h"
#include "sim/dump.h"
#include "sim/phase.h"
#include "sim/state_hash.h"

namespace mjjit {
namespace {

constexpr int kFewWorlds = 256;   // a run of no more than these is its own trial
constexpr int kMostAttempts = 8;  // each doubles what did not suffice
constexpr int kTraces = 10;       // repetitions that a launch's time is the mean of

/// How often a run looks for an interruption and tells how far it is.
constexpr double kPieceSeconds = 0.1;

/// A run in the making: options and hooks, so that the functions below pass one thing around.
struct Run {
  Device& device;
  const Model& model;
  const RolloutOptions& options;
  const RolloutWatch& watch;

  void note(const std::string& text) const {
    if (watch.on_note) {
      watch.on_note(text);
    }
  }
  bool stopped() const { return watch.stop && watch.stop(); }
};

std::unique_ptr<Session> open_session(const Run& run, const RunSetup& setup,
                                      const SizeRequest& sizes, bool is_trial) {
  const Phase phase("compile");
  JitOptions jit = run.options.jit;
  jit.on_module = [&run, is_trial](const CompiledModule& module) {
    if (run.watch.on_module) {
      run.watch.on_module(module, is_trial);
    }
  };
  if (run.watch.on_compile) {
    const Plan plan =
        make_plan(run.model, run_sizes(run.model, sizes), setup.precision, run.device.backend());
    run.watch.on_compile(static_cast<int>(plan.modules.size()), is_trial);
  }
  return std::make_unique<Session>(run.device, run.model, setup, sizes, jit);
}

/// Worlds and steps of a trial: enough to meet what is usual, few enough to take a second or so on
/// one core. Nothing here depends on time, so that the same command finds the same sizes.
RunSetup trial_setup(const Run& run) {
  RunSetup setup = run.options.setup;
  constexpr int kDofSteps = 5'000'000;
  const int world_steps = std::max(1000, kDofSteps / std::max(1, run.model.nv));
  setup.nworld = std::min(setup.nworld, std::clamp(world_steps / 100, 8, 64));
  setup.nstep = std::min(setup.nstep, std::max(20, std::min(1000, world_steps / setup.nworld)));
  setup.sync_each_step = false;
  setup.with_dump = false;
  return setup;
}

/// Runs a few worlds with generous sizes until nothing overflows; what they wanted, with head-room,
/// is the answer.
SizeRequest find_sizes(const Run& run) {
  const SizeRequest& request = run.options.sizes;
  const RunSetup setup = trial_setup(run);
  SizeRequest sizes = guess_sizes(run.model, request);
  Demand demand;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::unique_ptr<Session> session = open_session(run, setup, sizes, true);
    int done = 0;
    while (done < setup.nstep && !run.stopped()) {
      const int piece = std::min(setup.nstep - done, 50);
      session->advance(piece);
      done += piece;
    }
    demand = demand_of(session->counters(), setup.function == "step" ? done : 1);
    if (run.stopped() || overflows(run.model, sizes, demand).empty()) {
      break;
    }
    sizes = enlarged(run.model, request, sizes, demand);
  }
  sizes = sizes_from_demand(run.model, request, demand);
  run.note(fmt::format("sizes found by a trial of {} worlds, {} steps: {}", setup.nworld,
                       setup.nstep, size_flags(run.model, sizes)));
  return sizes;
}

/// The measured run, in pieces that grow until one takes long enough not to disturb the
/// measurement.
void run_steps(const Run& run, Session& session, Rollout* out, Trajectory* trajectory) {
  const Phase phase("measure");
  const int total = session.setup().nstep;
  int piece = run.options.in_one_piece && trajectory == nullptr ? total : 1;
  // one piece at least: an interruption always leaves something measured
  do {
    piece = std::min(piece, total - out->steps_done);
    const Stopwatch wall;
    out->run_seconds += session.advance(piece);
    out->steps_done += piece;
    if (trajectory != nullptr) {
      trajectory->record(session);
    } else if (wall.seconds() < kPieceSeconds / 2) {
      piece *= 2;
    }
    if (run.watch.on_steps) {
      run.watch.on_steps(out->steps_done, total);
    }
  } while (out->steps_done < total && !run.stopped());
  out->interrupted = out->steps_done < total;
}

template <typename T>
std::vector<bool> finite_worlds(const std::vector<char>& bytes, int nworld,
                                std::vector<bool> finite) {
  const std::size_t width = bytes.size() / sizeof(T) / static_cast<std::size_t>(nworld);
  for (std::size_t i = 0; width > 0 && i < bytes.size() / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    if (!std::isfinite(value)) {
      finite[i / width] = false;
    }
  }
  return finite;
}

/// Convergence and hash of the final state.
void read_state(const Session& session, Rollout* out) {
  const Buffers& buffers = session.buffers();
  const std::vector<std::vector<char>> state = {
      buffers.read_bytes("qpos"), buffers.read_bytes("qvel"), buffers.read_bytes("act")};
  out->state_hash = hash_of(state);
  const int nworld = session.setup().nworld;
  std::vector<bool> finite(static_cast<std::size_t>(nworld), true);
  for (std::size_t i = 0; i < 2; ++i) {
    finite = session.setup().precision == Precision::double_
                 ? finite_worlds<double>(state[i], nworld, finite)
                 : finite_worlds<float>(state[i], nworld, finite);
  }
  out->converged = static_cast<int>(std::count(finite.begin(), finite.end(), true));
  for (int world = 0; world < nworld && out->diverged.size() < 5; ++world) {
    if (!finite[static_cast<std::size_t>(world)]) {
      out->diverged.push_back(world);
    }
  }
}

void read_counters(const Run& run, const Session& session, Rollout* out) {
  const std::vector<int> counters = session.counters();
  const bool steps = session.setup().function == "step";
  const int rows = steps ? out->steps_done : 1;
  if (steps) {
    out->series = series_of(counters, rows);
  }
  out->overflow = overflows_of(run.model, session.sizes(), counters, rows, &out->overflow_worlds);
  out->overflow_worlds = std::min(out->overflow_worlds, session.setup().nworld);
  out->demand = demand_of(counters, rows);
}

/// Mean time of each launch over some more repetitions, from where the run ended.
void read_trace(Session& session, Rollout* out) {
  for (const Launch& launch : session.launches()) {
    out->trace.push_back({launch.stage, launch.kernel, 0});
  }
  for (int i = 0; i < kTraces; ++i) {
    const std::vector<double> ms = session.trace();
    for (std::size_t k = 0; k < out->trace.size() && k < ms.size(); ++k) {
      out->trace[k].ms += ms[k] / kTraces;
    }
  }
}

/// One attempt at the whole run with these sizes.
Rollout attempt(const Run& run, const SizeRequest& sizes) {
  Rollout out;
  std::unique_ptr<Session> session = open_session(run, run.options.setup, sizes, false);
  out.sizes = sizes;
  out.room = session->room();
  out.jit_seconds = session->jit_seconds();
  out.program = session->program();
  out.module_bytes = session->module_bytes();
  out.arrays = session->arrays();
  Trajectory trajectory;
  const bool with_dump = run.options.setup.with_dump;
  if (with_dump) {
    out.dump.emplace();
    dump_model(run.model, &*out.dump);
    session->forward();
    dump_world(run.model, *session, &*out.dump);
    session->reset();  // afresh: the forward pass left a warm start and a control behind
    trajectory.start(*session);
  }
  if (run.watch.on_ready) {
    run.watch.on_ready(*session);
  }
  run_steps(run, *session, &out, with_dump ? &trajectory : nullptr);
  if (with_dump) {
    trajectory.write(run.model, &*out.dump);
  }
  read_counters(run, *session, &out);
  read_state(*session, &out);
  out.total_bytes = run.device.peak_bytes();
  if (run.options.trace && !out.interrupted) {
    read_trace(*session, &out);
  }
  return out;
}

/// True when a limit that the user left out was too small, so that a larger one may be tried.
bool may_enlarge(const SizeRequest& request, const Rollout& out) {
  return std::any_of(out.overflow.begin(), out.overflow.end(), [&](const Overflow& over) {
    return over.limit == "njmax"     ? !request.njmax
           : over.limit == "nccdmax" ? !request.nccdmax
                                     : !request.nconmax;
  });
}

/// What the limits that were too small have in common with the message of an error.
[[noreturn]] void fail_overflow(const Rollout& out, int nworld) {
  std::string text;
  for (const Overflow& over : out.overflow) {
    text += text.empty() ? "" : "; ";
    text += describe(over, out, nworld);
  }
  throw Error(Exit::overflow, text);
}

}  // namespace

std::string describe(const Overflow& over, const Rollout& out, int nworld) {
  return fmt::format(
      "{} {} is too small: {} wanted (in {} of {} steps, in up to {} of {} worlds); {} would do",
      over.limit, over.room, over.wanted, over.steps, out.steps_done, out.overflow_worlds, nworld,
      over.remedy);
}

Rollout roll_out(Device& device, const Model& model, const RolloutOptions& options,
                 const RolloutWatch& watch) {
  const Run run = {device, model, options, watch};
  const Stopwatch finding;
  const bool find = !options.sizes.complete();
  const bool few = options.setup.nworld <= kFewWorlds;
  SizeRequest sizes = options.sizes;
  if (find && !few) {
    // what does not fit with the smallest sizes is refused before the trial
    const SizeRequest least = {sizes.nconmax.value_or(0), sizes.njmax.value_or(0),
                               sizes.nccdmax.value_or(0)};
    check_memory(device.info(),
                 memory_need(run_arrays(model, run_sizes(model, least), options.setup),
                             options.setup.nworld),
                 options.setup.nworld);
    sizes = find_sizes(run);
  } else if (find) {
    sizes = guess_sizes(model, sizes);
  }
  double trial_seconds = finding.seconds();
  for (int i = 0;; ++i) {
    const Stopwatch trying;
    Rollout out = attempt(run, sizes);
    out.sizes_found = find;
    out.trial_seconds = find ? trial_seconds : 0;
    if (out.overflow.empty() || out.interrupted) {
      return out;
    }
    if (!may_enlarge(options.sizes, out) || i == kMostAttempts) {
      if (options.stop_on_overflow) {
        fail_overflow(out, options.setup.nworld);
      }
      return out;
    }
    sizes = enlarged(model, options.sizes, sizes, out.demand);
    run.note(
        fmt::format("the sizes found do not suffice; again with {}", size_flags(model, sizes)));
    trial_seconds += trying.seconds();
  }
}

}  // namespace mjjit
