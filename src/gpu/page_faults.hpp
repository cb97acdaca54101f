// What a kernel waits for managed memory that nobody sent to the device before it began: pages that come as they are
// touched.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lanework {

/// What comes for a touch of any byte of it, at least.
inline constexpr std::uint64_t kFaultBytes = 64 * 1024;

/// Seconds that the bytes of a launch take, 0 for none. An H200's and its host's (results/h200/page-faults.csv): the
/// first page is there after 65 µs, and the driver fetches larger pieces the more it has seen touched
/// (results/h200/transfer-upload.json has 128 MiB). Single launches take 0.6 to 1.6 of it; one of ten has another
/// 0.5 ms.
inline double page_fault_seconds(double bytes) {
    constexpr double kFirst = 65e-6, kSlow = 8 * 1024.0 * 1024, kSlowRate = 6.5e9, kRate = 12e9;
    if (bytes <= 0) return 0;
    return kFirst + std::min(bytes, kSlow) / kSlowRate + std::max(0.0, bytes - kSlow) / kRate;
}

}  // namespace lanework
