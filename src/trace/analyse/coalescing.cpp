// Counting sectors, lines and addresses of a request. Lanes' addresses mostly rise; then one pass counts them, else
// they are sorted first.
#include "src/trace/analyse/coalescing.hpp"

#include <algorithm>
#include <bit>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

/// The addresses of the lanes that take part, rising.
struct Addresses {
    std::array<std::uint64_t, kLanes> value;
    unsigned count = 0;

    explicit Addresses(const Request& request) {
        bool rising = true;
        std::uint64_t last = 0;
        for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
            const std::uint64_t address = request.address[static_cast<unsigned>(std::countr_zero(left))];
            rising = rising && address >= last;
            value[count++] = last = address;
        }
        if (!rising) std::sort(value.begin(), value.begin() + count);
    }

    std::uint64_t most_alike() const {
        std::uint64_t most = 0, same = 0;
        for (unsigned i = 0; i < count; ++i) {
            same = i == 0 || value[i] != value[i - 1] ? 1 : same + 1;
            most = std::max(most, same);
        }
        return most;
    }
};

/// Blocks of `unit` bytes at multiples of it that accesses of `bytes` at the addresses touch. A constant unit needs no
/// divisions, which were a tenth of a trace.
template <std::uint64_t unit>
std::uint64_t units_touched(const Addresses& addresses, unsigned bytes) {
    std::uint64_t touched = 0, next = 0;  // every unit below `next` was counted
    for (unsigned i = 0; i < addresses.count; ++i) {
        const std::uint64_t first = std::max(addresses.value[i] / unit, next);
        const std::uint64_t end = (addresses.value[i] + bytes - 1) / unit + 1;
        if (end <= first) continue;
        touched += end - first;
        next = end;
    }
    return touched;
}

/// How often the sectors of an atomic's request are served. Lanes that name one address are served one after the other,
/// so that a sector where nobody names another takes a turn for each. Where several addresses of a sector are named, a
/// reduction of lanes that all name their own takes one; what else there is does not follow from the addresses alone:
/// an H100 counts more than the turns of the busiest address (results/h100/program-counters.json, tests/golden/h100).
void count_served(const Addresses& addresses, bool returns, GlobalCounters& counted) {
    std::uint64_t sector = ~std::uint64_t{0}, most = 0, same = 0;
    bool alike = false, mixed = false;
    for (unsigned i = 0; i < addresses.count; ++i) {
        const std::uint64_t address = addresses.value[i];
        const bool again = i != 0 && address == addresses.value[i - 1], neighbour = address / kSectorBytes == sector;
        same = again ? same + 1 : 1;
        if (!neighbour) counted.served_sectors += most;
        most = neighbour ? std::max(most, same) : same;
        sector = address / kSectorBytes;
        alike = alike || again;
        mixed = mixed || (neighbour && !again);
    }
    counted.served_sectors += most;
    counted.unclear = mixed && (alike || returns) ? 1 : 0;
}

}  // namespace

GlobalCounters count_global(const Request& request) {
    const unsigned bytes = request.site->bytes;
    const Addresses addresses(request);
    GlobalCounters counted;
    counted.requests = 1;
    counted.lanes = addresses.count;
    counted.sectors = units_touched<kSectorBytes>(addresses, bytes);
    counted.lines = units_touched<kLineBytes>(addresses, bytes);
    counted.bytes = units_touched<1>(addresses, bytes);
    counted.ideal_sectors =
        std::min(counted.sectors, (std::uint64_t{addresses.count} * bytes + kSectorBytes - 1) / kSectorBytes);
    for (unsigned i = 0; i < addresses.count; ++i)
        counted.distinct_addresses += i == 0 || addresses.value[i] != addresses.value[i - 1];
    counted.most_lanes_per_address = addresses.most_alike();
    const EventKind kind = request.site->kind;
    if (kind == EventKind::atomic || kind == EventKind::reduction)
        count_served(addresses, kind == EventKind::atomic, counted);
    return counted;
}

std::uint64_t most_lanes_per_address(const Request& request) { return Addresses(request).most_alike(); }

void Coalescing::request(const Request& request) {
    const GlobalCounters counted = count_global(request);
    request.site->global.add(counted);
    worst_.offer(request, counted.sectors);
}

}  // namespace lanework
