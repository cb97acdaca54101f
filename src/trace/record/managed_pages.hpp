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
/// no arrays. A piece that the host writes goes home again: its bytes are not those that the last launch left. What the
/// host only reads goes home on a GPU, too. That is not seen: it is taken to read variables when it has waited for
/// launches that left other values in them.
class ManagedPages {
public:
    /// Memory that nobody has touched, there or here.
    void allocated(const void* base);
    /// The pieces that lie within are sent to the device, or home; or their bytes are changed by a copy or a fill.
    void sent(std::uint64_t first, std::uint64_t bytes);
    void sent_home(std::uint64_t first, std::uint64_t bytes);
    void changed(std::uint64_t first, std::uint64_t bytes);

    /// The host has waited for the device.
    void host_waited();
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
        /// And of variables when it began.
        std::optional<std::size_t> before = {};
        /// Launches for which the host has not waited yet left other values of variables.
        bool has_news = false;
    };
    struct Range {
        std::uint64_t bytes = 0;
        bool variables = false;
        std::vector<Piece> pieces;
    };
    /// Calls see(range's base, range) for all managed memory of the process.
    template <class See>
    void each(See&& see);
    /// Calls see(piece) for pieces of managed memory with a byte in between.
    template <class See>
    void each_piece(std::uint64_t first, std::uint64_t bytes, See&& see);

    std::map<std::uint64_t, Range> ranges_;
};

}  // namespace lanework
