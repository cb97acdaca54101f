// NVTX is header only: it finds a profiler when there is one, and does nothing else.
#include "src/cuda/nvtx_range.hpp"

#include <fmt/format.h>

#include <lanework/registry.hpp>

#if LANEWORK_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace lanework {

#if LANEWORK_HAS_NVTX
namespace {

nvtxDomainHandle_t domain() {
    static const nvtxDomainHandle_t handle = nvtxDomainCreateA(kNvtxDomain);
    return handle;
}

}  // namespace

NvtxRange::NvtxRange(const std::string& name) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.c_str();
    nvtxDomainRangePushEx(domain(), &attributes);
}

NvtxRange::~NvtxRange() { nvtxDomainRangePop(domain()); }
#else
NvtxRange::NvtxRange(const std::string&) {}
NvtxRange::~NvtxRange() = default;
#endif

std::string range_name(const Operation& operation, const Rung& rung, const Problem& problem) {
    std::string name = fmt::format("{}/{} {} {}", operation.name, rung.name, format_extents(operation, problem),
                                   name_of(problem.dtype));
    if (!operation.variants.empty()) name += fmt::format(" {}", operation.variants[problem.variant]);
    return name;
}

}  // namespace lanework
