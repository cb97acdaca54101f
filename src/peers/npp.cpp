// NPP by dlopen.
#include "src/peers/npp.hpp"

#include <lanework/error.hpp>
#include <map>
#include <mutex>
#include <string>

#include "src/core/shared_library.hpp"
#include "src/cuda/check.hpp"

#if __has_include(<nppdefs.h>)
#include <nppdefs.h>
// Where the toolkit has NPP's own header, what is declared here is held against it.
static_assert(sizeof(lanework::NppStream) == sizeof(NppStreamContext) &&
              offsetof(lanework::NppStream, shared_memory_of_block) == offsetof(NppStreamContext, nSharedMemPerBlock) &&
              offsetof(lanework::NppStream, flags) == offsetof(NppStreamContext, nStreamFlags));
static_assert(sizeof(lanework::NppSize) == sizeof(NppiSize) && offsetof(NppiSize, width) == 0);
static_assert(sizeof(lanework::NppPoint) == sizeof(NppiPoint) && offsetof(NppiPoint, x) == 0);
static_assert(sizeof(lanework::NppRect) == sizeof(NppiRect) && offsetof(NppiRect, width) == 8);
static_assert(lanework::kNppReplicate == NPP_BORDER_REPLICATE && lanework::kNppMirror == NPP_BORDER_MIRROR &&
              lanework::kNppMask3x3 == NPP_MASK_SIZE_3_X_3 && lanework::kNppLinear == NPPI_INTER_LINEAR);
#endif

namespace lanework {
namespace {

constexpr const char* kColours[] = {"libnppicc.so.13", "libnppicc.so.12"};
constexpr const char* kFilters[] = {"libnppif.so.13", "libnppif.so.12"};
constexpr const char* kGeometry[] = {"libnppig.so.13", "libnppig.so.12"};
constexpr const char* kCore[] = {"libnppc.so.13", "libnppc.so.12"};

/// Never closed: as with cuBLAS, the driver may be gone by then.
const SharedLibrary& library_of(NppPart part) {
    static const SharedLibrary& colours = *new SharedLibrary(kColours);
    static const SharedLibrary& filters = *new SharedLibrary(kFilters);
    static const SharedLibrary& geometry = *new SharedLibrary(kGeometry);
    return part == NppPart::colours ? colours : part == NppPart::filters ? filters : geometry;
}

NppStream describe_current_device(int device) {
    NppStream result{};
    result.device = device;
    int shared_memory = 0;
    const auto ask = [&](int& value, cudaDeviceAttr attribute) {
        LANEWORK_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    };
    ask(result.multiprocessors, cudaDevAttrMultiProcessorCount);
    ask(result.most_threads_of_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor);
    ask(result.most_threads_of_block, cudaDevAttrMaxThreadsPerBlock);
    ask(shared_memory, cudaDevAttrMaxSharedMemoryPerBlock);
    ask(result.capability_major, cudaDevAttrComputeCapabilityMajor);
    ask(result.capability_minor, cudaDevAttrComputeCapabilityMinor);
    result.shared_memory_of_block = static_cast<std::size_t>(shared_memory);
    return result;
}

}  // namespace

void* detail::npp_symbol(NppPart part, const char* name) {
    return reinterpret_cast<void*>(library_of(part).function<void (*)()>(name));
}

std::string_view npp_refusal(NppPart part, const char* name) {
    if (!library_of(part)) {
        if (part == NppPart::colours) return "NPP was not found: libnppicc.so.13 and .12 cannot be opened";
        if (part == NppPart::filters) return "NPP was not found: libnppif.so.13 and .12 cannot be opened";
        return "NPP was not found: libnppig.so.13 and .12 cannot be opened";
    }
    if (!detail::npp_symbol(part, name)) return "the NPP that was found lacks a function that is called here";
    return {};
}

std::string_view npp_version() {
    struct Version {
        int major, minor, build;
    };
    static const std::string text = [] {
        static const SharedLibrary& core = *new SharedLibrary(kCore);
        const auto version = core.function<const Version* (*)()>("nppGetLibVersion");
        if (!version) return std::string();
        const auto [major, minor, build] = *version();
        return "NPP " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
    }();
    return text;
}

NppStream npp_stream(cudaStream_t stream) {
    static std::mutex mutex;
    static std::map<int, NppStream> devices;
    int device = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    NppStream result;
    {
        const std::lock_guard lock(mutex);
        auto found = devices.find(device);
        if (found == devices.end()) found = devices.emplace(device, describe_current_device(device)).first;
        result = found->second;
    }
    result.stream = stream;
    LANEWORK_CHECK(cudaStreamGetFlags(stream, &result.flags));
    return result;
}

void check_npp(int status, const char* call) {
    if (status < 0) throw DeviceError(std::string(call) + " failed with NPP's status " + std::to_string(status));
}

}  // namespace lanework
