#include <png.h>

#include <cmath>
#include <random>

#include "catch.h"
#include "model/mesh.h"
#include "model/mesh_inputs.h"

namespace mjjit {
namespace {

using namespace test;

SpecHField hfield_spec(const std::string& path = "") {
  SpecHField spec;
  spec.source = {"scene.xml", 5};
  spec.name = "terrain";
  spec.file = path;
  spec.size = {1, 1, 1, 0.1};
  return spec;
}

SpecHField inline_spec(int nrow, int ncol, std::vector<float> heights) {
  SpecHField spec = hfield_spec();
  spec.nrow = nrow;
  spec.ncol = ncol;
  spec.userdata = std::move(heights);
  return spec;
}

std::string hfield_error(const SpecHField& spec) {
  try {
    compile_hfield(spec);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// image of 8-bit pixels, format as libpng's simple interface names it
std::string png_bytes(int width, int height, png_uint_32 format,
                      const std::vector<uint8_t>& pixels) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
  std::string bytes(size, '\0');
  png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
  bytes.resize(size);
  return bytes;
}

TEST_CASE("inline heights are moved and scaled to 0..1", "[hfield]") {
  const HFieldData field = compile_hfield(inline_spec(2, 3, {1, 2, 3, 3, 2, 5}));
  CHECK(field.nrow == 2);
  CHECK(field.ncol == 3);
  CHECK(field.data == std::vector<float>{0, 0.25f, 0.5f, 0.5f, 0.25f, 1});
}

TEST_CASE("level heights are zero, whether given or not", "[hfield]") {
  CHECK(compile_hfield(inline_spec(2, 2, {7, 7, 7, 7})).data == std::vector<float>(4, 0.f));
  CHECK(compile_hfield(inline_spec(2, 2, {})).data == std::vector<float>(4, 0.f));
}

TEST_CASE("an image's last row is the field's first, and of colours the red counts", "[hfield]") {
  const TemporaryFile grey("grey.png",
                           png_bytes(2, 3, PNG_FORMAT_GRAY, {100, 110, 120, 130, 140, 150}));
  const HFieldData field = compile_hfield(hfield_spec(grey.path()));
  CHECK(field.nrow == 3);
  CHECK(field.ncol == 2);
  CHECK(field.data == std::vector<float>{40 / 50.f, 1, 20 / 50.f, 30 / 50.f, 0, 10 / 50.f});

  const TemporaryFile colour(
      "colour.png", png_bytes(2, 2, PNG_FORMAT_RGB, {0, 9, 9, 10, 7, 7, 20, 1, 1, 40, 0, 200}));
  CHECK(compile_hfield(hfield_spec(colour.path())).data == std::vector<float>{0.5f, 1, 0, 0.25f});
}

TEST_CASE("MuJoCo's binary heights are read as they stand", "[hfield]") {
  const std::string bytes = raw_bytes<int32_t>({2, 3}) + raw_bytes<float>({0, 1, 2, 3, 4, 8});
  const TemporaryFile file("heights.bin", bytes);
  const HFieldData field = compile_hfield(hfield_spec(file.path()));
  CHECK(field.nrow == 2);
  CHECK(field.data == std::vector<float>{0, 0.125f, 0.25f, 0.375f, 0.5f, 1});

  const TemporaryFile cut("cut.bin", bytes.substr(0, bytes.size() - 1));
  CHECK_THAT(hfield_error(hfield_spec(cut.path())), ContainsSubstring("does not fit its header"));
}

TEST_CASE("unusable height fields are reported at the element", "[hfield]") {
  const auto check = [](const SpecHField& spec, const char* text) {
    CHECK_THAT(hfield_error(spec),
               ContainsSubstring("scene.xml:5: hfield 'terrain'") && ContainsSubstring(text));
  };
  check(hfield_spec(), "give its file");
  check(inline_spec(1, 3, {1, 2, 3}), "at least 2");
  check(inline_spec(-2, -2, {1, 2, 3, 4}), "at least 2");
  check(inline_spec(2, 2, {1, 2, 3}), "need 4");
  check(inline_spec(2, 2, {1, 2, 3, NAN}), "height 3 is not finite");
  check(hfield_spec("/nowhere/hills.png"), "/nowhere/hills.png");
  SpecHField spec = inline_spec(2, 2, {1, 2, 3, 4});
  spec.size[3] = 0;
  check(spec, "size must be positive");
  const TemporaryFile junk("junk.png", "no image");
  check(hfield_spec(junk.path()), "not a valid PNG");
  spec = hfield_spec(junk.path());
  spec.content_type = "image/ktx";
  check(spec, "content_type 'image/ktx'");
}

TEST_CASE("corrupted height fields load or are refused, and never crash", "[hfield]") {
  const unsigned seed = 4;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<uint8_t> pixels(20 * 20);
  for (uint8_t& pixel : pixels) {
    pixel = static_cast<uint8_t>(random() % 256);
  }
  const std::vector<std::pair<std::string, std::string>> files = {
      {"corrupted.png", png_bytes(20, 20, PNG_FORMAT_GRAY, pixels)},
      {"corrupted.bin", raw_bytes<int32_t>({2, 3}) + raw_bytes<float>({0, 1, 2, 3, 4, 8})}};
  int refused = 0;
  for (int i = 0; i < 2000; i++) {
    const auto& [name, good] = files[i % 2];
    std::string bytes = good;
    for (int n = 1 + random() % 3; n > 0; n--) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    if (i % 10 == 0) {
      bytes.resize(random() % bytes.size());
    }
    const TemporaryFile file(name, bytes);
    refused += hfield_error(hfield_spec(file.path())).empty() ? 0 : 1;
  }
  CHECK(refused > 500);
}

}  // namespace
}  // namespace mjjit
