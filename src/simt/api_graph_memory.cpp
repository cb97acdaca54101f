// Memory of graphs: allocated when its node is added, in use from that node's work until somebody frees it. It keeps
// its address, since kernels of the graph hold it, and is given back when the graphs are.
#include "src/simt/api_graph_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "src/simt/api_call.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/devices.hpp"

namespace lanework_simt {
namespace {

struct Memory {
    std::size_t bytes = 0;
    bool used = false;
};

class GraphMemory {
public:
    /// Null when there is not that much.
    void* reserve(std::size_t bytes) {
        void* const memory = memory_map().allocate(bytes, Origin::device, 0);
        const std::lock_guard lock(mutex_);
        if (memory != nullptr) all_[memory] = {bytes, false};
        reserved_ += memory != nullptr ? bytes : 0;
        most_reserved_ = std::max(most_reserved_, reserved_);
        return memory;
    }
    bool holds(const void* memory) {
        const std::lock_guard lock(mutex_);
        return all_.count(memory) != 0;
    }
    /// False for what is no graph's, or is in that state already.
    bool set_used(const void* memory, bool use) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(memory);
        if (found == all_.end() || found->second.used == use) return false;
        found->second.used = use;
        used_ = use ? used_ + found->second.bytes : used_ - found->second.bytes;
        most_used_ = std::max(most_used_, used_);
        return true;
    }
    std::uint64_t value(cudaGraphMemAttributeType attribute) {
        const std::lock_guard lock(mutex_);
        switch (attribute) {
            case cudaGraphMemAttrUsedMemCurrent: return used_;
            case cudaGraphMemAttrUsedMemHigh: return most_used_;
            case cudaGraphMemAttrReservedMemCurrent: return reserved_;
            default: return most_reserved_;
        }
    }
    void begin_anew(cudaGraphMemAttributeType attribute) {
        const std::lock_guard lock(mutex_);
        if (attribute == cudaGraphMemAttrUsedMemHigh) most_used_ = used_;
        if (attribute == cudaGraphMemAttrReservedMemHigh) most_reserved_ = reserved_;
    }

private:
    std::mutex mutex_;
    std::map<const void*, Memory> all_;
    std::size_t used_ = 0, most_used_ = 0, reserved_ = 0, most_reserved_ = 0;
};

GraphMemory& graph_memory() {
    static auto* const all = new GraphMemory;
    return *all;
}

bool known(cudaGraphMemAttributeType attribute) {
    return attribute >= cudaGraphMemAttrUsedMemCurrent && attribute <= cudaGraphMemAttrReservedMemHigh;
}

}  // namespace

void* reserve_for_graph(std::size_t bytes) { return graph_memory().reserve(bytes); }
bool is_graph_memory(const void* memory) { return graph_memory().holds(memory); }
cudaError_t use_graph_memory(const void* memory) {
    return graph_memory().set_used(memory, true) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t free_graph_memory(const void* memory) {
    return graph_memory().set_used(memory, false) ? cudaSuccess : cudaErrorInvalidValue;
}

inline namespace api {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return call([&] {
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        if (value == nullptr || !known(attribute)) return cudaErrorInvalidValue;
        *static_cast<std::uint64_t*>(value) = graph_memory().value(attribute);
        return cudaSuccess;
    });
}
// Only a high can be set, and only to 0: it begins anew.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return call([&] {
        const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        if (value == nullptr || !high || *static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
        graph_memory().begin_anew(attribute);
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
    return call([&] { return device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // namespace api
}  // namespace lanework_simt
