// Counting requests to constant and local memory.
#include "src/trace/analyse/own_memory.hpp"

#include "src/trace/analyse/coalescing.hpp"

namespace lanework {

void OwnMemory::request(const Request& request) {
    Site& site = *request.site;
    if (site.space == Space::constant) {
        site.constant.add({.requests = 1, .distinct_addresses = count_global(request).distinct_addresses});
    } else if (site.space == Space::local) {
        site.local.add({.requests = 1, .lanes = static_cast<unsigned>(__builtin_popcount(request.lanes))});
    }
}

}  // namespace lanework
