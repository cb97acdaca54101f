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
/// no arrays. A piece that the host touches goes home again, whether it reads or writes. Its instrumented code is seen
/// to (lanework_simt::take_host_touches); of other code, of the C library and of files that are no CUDA files, what it
/// changes is: its bytes are not those that the last launch left.
class ManagedPages {
public:
    /// Memory that nobody has touched, there or here.
    void allocated(const void* base);
    /// The pieces that lie within are sent to the device, or home; or their bytes are changed by a copy or a fill.
    void sent(std::uint64_t first, std::uint64_t bytes);
    void sent_home(std::uint64_t first, std::uint64_t bytes);
    void changed(std::uint64_t first, std::uint64_t bytes);

    /// A launch of which nobody sees what it touches is taken to have brought everything.
    void launch_unseen();
    void launch_begins();
    /// Bytes that came during the launch that has ended.
    std::uint64_t launch_ends(const TouchedMemory& touched);

private:
    struct Piece {
        bool on_device = false;
        /// Of its bytes, when the last launch had ended.
        std::optional<std::size_t> hash = {};
    };
    struct Range {
        std::uint64_t bytes = 0;
        std::vector<Piece> pieces;
    };
    /// Calls see(range's base, range) for all managed memory of the process.
    template <class See>
    void each(See&& see);
    /// Calls see(piece) for pieces of managed memory with a byte in between.
    template <class See>
    void each_piece(std::uint64_t first, std::uint64_t bytes, See&& see);

    /// What the host has touched goes home.
    void take_home();
    /// The host's touches of all managed memory are looked at from now on.
    void look_at_host();

    std::map<std::uint64_t, Range> ranges_;
};

}  // namespace lanework
