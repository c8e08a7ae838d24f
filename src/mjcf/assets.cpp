#include <algorithm>

#include "base/files.h"
#include "mjcf/elements.h"
#include "mjcf/limits.h"
#include "mjcf/sections.h"
#include "mjcf/values.h"

namespace mjjit::mjcf {
namespace {

/// Finds the file of an asset: in the folder that <compiler> names, beside the main file; else
/// beside the included file that the element stands in.
/// @throws Error{Exit::input} naming the paths tried
/// @param own_folder   the folder of this kind of asset; empty: the one of all assets
std::string find_file(const Element& element, const std::string& name,
                      const std::string& own_folder, const ModelFile& file) {
  const std::string& folder = own_folder.empty() ? file.folders.asset : own_folder;
  const std::string wanted = file.folders.strippath ? file_name(name) : name;
  const std::string first = join_path(folder_of(file.path), join_path(folder, wanted));
  if (is_file(first)) {
    return first;
  }
  const std::string second = join_path(element.folder, wanted);
  if (!element.folder.empty() && is_file(second)) {
    return second;
  }
  if (element.folder.empty() || first == second) {
    fail(element, "file '{}' {}", first, file_problem(first));
  }
  fail(element, "file '{}' is not there: '{}' {}, '{}' {}", name, first, file_problem(first),
       second, file_problem(second));
}

/// A name that is not given is the file's, without folder and extension.
std::string asset_name(const Element& element, const std::string& file) {
  std::string name;
  read(element, "name", name);
  if (name.empty() && !file.empty()) {
    name = file_stem(file);
  }
  if (name.empty()) {
    fail(element, "it needs a name");
  }
  return name;
}

void read_mesh(const Element& element, ModelFile& file) {
  SpecMesh mesh = file.defaults.of(element, "main").mesh;
  mesh.source = element.source;
  read_mesh_common(element, mesh);
  read(element, "content_type", mesh.content_type);
  read(element, "refpos", mesh.refpos);
  if (read(element, "refquat", mesh.refquat) > 0 && mesh.refquat == Quat{0, 0, 0, 0}) {
    fail(element, "attribute 'refquat' is zero, which is no orientation");
  }
  mesh.uservert = read_list<float>(element, "vertex");
  mesh.userface = read_list<int>(element, "face");
  mesh.params = read_list<double>(element, "params");
  if (std::string builtin; read(element, "builtin", builtin) && builtin != "none") {
    mesh.builtin = builtin;
    if (mesh.params.empty()) {
      fail(element, "attribute 'params' is missing, which builtin=\"{}\" needs", builtin);
    }
  }

  std::string name;
  read(element, "file", name);
  mesh.name = asset_name(element, name);
  if (mesh.uservert.size() % 3 != 0) {
    fail(element, "attribute 'vertex' has {} values, must have three a vertex",
         mesh.uservert.size());
  }
  if (mesh.userface.size() % 3 != 0) {
    fail(element, "attribute 'face' has {} values, must have three a face", mesh.userface.size());
  }
  const std::size_t normals = read_list<double>(element, "normal").size();
  if (normals % 3 != 0) {
    fail(element, "attribute 'normal' has {} values, must have three a normal", normals);
  }
  const std::size_t texcoords = read_list<double>(element, "texcoord").size();
  if (texcoords % 2 != 0) {
    fail(element, "attribute 'texcoord' has {} values, must have two a vertex", texcoords);
  }
  if (texcoords > 0 && !mesh.uservert.empty() && texcoords / 2 != mesh.uservert.size() / 3) {
    fail(element, "attribute 'texcoord' has {} values, must have two for each of {} vertices",
         texcoords, mesh.uservert.size() / 3);
  }
  if (name.empty() && mesh.uservert.empty() && mesh.builtin.empty() && element.children.empty()) {
    fail(element, "it has neither file nor vertex nor builtin");
  }
  if (!name.empty()) {
    mesh.file = find_file(element, name, file.folders.mesh, file);
  }
  for (const Element& child : element.children) {
    file.unsupported(child.source, "<plugin> of a mesh");
  }
  file.names.add(Kind::mesh, mesh.name, mesh.source);
  file.spec.meshes.push_back(std::move(mesh));
}

void read_hfield(const Element& element, ModelFile& file) {
  SpecHField hfield;
  hfield.source = element.source;
  read(element, "content_type", hfield.content_type);
  read(element, "nrow", hfield.nrow);
  read(element, "ncol", hfield.ncol);
  read(element, "size", hfield.size);
  std::string name;
  if (read(element, "file", name) && name.empty()) {
    fail(element, "attribute 'file' is empty");
  }
  hfield.name = asset_name(element, name);
  if (!name.empty()) {
    hfield.file = find_file(element, name, file.folders.mesh, file);
  } else {
    if (hfield.nrow < 1 || hfield.ncol < 1) {
      fail(element, "it has no file, so nrow and ncol must be positive");
    }

    // the text has the last row first, as one would draw it
    const auto count =
        static_cast<std::size_t>(hfield.nrow) * static_cast<std::size_t>(hfield.ncol);
    if (count > kMostNumbers) {
      fail(element, "attributes 'nrow' and 'ncol' are {} and {}, there can be at most {} heights",
           hfield.nrow, hfield.ncol, kMostNumbers);
    }
    const std::vector<float> elevation = read_list<float>(element, "elevation");
    if (!elevation.empty() && elevation.size() != count) {
      fail(element, "attribute 'elevation' has {} values, must have nrow x ncol = {}",
           elevation.size(), count);
    }
    for (int row = hfield.nrow - 1; row >= 0 && !elevation.empty(); row--) {
      const auto first = elevation.begin() + static_cast<std::ptrdiff_t>(row) * hfield.ncol;
      hfield.userdata.insert(hfield.userdata.end(), first, first + hfield.ncol);
    }
  }
  file.names.add(Kind::hfield, hfield.name, hfield.source);
  file.spec.hfields.push_back(std::move(hfield));
}

/// A texture is a pattern with a size, or has files.
void check_pixels(const Element& element, const TextureDefault& texture, bool has_file,
                  bool has_side_file) {
  constexpr int k2d = 0;
  if (texture.builtin != 0) {
    const std::pair<const char*, int> sizes[] = {{"width", texture.width},
                                                 {"height", texture.height}};
    for (const auto& [attribute, pixels] : sizes) {
      const bool is_used = attribute == sizes[0].first || texture.type == k2d;
      if (is_used && pixels < 1) {
        fail(element, "attribute '{}' is {}, must be positive for a builtin texture", attribute,
             pixels);
      }
    }
    if (texture.nchannel != 3) {
      fail(element, "attribute 'nchannel' is {}, must be 3 for a builtin texture",
           texture.nchannel);
    }
  } else if (!has_file && texture.type == k2d) {
    fail(element, "it has neither 'file' nor 'builtin', one of which type=\"2d\" needs");
  } else if (!has_file && !has_side_file) {
    fail(element, "it has neither 'file' nor 'builtin' nor a file of a side, as 'fileright'");
  }
}

/// The number of cells of a texture's grid must fit its layout, its pixels must come from
/// somewhere, and its files must be there; the rest of a texture is read past.
void read_texture(const Element& element, ModelFile& file) {
  TextureDefault values = file.defaults.of(element, "main").texture;
  read_texture_common(element, values);
  std::string name, image, type;
  read(element, "name", name);
  read(element, "file", image);
  read(element, "type", type);
  if (name.empty() && !(image.empty() && type == "skybox")) {
    name = asset_name(element, image);
  }
  std::array<int, 2> grid = {1, 1};
  read(element, "gridsize", grid);
  if (std::string layout; read(element, "gridlayout", layout)) {
    if (static_cast<long>(layout.size()) != static_cast<long>(grid[0]) * grid[1]) {
      fail(element, "attribute 'gridlayout' has {} characters, must have one a cell of gridsize",
           layout.size());
    }
  }
  bool has_side_file = false;
  for (const char* attribute :
       {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
    if (std::string path; read(element, attribute, path) && !path.empty()) {
      find_file(element, path, file.folders.texture, file);
      has_side_file = true;
    }
  }
  check_pixels(element, values, !image.empty(), has_side_file);
  file.names.add(Kind::texture, name, element.source);
  file.textures.push_back({element.source, name, {}});
}

void read_material(const Element& element, ModelFile& file) {
  PastEntry material{element.source, asset_name(element, ""), {}};
  std::string texture = file.defaults.of(element, "main").material_texture;
  read(element, "texture", texture);
  if (!texture.empty() && element.children.empty()) {  // layers take the class's place
    material.textures.push_back(texture);
  }
  for (const Element& layer : element.children) {
    if (element.has("texture")) {
      fail(layer, "a material has either the attribute texture or layers");
    }
    material.textures.push_back(*layer.find("texture"));
  }
  file.names.add(Kind::material, material.name, material.source);
  file.materials.push_back(std::move(material));
}

void read_skin(const Element& element, ModelFile& file) {
  PastEntry skin{element.source, "", {}};
  read(element, "name", skin.name);
  if (int group; read(element, "group", group) && (group < 0 || group > 5)) {
    fail(element, "attribute 'group' is {}, must be 0 to 5", group);
  }
  if (std::string path; read(element, "file", path) && !path.empty()) {
    find_file(element, path, file.folders.mesh, file);
  }
  file.names.add(Kind::skin, skin.name, skin.source);
  file.skins.push_back(std::move(skin));
}

/// Reads another model, from which <attach> takes parts.
void read_model(const Element& element, ModelFile& file) {
  const std::string* name = element.find("file");
  const std::string beside_main = join_path(folder_of(file.path), *name);
  std::string path = beside_main;
  if (!is_file(path) && !element.folder.empty()) {
    path = join_path(element.folder, *name);
  }
  if (!is_file(path)) {
    fail(element, "file '{}' {}", beside_main, file_problem(beside_main));
  }
  if (std::find(file.opening.begin(), file.opening.end(), path) != file.opening.end()) {
    fail(element, "file '{}' is a model of itself", path);
  }
  auto model = read_model_file(path, file.key_counter, file.opening);
  if (const std::string* given = element.find("name"); given && !given->empty()) {
    model->spec.modelname = *given;
  }
  file.models.emplace(model->spec.modelname, model);  // of two with one name the first counts
}

}  // namespace

void read_asset(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    if (element.tag == "mesh") {
      read_mesh(element, file);
    } else if (element.tag == "hfield") {
      read_hfield(element, file);
    } else if (element.tag == "texture") {
      read_texture(element, file);
    } else if (element.tag == "material") {
      read_material(element, file);
    } else if (element.tag == "skin") {
      read_skin(element, file);
    } else {
      read_model(element, file);
    }
  }
}

void read_deformable(const Element& section, ModelFile& file) {
  for (const Element& element : section.children) {
    if (element.tag == "skin") {
      read_skin(element, file);
      continue;
    }
    file.unsupported(element.source, "<flex>");
    if (const std::string* name = element.find("name")) {
      file.names.add(Kind::flex, *name, element.source);
    }
  }
}

}  // namespace mjjit::mjcf
