// Copies that the threads of a group make together. They are done when each thread has made its part, so that waiting
// is meeting.
#pragma once

#include <stddef.h>

#include <lanework_simt/warp_groups.hpp>

#if __has_include(<cuda/__barrier/aligned_size.h>)
#include <cuda/__barrier/aligned_size.h>
#else
namespace cuda {
/// A count of bytes that is a multiple of `Alignment`, as are the addresses.
template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    LANEWORK_SIMT_BUILTIN explicit aligned_size_t(size_t bytes) : value(bytes) {}
    LANEWORK_SIMT_BUILTIN operator size_t() const { return value; }
};
}  // namespace cuda
#endif

namespace lanework_simt::group_copies {
template <class Word, class Group>
LANEWORK_SIMT_BUILTIN void share(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t words = bytes / sizeof(Word);
    for (size_t i = group.thread_rank(); i < words; i += group.size())
        static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}
/// Words as wide as the addresses and the size allow, up to 16 bytes a thread.
template <class Group>
LANEWORK_SIMT_BUILTIN void share_bytes(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (all % 16 == 0)
        share<uint4>(group, to, from, bytes);
    else if (all % 4 == 0)
        share<unsigned>(group, to, from, bytes);
    else
        share<unsigned char>(group, to, from, bytes);
}
}  // namespace lanework_simt::group_copies

namespace cooperative_groups {

template <class Group, class T>
LANEWORK_SIMT_BUILTIN void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    ::lanework_simt::group_copies::share_bytes(group, to, from, bytes);
}
template <class Group>
LANEWORK_SIMT_BUILTIN void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    ::lanework_simt::group_copies::share_bytes(group, to, from, bytes);
}
template <class Group, class To, class From, size_t Alignment>
LANEWORK_SIMT_BUILTIN void memcpy_async(const Group& group, To* to, const From* from,
                                        cuda::aligned_size_t<Alignment> bytes) {
    ::lanework_simt::group_copies::share_bytes(group, to, from, bytes.value);
}
/// Counts of elements: as many as both sides have.
template <class Group, class T>
LANEWORK_SIMT_BUILTIN void memcpy_async(const Group& group, T* to, size_t to_count, const T* from, size_t from_count) {
    ::lanework_simt::group_copies::share_bytes(group, to, from,
                                               (to_count < from_count ? to_count : from_count) * sizeof(T));
}

template <class Group>
LANEWORK_SIMT_BUILTIN void wait(const Group& group, lanework_simt::Place place = lanework_simt::Place::here()) {
    group.sync(place);
}
/// All but the newest `Stages` copies are done.
template <unsigned Stages, class Group>
LANEWORK_SIMT_BUILTIN void wait_prior(const Group& group, lanework_simt::Place place = lanework_simt::Place::here()) {
    group.sync(place);
}

}  // namespace cooperative_groups
