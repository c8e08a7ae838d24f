#include <charconv>
#include <sstream>

#include "jit/compiler.h"

namespace mjjit {

namespace {

/// The number that ends right before `unit`, such as 96 in "Used 96 registers"; 0 where the unit
/// does not occur.
int number_before(const std::string& line, const std::string& unit) {
  const std::size_t end = line.find(" " + unit);
  if (end == std::string::npos) {
    return 0;
  }
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') {
    --begin;
  }
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

/// Text between two marks of a line, empty when they are not there.
std::string between(const std::string& line, const std::string& before, const std::string& after) {
  const std::size_t begin = line.find(before);
  if (begin == std::string::npos) {
    return "";
  }
  const std::size_t from = begin + before.size();
  const std::size_t end = line.find(after, from);
  return end == std::string::npos ? "" : line.substr(from, end - from);
}

}  // namespace

std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  std::string line, first, found;
  int left = 0;  // lines still to be taken after the error: the source line and the mark below it
  while (std::getline(lines, line)) {
    if (first.empty()) {
      first = line;
    }
    if (found.empty() && line.find("error") != std::string::npos) {
      found = line;
      left = 2;
    } else if (left > 0) {
      --left;
      found += "\n" + line;
    }
  }
  return !found.empty() ? found : !first.empty() ? first : "the compiler said nothing";
}

std::vector<KernelUsage> parse_usage(const std::string& log) {
  std::vector<KernelUsage> all;
  bool is_kernel =
      false;  // the properties that follow are an entry point's, not those of a function it calls
  std::istringstream lines(log);
  std::string line;
  while (std::getline(lines, line)) {
    if (const std::string name = between(line, "Compiling entry function '", "'"); !name.empty()) {
      all.push_back({});
      all.back().kernel = name;
    }
    if (all.empty()) {
      continue;
    }
    KernelUsage& usage = all.back();
    if (const std::size_t at = line.find("Function properties for "); at != std::string::npos) {
      is_kernel = line.substr(at).ends_with(" " + usage.kernel);
    } else if (line.find("bytes stack frame") != std::string::npos && is_kernel) {
      usage.stack_bytes = number_before(line, "bytes stack frame");
      usage.spill_store_bytes = number_before(line, "bytes spill stores");
      usage.spill_load_bytes = number_before(line, "bytes spill loads");
    } else if (line.find("Used ") != std::string::npos) {
      usage.registers = number_before(line, "registers");
      usage.shared_bytes = number_before(line, "bytes smem");
    }
  }
  return all;
}

}  // namespace mjjit
