// Choosing a device, its peers, and the values of variables for each device.
#include "src/simt/devices.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <lanework_simt/device.hpp>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "src/simt/api_call.hpp"

namespace lanework_simt {
namespace {

int count = 1;
thread_local int current = 0;

std::mutex peers_mutex;
/// Whose memory each device's kernels may use.
std::array<std::bitset<kMostDevices>, kMostDevices> peers;

/// Which device there is can be asked and chosen even after a kernel failed: the sticky error is left out.
cudaError_t answer_always(cudaError_t error) { return error == cudaSuccess ? error : record(error); }

cudaError_t give_always(int* result, int value) {
    if (result != nullptr) *result = value;
    return answer_always(result == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t check_pair(int device, int peer) {
    return device_exists(device) && device_exists(peer) ? cudaSuccess : cudaErrorInvalidDevice;
}

/// The values of variables: those of one device are where the program has its variables, the others' are kept here.
class Variables {
public:
    std::unique_lock<std::mutex> hold(int device) {
        std::unique_lock lock(mutex_);
        if (device == resident_) return lock;
        for (auto& [place, values] : all_) {
            auto* const variable = const_cast<std::byte*>(static_cast<const std::byte*>(place));
            std::vector<std::byte>& kept = values[std::size_t(resident_)];
            kept.assign(variable, variable + kept.size());
            std::memcpy(variable, values[std::size_t(device)].data(), kept.size());
        }
        resident_ = device;
        return lock;
    }
    void keep(const void* variable, std::size_t bytes) {
        if (bytes == 0 || all_.count(variable) != 0) return;
        const auto* const value = static_cast<const std::byte*>(variable);
        all_[variable].assign(std::size_t(count), std::vector<std::byte>(value, value + bytes));
    }

private:
    std::mutex mutex_;
    std::map<const void*, std::vector<std::vector<std::byte>>> all_;  ///< by variable, then by device
    int resident_ = 0;
};

Variables& variables() {
    static auto& all = *new Variables;  // never destroyed: see memory_map()
    return all;
}

}  // namespace

int device_count() { return count; }
void present_devices(int devices) { count = devices; }
bool device_exists(int device) { return device >= 0 && device < count; }
int current_device() { return current; }

void forget_peers(int device) {
    const std::lock_guard lock(peers_mutex);
    peers[std::size_t(device)].reset();
}

std::unique_lock<std::mutex> hold_variables(int device) {
    return count == 1 ? std::unique_lock<std::mutex>() : variables().hold(device);
}
void keep_for_each_device(const void* variable, std::size_t bytes) {
    if (count > 1) variables().keep(variable, bytes);
}

cudaError_t api::cudaGetDeviceCount(int* devices) { return give_always(devices, count); }
cudaError_t api::cudaGetDevice(int* device) { return give_always(device, current); }
cudaError_t api::cudaSetDevice(int device) {
    if (!device_exists(device)) return record(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}
cudaError_t api::cudaInitDevice(int device, unsigned int, unsigned int) {
    return answer_always(device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t api::cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return call([&] {
        if (device == nullptr || wanted == nullptr) return cudaErrorInvalidValue;
        *device = 0;  // they are equal
        return cudaSuccess;
    });
}

// On bus i of one domain, where 0 is the first device's.
cudaError_t api::cudaDeviceGetPCIBusId(char* id, int length, int device) {
    return call([&] {
        if (id == nullptr || length < int(sizeof "0000:00:00.0")) return cudaErrorInvalidValue;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        std::snprintf(id, size_t(length), "0000:%02x:00.0", unsigned(device));
        return cudaSuccess;
    });
}

cudaError_t api::cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return call([&] {
        if (can_access == nullptr) return cudaErrorInvalidValue;
        *can_access = device != peer;
        return check_pair(device, peer);
    });
}
cudaError_t api::cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    return call([&] {
        if (!device_exists(peer)) return cudaErrorInvalidDevice;
        if (peer == current) return cudaErrorPeerAccessUnsupported;
        if (flags != 0) return cudaErrorInvalidValue;
        const std::lock_guard lock(peers_mutex);
        auto enabled = peers[std::size_t(current)][std::size_t(peer)];
        if (enabled) return cudaErrorPeerAccessAlreadyEnabled;
        enabled = true;
        return cudaSuccess;
    });
}
cudaError_t api::cudaDeviceDisablePeerAccess(int peer) {
    return call([&] {
        if (!device_exists(peer)) return cudaErrorInvalidDevice;
        const std::lock_guard lock(peers_mutex);
        auto enabled = peers[std::size_t(current)][std::size_t(peer)];
        if (!enabled) return cudaErrorPeerAccessNotEnabled;
        enabled = false;
        return cudaSuccess;
    });
}
cudaError_t api::cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    return call([&] {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (device == peer || check_pair(device, peer) != cudaSuccess) return cudaErrorInvalidDevice;
        *value = attribute != cudaDevP2PAttrPerformanceRank;  // all the same
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
