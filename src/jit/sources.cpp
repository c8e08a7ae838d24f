#include "jit/sources.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "base/error.h"

namespace mjjit {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void collect_words(std::string_view text, std::unordered_set<std::string_view>& words) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word(text[at])) {
      ++at;
    }
    words.insert(text.substr(begin, at - begin));
  }
}

/// Calls f with every line of a text, without its end.
template <typename Function>
void for_lines(std::string_view text, Function f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// NAME of a line `constexpr int NAME = 3;`, empty for other lines.
std::string_view constant_name(std::string_view line) {
  const std::size_t equals = line.find(" = ");
  if (!line.starts_with("constexpr ") || equals == std::string_view::npos) {
    return {};
  }
  const std::string_view left = line.substr(0, equals);
  return left.substr(left.rfind(' ') + 1);
}

std::string_view find_text(const std::string& name, const std::string& from,
                           const std::vector<EmbeddedFile>& files) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) {
      return file.text;
    }
  }
  fail(Exit::device, "kernel file {} is not part of this build{}", name,
       from.empty() ? "" : " (included by " + from + ")");
}

}  // namespace

std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  for_lines(text, [&](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    constexpr std::string_view start = "#include \"";
    const std::size_t end = line.find('"', start.size());
    if (line.starts_with(start) && end != std::string_view::npos) {
      names.emplace_back(line.substr(start.size(), end - start.size()));
    }
  });
  return names;
}

std::string used_constants(const std::string& header, const std::vector<SourceFile>& files) {
  std::unordered_set<std::string_view> words;
  for (const SourceFile& file : files) {
    collect_words(file.text, words);
  }
  std::string text;
  for_lines(header, [&](std::string_view line) {
    const std::string_view name = constant_name(line);
    if (name.empty() || words.contains(name)) {
      text += line;
      text += '\n';
    }
  });
  return text;
}

std::vector<SourceFile> module_sources(const std::string& file, Backend backend,
                                       const std::string& sizes_h,
                                       const std::vector<EmbeddedFile>& files) {
  const std::string dialect = backend == Backend::cuda ? "dialect_cuda.cuh" : "dialect_cpu.cuh";
  std::vector<SourceFile> sources = {{file, std::string(find_text(file, "", files))}};
  bool wants_sizes = false;

  // breadth first; the list grows while it is walked
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const std::string& name : included_names(sources[i].text)) {
      if (name == "sizes.h") {
        wants_sizes = true;
        continue;
      }
      if (std::none_of(sources.begin(), sources.end(),
                       [&](const SourceFile& s) { return s.name == name; })) {
        sources.push_back({name, std::string(find_text(name == "dialect.h" ? dialect : name,
                                                       sources[i].name, files))});
      }
    }
  }
  if (wants_sizes) {
    sources.push_back({"sizes.h", used_constants(sizes_h, sources)});
  }
  return sources;
}

}  // namespace mjjit
