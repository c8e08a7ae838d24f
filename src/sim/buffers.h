#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../kernels/counters.cuh"
#include "sim/device.h"

namespace mjjit {

/// One array on the device: of the model, shared by all worlds, or of the batched state,
/// [world][rows][columns].
struct Array {
  std::string name;  // MuJoCo's: body_mass, qpos, efc_J
  bool is_model = false;
  bool is_int = false;  // else the kernels' real
  int rows = 0;         // of one world
  int columns = 0;
  std::size_t bytes = 0;  // of all worlds
};

/// All arrays of a run in the order of the field lists, as Buffers would allocate them: what
/// --memory and --dry_run show.
std::vector<Array> list_arrays(const Model& model, const RunSizes& sizes, Precision precision,
                               int nworld, bool with_dump);

/// Bytes of a list of arrays: of the model, of the state, and what one more world adds.
struct MemoryNeed {
  std::size_t model_bytes = 0;
  std::size_t data_bytes = 0;
  std::size_t world_bytes = 0;
  std::size_t total() const { return model_bytes + data_bytes; }
};
MemoryNeed memory_need(const std::vector<Array>& arrays, int nworld);

/// Refuses a run that does not fit into the device's free memory, before anything is allocated.
/// @throws Error{Exit::device} naming need, room and the largest --nworld that fits
void check_memory(const DeviceInfo& device, const MemoryNeed& need, int nworld);

/// The model and the batched state on a device, and the bytes of the Model and Data structs that
/// kernels are called with. The memory belongs to the device. The setters change the images, so
/// they come before Device::prepare.
class Buffers {
 public:
  /// Uploads the model; all state is zero.
  /// @param with_dump  allocate the DUMP fields too; else kernels find them null
  Buffers(Device& device, const Model& model, const RunSizes& sizes, Precision precision,
          int nworld, bool with_dump);

  /// Ornstein-Uhlenbeck control noise: its size as a share of half the control range, and its lag
  /// in seconds (0: none).
  void set_noise(double std, double rate_seconds);
  /// Centre of the control at every step, [rows × nu]; beyond its end the last row holds. No rows:
  /// ctrl is left alone.
  void set_replay(const std::vector<double>& ctrl, int rows);
  /// Makes room for the totals of `steps` steps (see Counter), all zero; 0: not wanted.
  void set_counters(int steps);

  const std::vector<char>& model_image() const { return model_image_; }
  const std::vector<char>& data_image() const { return data_image_; }
  const std::vector<Array>& arrays() const { return arrays_; }

  /// The array of the state called so; null where there is none, or where it is a DUMP field and
  /// these were not wanted.
  const Array* find(const std::string& name) const;

  /// Sets the same values, [rows × columns], in every world.
  void fill(const std::string& name, const std::vector<double>& one_world);
  /// Sets the values of one world.
  void write(const std::string& name, int world, const std::vector<double>& values);
  /// Values of `worlds` worlds from `first` on, [worlds × rows × columns]; integers are exact.
  std::vector<double> read(const std::string& name, int first, int worlds) const;
  std::vector<int> read_ints(const std::string& name, int first, int worlds) const;
  /// The bytes of all worlds as they are on the device (float, double or int), for the state hash.
  std::vector<char> read_bytes(const std::string& name) const;

  /// The totals so far, [steps × NCOUNTER]; clear_counters zeroes them.
  std::vector<int> counters() const;
  void clear_counters();

  /// Zeroes all state (not the counters), as after construction.
  void clear();

 private:
  std::size_t index_of(const std::string& name) const;
  std::vector<char> read_worlds(std::size_t index, int first, int worlds) const;
  template <typename Images>
  void make_images(const Model& model);
  template <typename Images>
  void set_inputs();
  void update_inputs();

  Device& device_;
  Precision precision_;
  int nworld_;
  int nu_ = 0;
  std::vector<Array> arrays_;
  std::vector<void*> memory_;  // beside arrays_; null: empty or not allocated
  std::vector<char> model_image_;
  std::vector<char> data_image_;
  // what Data holds besides the arrays
  double noise_std_ = 0;
  double noise_rate_ = 0;
  void* replay_ = nullptr;
  int nreplay_ = 0;
  void* counters_ = nullptr;
  int nstep_counter_ = 0;
};

}  // namespace mjjit
