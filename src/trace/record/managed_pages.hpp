// Which managed memory lies on the device: what a launch touches of the rest comes page by page while it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "src/gpu/touched_sectors.hpp"

namespace lanework {

/// In pieces of kFaultBytes from the beginning of each allocation, and of the `__managed__` variables together that are
/// no arrays. A piece that the host touches goes home again, whether it reads or writes; of memory that is advised to
/// be read mostly, where it writes. Its instrumented code is seen to (lanework_simt::take_host_touches); of other code,
/// of the C library and of files that are no CUDA files, what it changes is: its bytes are not those that the last
/// launch left.
class ManagedPages {
public:
    /// Memory that nobody has touched, there or here.
    void allocated(const void* base, std::uint64_t bytes);
    void released(const void* base);
    /// The pieces that lie within are advised to be read mostly, or no longer.
    void read_mostly(std::uint64_t first, std::uint64_t bytes, bool is);
    /// The pieces that lie within are sent to the device, or home; or their bytes are changed by a copy or a fill.
    void sent(std::uint64_t first, std::uint64_t bytes);
    void sent_home(std::uint64_t first, std::uint64_t bytes);
    void changed(std::uint64_t first, std::uint64_t bytes);

    /// A launch of which nobody sees what it touches is taken to have brought everything.
    void launch_unseen();
    void launch_begins();
    /// Bytes that came during the launch that has ended. What the host touched meanwhile goes home behind it.
    std::uint64_t launch_ends(const TouchedMemory& touched);
    /// Nobody asks any more: the host is not looked at either.
    void stop();

private:
    struct Piece {
        bool on_device = false, read_mostly = false;
        /// Of its bytes, when the last launch had ended.
        std::optional<std::size_t> hash = {};

        void put(bool there) {
            on_device = there;
            hash.reset();
        }
    };
    struct Range {
        std::uint64_t bytes = 0;
        std::vector<Piece> pieces = {};
        /// What the host touches of it is looked at.
        bool watched = false;
    };
    using Ranges = std::map<std::uint64_t, Range>;

    /// All managed memory of the process by its address, also what was there before anybody told of it.
    Ranges& ranges();
    /// Calls see(piece) for pieces of managed memory with a byte in between, and see_range(base, range) behind them.
    template <class See, class SeeRange>
    void each_piece(std::uint64_t first, std::uint64_t bytes, See&& see, SeeRange&& see_range);
    template <class See>
    void each_piece(std::uint64_t first, std::uint64_t bytes, See&& see);

    void put_home(const std::vector<std::uint64_t>& touched);
    /// The host is looked at from now on: at the ranges that are not yet, in parts of one advice.
    void look_at_host(std::uint64_t base, Range& range);
    void look_at_host();

    Ranges ranges_;
    bool complete_ = false, stopped_ = false;
};

}  // namespace lanework
