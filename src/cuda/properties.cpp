// What a CUDA device says of itself.
#include "src/cuda/properties.hpp"

#include <fmt/format.h>

#include "src/core/text.hpp"
#include "src/gpu/capabilities.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {
namespace {

int attribute(cudaDeviceAttr which, int index) {
    int value = 0;
    LANEWORK_CHECK(cudaDeviceGetAttribute(&value, which, index));
    return value;
}

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

std::string yes_no(int value) { return value ? "yes" : "no"; }

std::string megahertz(int kilohertz) { return kilohertz > 0 ? fmt::format("{} MHz", kilohertz / 1000) : "unknown"; }

std::string bits(int width) { return width > 0 ? fmt::format("{} bits", width) : "unknown"; }

std::string bus_id(int index) {
    char id[32] = "";
    LANEWORK_CHECK(cudaDeviceGetPCIBusId(id, sizeof id, index));
    return id;
}

std::vector<Property> list(const cudaDeviceProp& p, int index) {
    int driver = 0;
    int runtime = 0;
    LANEWORK_CHECK(cudaDriverGetVersion(&driver));
    LANEWORK_CHECK(cudaRuntimeGetVersion(&runtime));
    const auto get = [index](cudaDeviceAttr which) { return attribute(which, index); };
    const int cores = cores_per_sm(10 * p.major + p.minor);
    return {
        {"name", p.name},
        {"compute capability", fmt::format("{}.{}", p.major, p.minor)},
        {"driver", version(driver)},
        {"runtime", version(runtime)},
        {"global memory", format_bytes(p.totalGlobalMem)},
        {"L2 cache", format_bytes(static_cast<std::uint64_t>(p.l2CacheSize))},
        {"memory bus", bits(p.memoryBusWidth)},
        {"memory clock", megahertz(get(cudaDevAttrMemoryClockRate))},
        {"SM clock", megahertz(get(cudaDevAttrClockRate))},
        {"SMs", fmt::format("{}", p.multiProcessorCount)},
        {"cores per SM", cores ? fmt::format("{}", cores) : "unknown"},
        {"warp size", fmt::format("{}", p.warpSize)},
        {"threads per block", fmt::format("{}", p.maxThreadsPerBlock)},
        {"threads per SM", fmt::format("{}", p.maxThreadsPerMultiProcessor)},
        {"blocks per SM", fmt::format("{}", get(cudaDevAttrMaxBlocksPerMultiprocessor))},
        {"block dimensions", fmt::format("{} × {} × {}", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2])},
        {"grid dimensions", fmt::format("{} × {} × {}", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2])},
        {"shared memory per block", format_bytes(p.sharedMemPerBlock)},
        {"shared memory per block, opt-in", format_bytes(p.sharedMemPerBlockOptin)},
        {"shared memory per SM", format_bytes(p.sharedMemPerMultiprocessor)},
        {"registers per block", fmt::format("{}", p.regsPerBlock)},
        {"registers per SM", fmt::format("{}", p.regsPerMultiprocessor)},
        {"constant memory", format_bytes(p.totalConstMem)},
        {"copy engines", fmt::format("{}", p.asyncEngineCount)},
        {"concurrent kernels", yes_no(p.concurrentKernels)},
        {"integrated", yes_no(p.integrated)},
        {"ECC", yes_no(p.ECCEnabled)},
        {"managed memory", yes_no(p.managedMemory)},
        {"concurrent managed access", yes_no(p.concurrentManagedAccess)},
        {"PCI bus", bus_id(index)},
    };
}

}  // namespace

DeviceInfo describe_device(DeviceKind kind, int index) {
    cudaDeviceProp p{};
    LANEWORK_CHECK(cudaGetDeviceProperties(&p, index));
    DeviceInfo info;
    info.kind = kind;
    info.index = index;
    info.id = kind == DeviceKind::cuda ? fmt::format("cuda:{}", index) : std::string(name_of(kind));
    info.name = p.name;
    info.memory_bytes = p.totalGlobalMem;
    info.last_level_cache_bytes = static_cast<std::size_t>(p.l2CacheSize);
    info.properties = list(p, index);
    info.fingerprint = info.id;
    for (const Property& property : info.properties) info.fingerprint += fmt::format("|{}", property.value);
    return info;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
