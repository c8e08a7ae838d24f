#include "sim/buffers.h"

#include <cstring>
#include <iterator>
#include <string_view>

#include "base/error.h"

namespace mjjit {

namespace {

// the kernels' structs in either precision, as the kernels' own compilers lay them out
namespace image_float {
using real = float;
#include "../../kernels/structs.cuh"
}  // namespace image_float
namespace image_double {
using real = double;
#include "../../kernels/structs.cuh"
}  // namespace image_double

struct FloatImages {
  using Real = float;
  using ModelImage = image_float::Model;
  using DataImage = image_float::Data;
};
struct DoubleImages {
  using Real = double;
  using ModelImage = image_double::Model;
  using DataImage = image_double::Data;
};

// both structs are kernel parameters, of which CUDA takes 4 KiB
static_assert(sizeof(DoubleImages::ModelImage) + sizeof(DoubleImages::DataImage) <= 4096);

bool is_int_type(std::string_view type) { return type == "int"; }

template <typename T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

/// Values as they are on the device.
template <typename T>
std::vector<char> encode(const Array& array, Precision precision, const std::vector<T>& values) {
  if (array.is_int) {
    return bytes_of(std::vector<int>(values.begin(), values.end()));
  }
  return precision == Precision::single_
             ? bytes_of(std::vector<float>(values.begin(), values.end()))
             : bytes_of(std::vector<double>(values.begin(), values.end()));
}

template <typename From, typename To>
void decode_as(const std::vector<char>& bytes, std::vector<To>& values) {
  std::vector<From> raw(bytes.size() / sizeof(From));
  if (!raw.empty()) {
    std::memcpy(raw.data(), bytes.data(), bytes.size());
  }
  values.assign(raw.begin(), raw.end());
}

/// Values from the device as doubles or integers.
template <typename T>
std::vector<T> decode(const Array& array, Precision precision, const std::vector<char>& bytes) {
  std::vector<T> values;
  if (array.is_int) {
    decode_as<int>(bytes, values);
  } else if (precision == Precision::single_) {
    decode_as<float>(bytes, values);
  } else {
    decode_as<double>(bytes, values);
  }
  return values;
}

std::size_t count_of(const Array& array) {
  return static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.columns);
}

std::size_t world_bytes(const Array& array, Precision precision) {
  return count_of(array) * (array.is_int || precision == Precision::single_ ? 4 : 8);
}

/// Bytes with a unit, for messages.
std::string readable(std::size_t bytes) {
  constexpr const char* unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  std::size_t i = 0;
  for (; value >= 1000 && i + 1 < std::size(unit); ++i) {
    value /= 1000;
  }
  return fmt::format("{:.{}f} {}", value, i == 0 ? 0 : 2, unit[i]);
}

/// The compiled model's arrays in the order of list_arrays, each as the device wants it.
std::vector<std::vector<char>> encode_model(const Model& model, const std::vector<Array>& arrays,
                                            Precision precision) {
  std::vector<std::vector<char>> all;
#define FIELD(type, name, rows, columns)                                             \
  {                                                                                  \
    const Array& array = arrays[all.size()];                                         \
    if (model.name.size() != count_of(array)) {                                      \
      fail(Exit::input, "compiled model: {} has {} values, {} were expected", #name, \
           model.name.size(), count_of(array));                                      \
    }                                                                                \
    all.push_back(encode(array, precision, model.name));                             \
  }
#include "../../kernels/model_fields.def"
  return all;
}

template <typename T>
std::vector<char> image_bytes(const T& image) {
  std::vector<char> bytes(sizeof(T));
  std::memcpy(bytes.data(), &image, sizeof(T));
  return bytes;
}

}  // namespace

std::vector<Array> list_arrays(const Model& model, const RunSizes& wanted, Precision precision,
                               int nworld, bool with_dump) {
  // every size under the name that the field lists use for it
#define SIZE(name) [[maybe_unused]] const int name = model.name;
#include "../../kernels/model_fields.def"
  const RunSizes sizes = complete_sizes(model, wanted);
#define DECLARE(name) [[maybe_unused]] const int name = sizes.name;
  MJJIT_RUN_SIZES(DECLARE)
#undef DECLARE

  std::vector<Array> all;
  const auto add = [&](Array array) {
    const std::size_t copies = array.is_model ? 1 : static_cast<std::size_t>(nworld);
    array.bytes = copies * world_bytes(array, precision);
    all.push_back(std::move(array));
  };
#define FIELD(type, name, rows, columns) \
  add({#name, true, is_int_type(#type), (rows), (columns), 0});
#include "../../kernels/model_fields.def"
#define STATE(type, name, rows, columns) \
  add({#name, false, is_int_type(#type), (rows), (columns), 0});
#define DUMP(type, name, rows, columns)                            \
  if (with_dump) {                                                 \
    add({#name, false, is_int_type(#type), (rows), (columns), 0}); \
  }
#include "../../kernels/data_fields.def"
  return all;
}

MemoryNeed memory_need(const std::vector<Array>& arrays, int nworld) {
  MemoryNeed need;
  for (const Array& array : arrays) {
    (array.is_model ? need.model_bytes : need.data_bytes) += array.bytes;
    need.world_bytes += array.is_model ? 0 : array.bytes / static_cast<std::size_t>(nworld);
  }
  return need;
}

void check_memory(const DeviceInfo& device, const MemoryNeed& need, int nworld) {
  // a part stays free for the driver's own needs and for the rest of this process
  const std::size_t room = device.memory_free - device.memory_free / 32;
  if (need.total() <= room) {
    return;
  }
  const std::size_t fits = room > need.model_bytes && need.world_bytes > 0
                               ? (room - need.model_bytes) / need.world_bytes
                               : 0;
  fail(Exit::device, "--nworld {} needs {} on {}, which has {} free ({} a world): {}", nworld,
       readable(need.total()), device.id, readable(device.memory_free), readable(need.world_bytes),
       fits > 0 ? fmt::format("at most --nworld {} fits", fits)
                : std::string("not even one world fits"));
}

Buffers::Buffers(Device& device, const Model& model, const RunSizes& sizes, Precision precision,
                 int nworld, bool with_dump)
    : device_(device),
      precision_(precision),
      nworld_(nworld),
      nu_(model.nu),
      arrays_(list_arrays(model, sizes, precision, nworld, with_dump)) {
  for (const Array& array : arrays_) {
    memory_.push_back(array.bytes > 0 ? device_.allocate(array.bytes) : nullptr);
  }
  const std::vector<std::vector<char>> values = encode_model(model, arrays_, precision);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) {
      device_.upload(memory_[i], values[i].data(), values[i].size());
    }
  }
  if (precision_ == Precision::single_) {
    make_images<FloatImages>(model);
  } else {
    make_images<DoubleImages>(model);
  }
}

template <typename Images>
void Buffers::make_images(const Model& model) {
  using real = typename Images::Real;
  std::size_t next = 0;

  typename Images::ModelImage m{};
#define OPT(type, name, columns)                              \
  for (int i = 0; i < (columns); ++i) {                       \
    m.opt_##name[i] = static_cast<type>(model.opt_##name[i]); \
  }
#define FIELD(type, name, rows, columns) m.name = static_cast<const type*>(memory_[next++]);
#include "../../kernels/model_fields.def"
  m.stat_meaninertia = static_cast<real>(model.stat_meaninertia);
  model_image_ = image_bytes(m);

  const auto has_next = [&](const char* wanted) {
    return next < arrays_.size() && arrays_[next].name == wanted;
  };
  typename Images::DataImage d{};
  d.nworld = nworld_;
#define STATE(type, name, rows, columns) d.name = static_cast<type*>(memory_[next++]);
#define DUMP(type, name, rows, columns)           \
  if (has_next(#name)) {                          \
    d.name = static_cast<type*>(memory_[next++]); \
  }
#include "../../kernels/data_fields.def"
  data_image_ = image_bytes(d);
}

template <typename Images>
void Buffers::set_inputs() {
  using real = typename Images::Real;
  typename Images::DataImage d;
  std::memcpy(&d, data_image_.data(), sizeof(d));
  d.noise_std = static_cast<real>(noise_std_);
  d.noise_rate = static_cast<real>(noise_rate_);
  d.nreplay = nreplay_;
  d.replay_ctrl = static_cast<const real*>(replay_);
  d.step_counter = static_cast<int*>(counters_);
  d.nstep_counter = nstep_counter_;
  data_image_ = image_bytes(d);
}

void Buffers::update_inputs() {
  if (precision_ == Precision::single_) {
    set_inputs<FloatImages>();
  } else {
    set_inputs<DoubleImages>();
  }
}

void Buffers::set_noise(double std, double rate_seconds) {
  noise_std_ = std;
  noise_rate_ = rate_seconds;
  update_inputs();
}

void Buffers::set_replay(const std::vector<double>& ctrl, int rows) {
  const Array shape{"replay_ctrl", false, false, rows, nu_, 0};
  if (ctrl.size() != count_of(shape)) {
    fail(Exit::input, "replay: {} control values, {} rows of {} were expected", ctrl.size(), rows,
         nu_);
  }
  nreplay_ = rows;
  replay_ = nullptr;
  if (!ctrl.empty()) {
    const std::vector<char> bytes = encode(shape, precision_, ctrl);
    replay_ = device_.allocate(bytes.size());
    device_.upload(replay_, bytes.data(), bytes.size());
  }
  update_inputs();
}

void Buffers::set_counters(int steps) {
  nstep_counter_ = steps;
  counters_ = steps > 0 ? device_.allocate(sizeof(int) * NCOUNTER * static_cast<std::size_t>(steps))
                        : nullptr;
  update_inputs();
}

const Array* Buffers::find(const std::string& name) const {
  for (const Array& array : arrays_) {
    if (!array.is_model && array.name == name) {
      return &array;
    }
  }
  return nullptr;
}

std::size_t Buffers::index_of(const std::string& name) const {
  const Array* array = find(name);
  if (array == nullptr) {
    fail(Exit::device, "state array '{}' does not exist or was not allocated", name);
  }
  return static_cast<std::size_t>(array - arrays_.data());
}

void Buffers::fill(const std::string& name, const std::vector<double>& one_world) {
  const std::size_t i = index_of(name);
  if (one_world.size() != count_of(arrays_[i])) {
    fail(Exit::device, "state array '{}': {} values, {} were expected", name, one_world.size(),
         count_of(arrays_[i]));
  }
  const std::vector<char> row = encode(arrays_[i], precision_, one_world);
  if (row.empty()) {
    return;
  }
  std::vector<char> all;
  all.reserve(arrays_[i].bytes);
  for (int w = 0; w < nworld_; ++w) {
    all.insert(all.end(), row.begin(), row.end());
  }
  device_.upload(memory_[i], all.data(), all.size());
}

void Buffers::write(const std::string& name, int world, const std::vector<double>& values) {
  const std::size_t i = index_of(name);
  const std::vector<char> row = encode(arrays_[i], precision_, values);
  if (values.size() != count_of(arrays_[i]) || world < 0 || world >= nworld_) {
    fail(Exit::device,
         "state array '{}': {} values for world {}, {} for one of {} worlds were expected", name,
         values.size(), world, count_of(arrays_[i]), nworld_);
  }
  if (!row.empty()) {
    device_.upload(static_cast<char*>(memory_[i]) + row.size() * static_cast<std::size_t>(world),
                   row.data(), row.size());
  }
}

std::vector<char> Buffers::read_worlds(std::size_t index, int first, int worlds) const {
  if (first < 0 || worlds < 0 || worlds > nworld_ - first) {
    fail(Exit::device, "state array '{}': worlds {} to {} of {} were asked for",
         arrays_[index].name, first, first + worlds, nworld_);
  }
  const std::size_t stride = world_bytes(arrays_[index], precision_);
  std::vector<char> bytes(stride * static_cast<std::size_t>(worlds));
  if (!bytes.empty()) {
    device_.download(bytes.data(),
                     static_cast<char*>(memory_[index]) + stride * static_cast<std::size_t>(first),
                     bytes.size());
  }
  return bytes;
}

std::vector<double> Buffers::read(const std::string& name, int first, int worlds) const {
  const std::size_t i = index_of(name);
  return decode<double>(arrays_[i], precision_, read_worlds(i, first, worlds));
}

std::vector<int> Buffers::read_ints(const std::string& name, int first, int worlds) const {
  const std::size_t i = index_of(name);
  if (!arrays_[i].is_int) {
    fail(Exit::device, "state array '{}' does not hold integers", name);
  }
  return decode<int>(arrays_[i], precision_, read_worlds(i, first, worlds));
}

std::vector<char> Buffers::read_bytes(const std::string& name) const {
  return read_worlds(index_of(name), 0, nworld_);
}

std::vector<int> Buffers::counters() const {
  std::vector<int> values(static_cast<std::size_t>(nstep_counter_) * NCOUNTER);
  if (!values.empty()) {
    device_.download(values.data(), counters_, values.size() * sizeof(int));
  }
  return values;
}

void Buffers::clear_counters() {
  if (counters_ != nullptr) {
    device_.zero(counters_, sizeof(int) * NCOUNTER * static_cast<std::size_t>(nstep_counter_));
  }
}

void Buffers::clear() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i].is_model && arrays_[i].bytes > 0) {
      device_.zero(memory_[i], arrays_[i].bytes);
    }
  }
}

}  // namespace mjjit
