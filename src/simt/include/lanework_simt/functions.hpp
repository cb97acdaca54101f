// Kernels as values: their attributes, their occupancy, and launches without <<<>>>. A kernel's registers and static
// shared memory are the compiler's secret here, so that they count as none.
#pragma once

#include <lanework_simt/device.hpp>
#include <lanework_simt/launch.hpp>
#include <lanework_simt/quiet.hpp>
#include <lanework_simt/stream.hpp>
#include <tuple>

namespace lanework_simt {
inline namespace api {

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax,
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0,
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
};

#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_size,
                                                                   size_t shared_bytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* kernel, int blocks,
                                                      int block_size);

template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size,
                                                                   size_t shared_bytes, unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size, shared_bytes,
                                                                  flags);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size, size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size, shared_bytes,
                                                                  cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, T kernel, int blocks, int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void*)kernel, blocks, block_size);
}

}  // namespace api
namespace kernel_occupancy {
using SharedBytesOf = size_t (*)(const void* state, int block_size);
/// The block size that keeps most threads resident, the largest among equals.
cudaError_t best_block_size(int* grid_size, int* block_size, const void* kernel, SharedBytesOf shared_bytes,
                            const void* state, int limit);
}  // namespace kernel_occupancy
inline namespace api {

/// `shared_bytes(block_size)` is the dynamic shared memory that a block of that size needs.
template <class Function, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, T kernel,
                                                           Function shared_bytes, int limit = 0) {
    const auto ask = [](const void* state, int size) { return size_t((*(const Function*)state)(size)); };
    return kernel_occupancy::best_block_size(grid_size, block_size, (const void*)kernel, ask, &shared_bytes, limit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, T kernel, size_t shared_bytes = 0,
                                               int limit = 0) {
    const auto same = [shared_bytes](int) { return shared_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid_size, block_size, kernel, same, limit);
}

}  // namespace api
namespace kernel_functions {
/// Runs `launch` and returns its error alone, whatever the last error was before it.
cudaError_t launched(void (*launch)(const void* state), const void* state);

/// What a launch by address asks for; `keep` means work for a graph, done when that is launched.
struct Request {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    bool cooperative;
    Place place;
};
/// Launches a kernel with the arguments that the addresses name.
using Launching = void (*)(const void* kernel, const Request& request, void** arguments);
/// Copies of a kernel's arguments and the address of each, until `forget(kept)`. Not std::shared_ptr: every program
/// would read <memory>, which is half of what it costs the compiler to read no more than this.
struct Arguments {
    void** addresses;
    const void* kept;
    void (*forget)(const void* kept);
};
using Copying = Arguments (*)(void** arguments);

struct Known {
    Launching launch;
    Copying copy;
};
/// Remembers how a kernel is launched; what is known of an address; null for one that launchable() never saw.
void know(const void* kernel, Known known);
const Known* known(const void* kernel);
/// The kernel's own name, kept for ever; null where the program's symbols have none.
const char* name_of(const void* kernel);

template <class... Parameters>
struct CallByAddress {
    void (*kernel)(Parameters...);
    template <class... Values>
    [[gnu::always_inline]] void operator()(Values&... values) const {
        quiet_load(kernel)(values...);
    }
};

/// What is kept of an argument for a parameter of this type, and it as an address of the argument names it: that of a
/// reference holds a pointer.
template <class Parameter>
struct Passing {
    using Stored = std::decay_t<Parameter>;
    static const Stored& at(void* address) { return *static_cast<Stored*>(address); }
};
template <class T>
struct Passing<T&> {
    using Stored = Referred<T>;
    static Stored at(void* address) { return **static_cast<T**>(address); }
};
template <class Parameter>
using Passed = typename Passing<Parameter>::Stored;

}  // namespace kernel_functions

template <class... Parameters>
inline constexpr bool kHoldsNoLocal<kernel_functions::CallByAddress<Parameters...>> = true;

/// The launcher of a kernel that a pointer leads to, which was written as `spelling`.
template <class... Parameters>
auto pointed_launcher(const char* spelling, void (*kernel)(Parameters...), Place place = Place::here()) {
    const char* const name = kernel_functions::name_of((const void*)kernel);
    return launcher(
        name ? name : spelling, kernel_functions::CallByAddress<Parameters...>{kernel},
        [kernel](int) { return Signature<Parameters...>{kernel}; }, place);
}

namespace kernel_functions {
template <class... Parameters, size_t... I>
void launch_typed(const void* address, const Request& request, void** arguments, std::index_sequence<I...>) {
    pointed_launcher("kernel given by its address", (void (*)(Parameters...))address, request.place)
        .configure(request.grid, request.block, request.shared_bytes, request.stream,
                   request.cooperative)(Passing<Parameters>::at(arguments[I])...);
}
template <class... Parameters>
void launch_kernel(const void* kernel, const Request& request, void** arguments) {
    launch_typed<Parameters...>(kernel, request, arguments, std::index_sequence_for<Parameters...>{});
}
template <class... Parameters>
struct CopiedArguments {
    std::tuple<Passed<Parameters>...> values;
    void* addresses[sizeof...(Parameters) + 1];
};
template <class... Parameters, size_t... I>
Arguments copy_typed([[maybe_unused]] void** arguments, std::index_sequence<I...>) {
    using Copied = CopiedArguments<Parameters...>;
    auto* const copied = new Copied{{Passing<Parameters>::at(arguments[I])...}, {}};
    ((copied->addresses[I] = (void*)&std::get<I>(copied->values)), ...);
    return {copied->addresses, copied, [](const void* kept) { delete static_cast<const Copied*>(kept); }};
}
template <class... Parameters>
Arguments copy_arguments(void** arguments) {
    return copy_typed<Parameters...>(arguments, std::index_sequence_for<Parameters...>{});
}

cudaError_t launch_known(const void* kernel, const Request& request, void** arguments);
}  // namespace kernel_functions

/// A kernel's address, by which it can be launched from now on. cudafe writes it where a kernel is cast to void*.
template <class... Parameters>
void* launchable(void (*kernel)(Parameters...)) {
    kernel_functions::know((const void*)kernel, {&kernel_functions::launch_kernel<Parameters...>,
                                                 &kernel_functions::copy_arguments<Parameters...>});
    return (void*)kernel;
}
inline void* launchable(const void* kernel) { return (void*)kernel; }

inline namespace api {

/// `arguments` holds the address of each argument.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = 0, Place place = Place::here());
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0, Place place = Place::here()) {
    return cudaLaunchKernel(launchable(kernel), grid, block, arguments, shared_bytes, stream, place);
}
/// The same with all blocks resident at once, so that they can wait for each other: this_grid().sync().
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0, Place place = Place::here());
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0, Place place = Place::here()) {
    return cudaLaunchCooperativeKernel(launchable(kernel), grid, block, arguments, shared_bytes, stream, place);
}

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
};
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2,
};
/// A hint about caching, which changes no result.
struct cudaAccessPolicyWindow {
    void* base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    char pad[4];
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned int numAttrs;
};
using cudaLaunchConfig_st = cudaLaunchConfig_t;
using cudaLaunchAttribute_st = cudaLaunchAttribute;

}  // namespace api
namespace kernel_functions {
/// A configuration and the place of the call that it is given to.
struct PlacedConfiguration {
    const cudaLaunchConfig_t* configuration;
    Place place;
    // NOLINTNEXTLINE(google-explicit-constructor): a call's argument becomes one
    PlacedConfiguration(const cudaLaunchConfig_t* given, Place here = Place::here())
        : configuration(given), place(here) {}
};
/// What a configuration asks for; cudaErrorNotSupported for clusters of more than one block.
cudaError_t request_of(const cudaLaunchConfig_t* config, Place place, Request& request);
}  // namespace kernel_functions
inline namespace api {

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments,
                                Place place = Place::here());
template <class... Parameters, class... Given>
cudaError_t cudaLaunchKernelEx(kernel_functions::PlacedConfiguration config, void (*kernel)(Parameters...),
                               Given&&... given) {
    // As in a call, each argument becomes its parameter's type.
    std::tuple<kernel_functions::Passed<Parameters>...> values(std::forward<Given>(given)...);
    return std::apply(
        [&](auto&... value) {
            void* addresses[] = {(void*)&value..., nullptr};
            return cudaLaunchKernelExC(config.configuration, launchable(kernel), addresses, config.place);
        },
        values);
}

// Hints about streams that change no result.
using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value);

}  // namespace api
}  // namespace lanework_simt
