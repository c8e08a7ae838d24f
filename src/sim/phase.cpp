#include "sim/phase.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define MJJIT_NVTX 1
#endif

namespace mjjit {

#ifdef MJJIT_NVTX
namespace {

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("mjjit");
  return handle;
}

}  // namespace

Phase::Phase(const char* name) {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(domain(), name);
  nvtxDomainRangePushEx(domain(), &event);
}

Phase::~Phase() { nvtxDomainRangePop(domain()); }

bool Phase::is_marked() { return true; }
#else
Phase::Phase(const char* /*name*/) {}
Phase::~Phase() = default;
bool Phase::is_marked() { return false; }
#endif

}  // namespace mjjit
