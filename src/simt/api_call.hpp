// What calls of the runtime API have in common: errors are recorded, and handles are checked before they are touched.
#pragma once

#include <lanework_simt/error.hpp>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "src/simt/observing.hpp"

namespace lanework_simt {

/// Does the work of a call unless a kernel has failed, and records its error.
template <class Work>
cudaError_t call(Work&& work) {
    engine::reach_beyond_memory();  // a kernel that calls the host's API
    if (const cudaError_t sticky = sticky_error(); sticky != cudaSuccess) return record(sticky);
    return record(work());
}

/// The live objects behind opaque handles; a handle that is none of them finds nothing.
template <class Object>
class Handles {
public:
    template <class... Arguments>
    Object* create(Arguments&&... arguments) {
        auto object = std::make_unique<Object>(std::forward<Arguments>(arguments)...);
        Object* handle = object.get();
        const std::lock_guard lock(mutex_);
        objects_.emplace(handle, std::move(object));
        return handle;
    }
    bool exists(const void* handle) const {
        const std::lock_guard lock(mutex_);
        return objects_.count(handle) != 0;
    }
    /// False when there is no such object. One that ends may end others.
    bool destroy(const void* handle) {
        std::unique_lock lock(mutex_);
        const auto ended = objects_.extract(handle);
        lock.unlock();
        return !ended.empty();
    }
    void clear() {
        std::unique_lock lock(mutex_);
        const auto ended = std::exchange(objects_, {});
        lock.unlock();
    }
    /// Of those that belong to devices: those of one device.
    void clear_of(int device) {
        const std::lock_guard lock(mutex_);
        std::erase_if(objects_, [&](const auto& each) { return each.second->device == device; });
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<const void*, std::unique_ptr<Object>> objects_;
};

/// cudaDeviceReset's parts: each forgets what its file owns.
void destroy_streams(int device);
void destroy_events(int device);
void forget_function_attributes();

}  // namespace lanework_simt
