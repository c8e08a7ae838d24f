#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/error.h"
#include "mjcf/limits.h"
#include "model/mesh.h"
#include "model/mesh_read.h"

namespace mjjit {
namespace {

// a grid needs a cell
void require_grid(const SpecHField& spec, int nrow, int ncol) {
  if (nrow < 2 || ncol < 2 || int64_t{nrow} * ncol > kMostNumbers) {
    fail(spec.source,
         "hfield '{}'{}: {} rows and {} columns; at least 2 of each are needed, and at most {} "
         "heights",
         spec.name, spec.file.empty() ? "" : fmt::format(", '{}'", spec.file), nrow, ncol,
         kMostNumbers);
  }
}

/// One reading of a PNG image. The library reports errors by longjmp, so nothing with a destructor
/// may live in the functions that call it under setjmp.
class PngReader {
 public:
  explicit PngReader(const std::string& bytes) : bytes_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    info_ = png_create_info_struct(png_);
    png_set_read_fn(png_, this, on_read);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  /// Reads size and format, and asks for 8 bits a channel.
  /// @return false on an error, which message() then tells
  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) {
      return false;
    }
    png_set_user_limits(png_, 1 << 20, 1 << 20);
    png_read_info(png_, info_);
    png_set_palette_to_rgb(png_);
    png_set_expand_gray_1_2_4_to_8(png_);
    png_set_strip_16(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) {
      return false;
    }
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  int width() const { return static_cast<int>(png_get_image_width(png_, info_)); }
  int height() const { return static_cast<int>(png_get_image_height(png_, info_)); }
  size_t row_bytes() const { return png_get_rowbytes(png_, info_); }
  size_t channels() const { return png_get_channels(png_, info_); }
  const char* message() const { return message_; }

 private:
  static void on_error(png_structp png, png_const_charp text) {
    auto* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::snprintf(self->message_, sizeof(self->message_), "%s", text);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp /*png*/, png_const_charp /*text*/) {}
  static void on_read(png_structp png, png_bytep to, size_t count) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self->bytes_.size() - self->at_) {
      png_error(png, "the file ends too early");
    }
    std::memcpy(to, self->bytes_.data() + self->at_, count);
    self->at_ += count;
  }

  const std::string& bytes_;
  size_t at_ = 0;
  char message_[100] = "no message";
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

// heights from an image's grey, of a coloured one the red; the image's last row is the field's
// first
HFieldData parse_png(const SpecHField& spec, const std::string& bytes) {
  PngReader png(bytes);
  if (!png.read_header()) {
    fail(spec.source, "hfield '{}': '{}' is not a valid PNG: {}", spec.name, spec.file,
         png.message());
  }
  HFieldData field;
  field.ncol = png.width();
  field.nrow = png.height();
  require_grid(spec, field.nrow, field.ncol);
  std::vector<png_byte> pixels(png.row_bytes() * static_cast<size_t>(field.nrow));
  std::vector<png_bytep> rows(static_cast<size_t>(field.nrow));
  for (size_t r = 0; r < rows.size(); r++) {
    rows[r] = pixels.data() + png.row_bytes() * r;
  }
  if (!png.read_rows(rows.data())) {
    fail(spec.source, "hfield '{}': '{}' is not a valid PNG: {}", spec.name, spec.file,
         png.message());
  }
  const auto columns = static_cast<size_t>(field.ncol);
  field.data.reserve(rows.size() * columns);
  for (size_t r = rows.size(); r > 0; r--) {
    for (size_t c = 0; c < columns; c++) {
      field.data.push_back(rows[r - 1][c * png.channels()]);
    }
  }
  return field;
}

// MuJoCo's format: int32 rows, int32 columns, float32 heights row by row
HFieldData parse_binary(const SpecHField& spec, const std::string& bytes) {
  int32_t size[2] = {0, 0};
  if (bytes.size() < sizeof(size)) {
    fail(spec.source,
         "hfield '{}': '{}' is too short: {} bytes, of which the header alone takes {}", spec.name,
         spec.file, bytes.size(), sizeof(size));
  }
  std::memcpy(size, bytes.data(), sizeof(size));
  require_grid(spec, size[0], size[1]);
  const uint64_t count = static_cast<uint64_t>(size[0]) * static_cast<uint64_t>(size[1]);
  const uint64_t expected = sizeof(size) + count * sizeof(float);
  if (bytes.size() != expected) {
    fail(spec.source,
         "hfield '{}': the size of '{}' does not fit its header: {} x {} heights need {} bytes, it "
         "has {}",
         spec.name, spec.file, size[0], size[1], expected, bytes.size());
  }
  HFieldData field{size[0], size[1], std::vector<float>(count)};
  std::memcpy(field.data.data(), bytes.data() + sizeof(size), count * sizeof(float));
  return field;
}

HFieldData read_file(const SpecHField& spec) {
  if (!spec.userdata.empty()) {
    fail(spec.source, "hfield '{}': heights are given both by file '{}' and by elevation",
         spec.name, spec.file);
  }
  const std::string bytes =
      meshes::read_asset(spec.source, fmt::format("hfield '{}'", spec.name), spec.file);
  const std::string extension = meshes::extension_of(spec.file);
  const std::string type = !spec.content_type.empty() ? spec.content_type
                           : extension == ".png"      ? "image/png"
                                                      : "image/vnd.mujoco.hfield";
  if (type == "image/png") {
    return parse_png(spec, bytes);
  }
  for (const char* other : {".stl", ".obj", ".ply", ".msh", ".ktx"}) {
    if (extension == other && spec.content_type.empty()) {
      fail(spec.source,
           "hfield '{}': '{}' is no height field; PNG and MuJoCo's binary format can be read",
           spec.name, spec.file);
    }
  }
  if (type != "image/vnd.mujoco.hfield") {
    fail(spec.source,
         "hfield '{}': content_type '{}' is not supported; image/png and image/vnd.mujoco.hfield "
         "are",
         spec.name, type);
  }
  return parse_binary(spec, bytes);
}

// heights given in the scene; all zero where only the size was
HFieldData read_inline(const SpecHField& spec) {
  if (spec.nrow == 0 || spec.ncol == 0) {
    fail(spec.source, "hfield '{}': give its file, or nrow and ncol", spec.name);
  }
  require_grid(spec, spec.nrow, spec.ncol);
  const size_t count = static_cast<size_t>(spec.nrow) * static_cast<size_t>(spec.ncol);
  if (!spec.userdata.empty() && spec.userdata.size() != count) {
    fail(spec.source, "hfield '{}': elevation has {} numbers; {} rows of {} need {}", spec.name,
         spec.userdata.size(), spec.nrow, spec.ncol, count);
  }
  return {spec.nrow, spec.ncol, spec.userdata.empty() ? std::vector<float>(count) : spec.userdata};
}

// moves the lowest height to 0 and scales the highest to 1; a level field stays at 0
void normalise(std::vector<float>& data) {
  const auto [lowest, highest] = std::minmax_element(data.begin(), data.end());
  const float low = *lowest, range = *highest - low;
  for (float& height : data) {
    height -= low;
    if (double{range} > 1e-14) {
      height /= range;
    }
  }
}

}  // namespace

HFieldData compile_hfield(const SpecHField& spec) {
  for (const double x : spec.size) {
    if (!(x > 0)) {
      fail(spec.source,
           "hfield '{}': all four numbers of size must be positive: they are {} {} {} {}",
           spec.name, spec.size[0], spec.size[1], spec.size[2], spec.size[3]);
    }
  }
  HFieldData field = spec.file.empty() ? read_inline(spec) : read_file(spec);
  for (size_t i = 0; i < field.data.size(); i++) {
    if (!std::isfinite(field.data[i])) {
      fail(spec.source, "hfield '{}': height {} is not finite", spec.name, i);
    }
  }
  normalise(field.data);
  return field;
}

}  // namespace mjjit
