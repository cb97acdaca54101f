// The bytes that a kernel moves, read off its threads' tapes: of the device's memory, and of page-locked host memory,
// which it reaches across the link.
#pragma once

#include "src/gpu/touched_sectors.hpp"
#include "src/simt/observer.hpp"

namespace lanework {

/// Of one launch. Every sector of 32 bytes counts once, however often it is touched.
class KernelTraffic {
public:
    void clear();
    /// Reads what the tapes of these threads hold and marks it as read.
    void read(const lanework_simt::ObservedBlock& block, unsigned first_thread, unsigned threads);

    std::uint64_t device_bytes() const;
    std::uint64_t read_over_link() const;
    std::uint64_t written_over_link() const;

private:
    void touch(std::uint64_t address, const lanework_simt::EventCode& code);

    TouchedSectors device_read_, device_written_, link_read_, link_written_;
    std::uint64_t begin_ = 0, end_ = 0;  // of the memory that was touched last
    bool over_link_ = false;
};

}  // namespace lanework
