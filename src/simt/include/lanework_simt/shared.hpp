// Shared memory: __shared__ variables are references into an arena that each resident block has.
#pragma once

#include <lanework_simt/thread.hpp>

namespace lanework_simt {

struct SharedPlace {
    std::uint64_t launch = 0;
    std::size_t offset = 0;
};
/// Where a __shared__ variable lies: gives it the next free bytes of the arena the first time in a launch. Fails the
/// kernel when its variables pass 48 KiB. Out of line: a branch here would be one of the kernel's.
std::byte* place_shared(SharedPlace& place, std::size_t bytes, std::size_t alignment);

/// Where one __shared__ variable lies in the arena during one launch. cudafe makes it `static thread_local` and binds
/// the variable, a reference, to it.
template <std::size_t Alignment>
struct SharedSlotAligned {
    mutable SharedPlace place;

    template <class T>
    [[gnu::always_inline]] operator T&() const {
        constexpr std::size_t alignment = Alignment > alignof(T) ? Alignment : alignof(T);
        return *reinterpret_cast<T*>(place_shared(place, sizeof(T), alignment));
    }
};
using SharedSlot = SharedSlotAligned<1>;

/// The launch's dynamic shared memory: `extern __shared__ T name[]`. It is 1024-byte aligned.
template <class T>
[[gnu::always_inline]] inline T* dynamic_shared() {
    return reinterpret_cast<T*>(quiet_load(context.shared));
}

/// The same for a declaration outside functions: called where it is used, converted where cudafe does not see the use.
template <class T>
struct DynamicShared {
    [[gnu::always_inline]] T* operator()() const { return dynamic_shared<T>(); }
    [[gnu::always_inline]] operator T*() const { return dynamic_shared<T>(); }
};

inline namespace api {

/// Addresses of shared memory, as inline PTX takes them, count from the block's first byte; those of other memory are
/// the addresses themselves.
inline size_t __cvta_generic_to_shared(const void* address) {
    return static_cast<size_t>(reinterpret_cast<const std::byte*>(address) - quiet_load(context.shared));
}
inline void* __cvta_shared_to_generic(size_t offset) { return quiet_load(context.shared) + offset; }
inline size_t __cvta_generic_to_global(const void* address) { return reinterpret_cast<size_t>(address); }
inline void* __cvta_global_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
inline size_t __cvta_generic_to_constant(const void* address) { return reinterpret_cast<size_t>(address); }
inline size_t __cvta_generic_to_local(const void* address) { return reinterpret_cast<size_t>(address); }
/// Shared memory is smaller than 256 KiB on every GPU.
inline unsigned int __isShared(const void* address) {
    return quiet_load(context.shared) && __cvta_generic_to_shared(address) < (1u << 18);
}
inline unsigned int __isGlobal(const void* address) { return !__isShared(address); }

}  // namespace api
}  // namespace lanework_simt
