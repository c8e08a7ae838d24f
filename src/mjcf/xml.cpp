#include "mjcf/xml.h"

#include <tinyxml2.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/files.h"

namespace mjjit::mjcf {
namespace {

using Document = tinyxml2::XMLDocument;

constexpr int kMostDepth = 98;  // compiled into the library; the document itself takes two levels

/// What is wrong with a document that the library could not parse.
std::string parse_problem(const Document& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no XML element";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "malformed XML: an end tag does not match its start tag";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "malformed XML: an attribute is given twice or is not of the form name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
    case tinyxml2::XML_ERROR_PARSING:
      return "malformed XML: an element is not closed";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "malformed XML: a comment is not closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format(
          "elements are nested deeper than {}, the limit of the XML library (TinyXML-2); an "
          "<include> begins anew",
          kMostDepth);
    default:
      return fmt::format("malformed XML ({})",
                         tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID()));
  }
}

class Loader {
 public:
  Loader(std::string main_file, std::vector<std::string>& warnings)
      : warnings_(warnings), main_file_(std::move(main_file)) {
    files_.insert(join_path("", main_file_));
  }

  /// @param folder   of the file, empty for the main file
  Element load(std::string_view text, const std::string& file, const std::string& folder) {
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
      // the library would take it for the end of the file
      const auto line = 1 + std::count(text.begin(), text.begin() + zero, '\n');
      mjjit::fail(Source{file, static_cast<int>(line)},
                  "malformed XML: a byte is zero; the file must be text in UTF-8");
    }
    Document document;
    document.Parse(text.data(), text.size());
    if (document.Error()) {
      const int line = std::max(1, document.ErrorLineNum());
      mjjit::fail(Source{file, line}, "{}", parse_problem(document));
    }
    const tinyxml2::XMLElement* root = document.RootElement();
    if (!root) {
      mjjit::fail(Source{file, 1}, "the file holds no XML element");
    }
    if (const auto* second = root->NextSiblingElement()) {
      mjjit::fail(Source{file, second->GetLineNum()},
                  "malformed XML: <{}> is a second root element, after <{}>", second->Name(),
                  root->Name());
    }
    return convert(*root, file, folder);
  }

 private:
  Element convert(const tinyxml2::XMLElement& xml, const std::string& file,
                  const std::string& folder) {
    Element element;
    element.tag = xml.Name();
    element.source = {file, xml.GetLineNum()};
    element.folder = folder;
    for (const auto* a = xml.FirstAttribute(); a; a = a->Next()) {
      element.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
    }
    for (const auto* node = xml.FirstChild(); node; node = node->NextSibling()) {
      if (const tinyxml2::XMLText* text = node->ToText()) {
        warn_of(*text, element);
      }
      const tinyxml2::XMLElement* child = node->ToElement();
      if (!child) {
        continue;
      }
      Element converted = convert(*child, file, folder);
      if (converted.tag == "include") {
        include(converted, element.children);
      } else {
        element.children.push_back(std::move(converted));
      }
    }
    return element;
  }

  /// MJCF has no text between its elements; MuJoCo reads past it, and so do we, but not silently.
  void warn_of(const tinyxml2::XMLText& text, const Element& element) {
    constexpr std::size_t kMostShown = 40;
    std::string shown = text.Value();
    shown.erase(0, shown.find_first_not_of(" \t\r\n"));
    shown.erase(shown.find_last_not_of(" \t\r\n") + 1);
    if (shown.size() > kMostShown) {
      shown = shown.substr(0, kMostShown) + "...";
    }
    warnings_.push_back(fmt::format("{}:{}: {}: text '{}' between elements is left out",
                                    element.source.file, text.GetLineNum(), element.label(),
                                    shown));
  }

  /// Puts the children of an included file's root in the place of the <include> element.
  void include(const Element& element, std::vector<Element>& into) {
    for (const Attribute& attribute : element.attributes) {
      if (attribute.name != "file") {
        mjjit::fail(element.source, "<include>: unknown attribute '{}'", attribute.name);
      }
    }
    const std::string* name = element.find("file");
    if (!name || name->empty()) {
      fail(element, "attribute 'file' is missing");
    }
    if (!element.children.empty()) {
      fail(element, "an include cannot have children");
    }
    const std::string path = find(element, *name);
    if (!files_.insert(path).second) {
      fail(element, "file '{}' is included already", path);
    }
    Element root = load(read_file(path), path, folder_of(path));
    if (root.children.empty()) {
      fail(element, "file '{}' has nothing to include", path);
    }
    for (Element& child : root.children) {
      into.push_back(std::move(child));
    }
  }

  std::string find(const Element& element, const std::string& name) const {
    const std::string beside_main = join_path(folder_of(main_file_), name);
    if (is_file(beside_main)) {
      return beside_main;
    }
    const std::string beside_includer = join_path(element.folder, name);
    if (!element.folder.empty() && is_file(beside_includer)) {
      return beside_includer;
    }
    if (element.folder.empty() || beside_includer == beside_main) {
      fail(element, "file '{}' {}", beside_main, file_problem(beside_main));
    }
    fail(element, "file '{}' is not there: '{}' {}, '{}' {}", name, beside_main,
         file_problem(beside_main), beside_includer, file_problem(beside_includer));
  }

  std::vector<std::string>& warnings_;
  std::string main_file_;
  std::set<std::string> files_;
};

}  // namespace

Element load_xml(const std::string& path, std::vector<std::string>& warnings) {
  return Loader(path, warnings).load(read_file(path), path, "");
}

Element parse_xml(std::string_view text, const std::string& name,
                  std::vector<std::string>& warnings) {
  return Loader(name, warnings).load(text, name, "");
}

}  // namespace mjjit::mjcf
