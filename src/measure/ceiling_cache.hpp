// The file that remembers measured ceilings between runs of the program, one entry per device.
#pragma once

#include <optional>

#include "src/measure/cache_file.hpp"
#include "src/measure/ceilings.hpp"

namespace lanework {

/// The ceilings of the device with this fingerprint; nothing when the file does not hold them or cannot be
/// understood.
std::optional<Ceilings> load_ceilings(const std::filesystem::path& file, const std::string& fingerprint);

/// Adds or replaces the entry of a device and writes the file as a whole. A file that cannot be understood is
/// replaced; one that cannot be written is left: the cache only saves time.
void store_ceilings(const std::filesystem::path& file, const Ceilings& ceilings);

}  // namespace lanework
