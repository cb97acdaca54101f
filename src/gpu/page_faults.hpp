// What a kernel waits for managed memory that nobody sent to the device before it began: pages that come as they are
// touched.
#pragma once

#include <cstdint>

namespace lanework {

/// What comes for a touch of any byte of it, at least.
inline constexpr std::uint64_t kFaultBytes = 64 * 1024;

/// Seconds that the bytes of a launch take, 0 for none, on an H200 and its host: 0.1 ms until the first page is there,
/// and 9.5 GB/s from then on (results/h200/page-faults.csv, managed-pages.csv: 4 KiB to 128 MiB). Most launches take
/// 0.6 to 1.6 of it, small ones now and then 0.5 ms more.
inline double page_fault_seconds(double bytes) {
    constexpr double kFirst = 1e-4, kRate = 9.5e9;
    return bytes <= 0 ? 0 : kFirst + bytes / kRate;
}

}  // namespace lanework
