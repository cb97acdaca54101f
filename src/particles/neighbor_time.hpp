// What one part of building a list takes.
#pragma once

#include <string>
#include <vector>

namespace lanework {

struct NeighborTime {
    std::string what;               ///< "list", "list with allocation", "copy in", "copy out", "host to host"
    std::string clock;              ///< "device" (events on a GPU) or "host"
    std::string caches;             ///< "cold", "hot"
    std::vector<double> samples_s;  ///< seconds
};

}  // namespace lanework
