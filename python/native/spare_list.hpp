// Memory of lists that nobody reads any more, for the next list: pages that the system has to clear first would take
// most of the time of a list that is built again and again.
#pragma once

#include <lanework/neighbors.hpp>
#include <mutex>
#include <utility>

namespace lanework::native {

/// One list of positions of type T, of at most kMostKept bytes; the others' memory goes back to the system.
template <class T>
class SpareList {
public:
    static constexpr std::size_t kMostKept = std::size_t{256} << 20;

    /// The memory that was kept, or none.
    static NeighborList<T> take() {
        SpareList& spare = only();
        const std::unique_lock lock(spare.mutex_, std::try_to_lock);
        return lock ? std::exchange(spare.list_, {}) : NeighborList<T>{};
    }
    /// Keeps it instead of what was kept.
    static void keep(NeighborList<T>&& list) noexcept {
        if (bytes_of(list) > kMostKept) return;
        SpareList& spare = only();
        const std::unique_lock lock(spare.mutex_, std::try_to_lock);
        if (lock) spare.list_ = std::move(list);
    }

private:
    static std::size_t bytes_of(const NeighborList<T>& list) {
        const auto bytes = [](const auto& array) { return array.capacity() * sizeof(*array.data()); };
        return bytes(list.offsets) + bytes(list.first) + bytes(list.indices) + bytes(list.shifts) +
               bytes(list.vectors) + bytes(list.distances);
    }
    /// Never destroyed: interpreters give arrays back until their very end.
    static SpareList& only() {
        static auto* const spare = new SpareList;
        return *spare;
    }

    std::mutex mutex_;  // never waited for: in a forked process nobody may be there to unlock it
    NeighborList<T> list_;
};

}  // namespace lanework::native
