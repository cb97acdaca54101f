// Sorts accesses by where the memory is. Shared memory, stacks and variables are none of the device's allocations.
#include "src/timeline/kernel_traffic.hpp"

#include <algorithm>

#include "src/gpu/memory_units.hpp"
#include "src/simt/api_memory_map.hpp"

namespace lanework {
namespace {

using lanework_simt::EventCode;
using lanework_simt::EventKind;
using lanework_simt::Origin;

bool is_access(EventKind kind) {
    return kind == EventKind::load || kind == EventKind::store || kind == EventKind::atomic ||
           kind == EventKind::reduction || kind == EventKind::fetch;
}

}  // namespace

void KernelTraffic::clear() {
    for (TouchedSectors* map : {&device_read_, &device_written_, &link_read_, &link_written_}) map->clear();
    begin_ = end_ = 0;
}

void KernelTraffic::read(const lanework_simt::ObservedBlock& block, unsigned first_thread, unsigned threads) {
    for (unsigned thread = first_thread; thread < first_thread + threads; ++thread) {
        lanework_simt::Tape& tape = block.tapes[thread];
        for (; tape.read < tape.size; ++tape.read)
            if (const EventCode code = tape.code(tape.read); is_access(code.kind()))
                touch(tape.addresses[tape.read], code);
    }
}

void KernelTraffic::touch(std::uint64_t address, const EventCode& code) {
    if (address < begin_ || address >= end_) {
        const auto range = lanework_simt::memory_map().find(reinterpret_cast<const void*>(address));
        if (!range) return;
        begin_ = reinterpret_cast<std::uint64_t>(range->base);
        end_ = begin_ + range->bytes;
        over_link_ = range->origin == Origin::host || range->origin == Origin::registered;
    }
    const std::uint64_t last = (address + code.bytes() - 1) / kSectorBytes;
    for (std::uint64_t sector = address / kSectorBytes; sector <= last; ++sector) {
        if (code.kind() != EventKind::store) (over_link_ ? link_read_ : device_read_).insert(sector);
        if (code.kind() != EventKind::load && code.kind() != EventKind::fetch)
            (over_link_ ? link_written_ : device_written_).insert(sector);
    }
}

std::uint64_t KernelTraffic::device_bytes() const {
    return (device_read_.size() + device_written_.size()) * kSectorBytes;
}
std::uint64_t KernelTraffic::read_over_link() const { return link_read_.size() * kSectorBytes; }
std::uint64_t KernelTraffic::written_over_link() const { return link_written_.size() * kSectorBytes; }

}  // namespace lanework
