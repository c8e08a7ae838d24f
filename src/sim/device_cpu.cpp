// The CPU device. Worlds do not see each other, so a thread takes a few neighbouring worlds and
// carries each of them through all launches of all steps before it turns to the next: a world's
// state (tens of kB) stays in the thread's cache from launch to launch and from step to step, and
// no thread waits for another between steps. Totals over the worlds are integers that are added
// atomically, so no result depends on the number of threads.
#include "sim/device_cpu.h"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "sim/loaded_library.h"
#include "sim/thread_pool.h"

namespace mjjit {

namespace {

using KernelFunction = void(const void* model, const void* data, int world);

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) {
    return CPU_COUNT(&set);
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Value of a line "key : value" of a file under /proc; empty when there is none.
std::string proc_value(const char* file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos) {
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  }
  return "";
}

std::size_t proc_memory(const std::string& key) {
  return std::strtoull(proc_value("/proc/meminfo", key).c_str(), nullptr, 10) * 1024;
}

/// Zeroed memory in large pieces, so that the many arrays of a run share huge pages. Arrays begin
/// at different distances from a multiple of the page size; otherwise the same world's slices of
/// all of them could fall into a few cache sets.
class Arena {
 public:
  Arena() = default;
  ~Arena() { clear(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// @return null when there is no memory
  void* allocate(std::size_t bytes) {
    const std::size_t room = (bytes + line - 1) / line * line + line;
    if (pieces_.empty() || pieces_.back().size - pieces_.back().used < room) {
      const std::size_t size =
          std::max(piece_bytes, (room + huge_page - 1) / huge_page * huge_page);
      void* memory =
          mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) {
        return nullptr;
      }
      madvise(memory, size, MADV_HUGEPAGE);
      pieces_.push_back({static_cast<char*>(memory), size, 0});
    }
    Piece& piece = pieces_.back();
    void* memory = piece.memory + piece.used;
    piece.used += room;
    return memory;
  }

  void clear() {
    for (const Piece& piece : pieces_) {
      munmap(piece.memory, piece.size);
    }
    pieces_.clear();
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::size_t piece_bytes = std::size_t{32} << 20;
  struct Piece {
    char* memory;
    std::size_t size, used;
  };
  std::vector<Piece> pieces_;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(int threads) : pool_(threads > 0 ? threads : available_processors()) {}

  DeviceInfo info() const override {
    DeviceInfo info;
    info.name = proc_value("/proc/cpuinfo", "model name");
    if (info.name.empty()) {
      info.name = "unknown processor";
    }
    info.id = "cpu";
    info.arch = "native";
    info.memory_total = proc_memory("MemTotal");
    info.memory_free = proc_memory("MemAvailable");
    info.threads = pool_.size();
    return info;
  }

  Backend backend() const override { return Backend::cpu; }

  void* allocate(std::size_t bytes) override {
    void* memory = arena_.allocate(bytes);
    if (memory == nullptr) {
      fail(Exit::device, "cpu: {} bytes of memory were asked for, {} are free", bytes,
           proc_memory("MemAvailable"));
    }
    allocated_ += bytes;
    peak_ = std::max(peak_, allocated_);
    return memory;
  }

  void zero(void* device, std::size_t bytes) override { std::memset(device, 0, bytes); }
  void upload(void* device, const void* host, std::size_t bytes) override {
    std::memcpy(device, host, bytes);
  }
  void download(void* host, const void* device, std::size_t bytes) override {
    std::memcpy(host, device, bytes);
  }
  std::size_t allocated_bytes() const override { return allocated_; }
  std::size_t peak_bytes() const override { return peak_; }

  void clear() override {
    prepared_.clear();
    modules_.clear();
    arena_.clear();
    allocated_ = 0;
  }

  void load(const Program& program) override {
    for (const CompiledModule& module : program.modules) {
      modules_[module.name] = load_library(module.name, module.image);
    }
  }

  int prepare(const Plan&, const std::vector<Launch>& launches, const std::vector<char>& model,
              const std::vector<char>& data, int nworld) override {
    Prepared list{{}, model, data, nworld};
    for (const Launch& launch : launches) {
      const auto module = modules_.find(launch.module);
      KernelFunction* kernel = nullptr;
      if (module == modules_.end() || !module->second.get(launch.kernel.c_str(), kernel)) {
        fail(Exit::device, "kernel {} is not in module {}", launch.kernel, launch.module);
      }
      list.kernels.push_back(kernel);
    }
    prepared_.push_back(std::move(list));
    return static_cast<int>(prepared_.size()) - 1;
  }

  double run(int handle, int times, bool sync_each_step) override {
    const Prepared& list = prepared_.at(static_cast<std::size_t>(handle));
    const Stopwatch clock;
    const int rounds = sync_each_step ? times : 1;
    for (int round = 0; round < rounds; ++round) {
      for_worlds(list.nworld, [&](int world) {
        for (int step = 0; step < times / rounds; ++step) {
          for (KernelFunction* kernel : list.kernels) {
            kernel(list.model.data(), list.data.data(), world);
          }
        }
      });
    }
    return clock.seconds();
  }

  std::vector<double> trace(int handle) override {
    const Prepared& list = prepared_.at(static_cast<std::size_t>(handle));
    std::vector<double> ms;
    for (KernelFunction* kernel : list.kernels) {
      const Stopwatch clock;
      for_worlds(list.nworld,
                 [&](int world) { kernel(list.model.data(), list.data.data(), world); });
      ms.push_back(clock.ms());
    }
    return ms;
  }

 private:
  struct Prepared {
    std::vector<KernelFunction*> kernels;
    std::vector<char> model, data;  // images of the structs, aligned by the allocator
    int nworld;
  };

  /// Neighbours share cache lines in arrays with one value a world, so a thread takes up to 16
  /// worlds at a time; fewer where there would be too few turns to keep all threads busy to the
  /// end.
  template <typename Function>
  void for_worlds(int nworld, Function step) {
    const int block = std::clamp(nworld / (pool_.size() * 16), 1, 16);
    pool_.run((nworld + block - 1) / block, [&](int i) {
      const int end = std::min(nworld, (i + 1) * block);
      for (int world = i * block; world < end; ++world) {
        step(world);
      }
    });
  }

  ThreadPool pool_;
  Arena arena_;
  std::size_t allocated_ = 0, peak_ = 0;
  std::map<std::string, DynLib> modules_;
  std::vector<Prepared> prepared_;
};

}  // namespace

std::unique_ptr<Device> open_cpu_device(int threads) {
  return std::make_unique<CpuDevice>(threads);
}

}  // namespace mjjit
