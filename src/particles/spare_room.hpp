// Memory that a search works in, for the next one. Some allocators give it back to the system (glibc 2.43's does), and
// pages that have to be cleared again then take longer than the search of a list of few atoms with a long cutoff.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace lanework {

/// Vectors whose elements mean nothing between two uses: at most kMostKept bytes of them, for whoever asks next.
template <class... T>
class SpareRoom {
public:
    using Room = std::tuple<std::vector<T>...>;
    static constexpr std::size_t kMostKept = std::size_t{64} << 20;

    /// What was kept last, or nothing.
    static Room take() {
        SpareRoom& spare = only();
        const std::unique_lock lock(spare.mutex_, std::try_to_lock);
        if (!lock || spare.rooms_.empty()) return {};
        Room room = std::move(spare.rooms_.back());
        spare.rooms_.pop_back();
        spare.bytes_ -= bytes_of(room);
        return room;
    }
    /// To be called by destructors: where one runs because something was thrown, vectors that go together may differ in
    /// size.
    static void keep(Room&& room) noexcept try {
        if (std::uncaught_exceptions() > 0) return;
        SpareRoom& spare = only();
        const std::unique_lock lock(spare.mutex_, std::try_to_lock);
        const std::size_t bytes = bytes_of(room);
        if (!lock || spare.bytes_ + bytes > kMostKept) return;
        spare.rooms_.push_back(std::move(room));
        spare.bytes_ += bytes;
    } catch (...) {  // no place even for the vectors themselves: they are freed
    }

private:
    static std::size_t bytes_of(const Room& room) {
        return std::apply(
            [](const auto&... of) { return ((of.capacity() * sizeof(*of.data())) + ... + std::size_t{0}); }, room);
    }
    /// Never destroyed: threads may end after this.
    static SpareRoom& only() {
        static auto* const spare = new SpareRoom;
        return *spare;
    }

    std::mutex mutex_;  // never waited for: in a forked process nobody may be there to unlock it
    std::vector<Room> rooms_;
    std::size_t bytes_ = 0;
};

}  // namespace lanework
