#include "report/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

namespace mjjit {
namespace {

/// The processor's name from /proc/cpuinfo; empty where there is none.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "";
}

}  // namespace

Environment host_environment(const char* commit, const char* version, const char* build, int argc,
                             const char* const* argv) {
  Environment environment;
  environment.commit = commit;
  environment.version = version;
  environment.build = build;
  environment.command.assign(argv, argv + argc);
  environment.processor = processor_name();
  utsname system = {};
  if (uname(&system) == 0) {
    environment.host = system.nodename;
    environment.system = std::string(system.sysname) + " " + system.release + " " + system.machine;
  }
  return environment;
}

}  // namespace mjjit
