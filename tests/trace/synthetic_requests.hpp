// Requests of one warp, made of what each lane's address is.
#pragma once

#include <functional>

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

/// A multiple of any sector, line and row of banks.
inline constexpr std::uint64_t kBase = 0x10000;

/// A request at a site of `bytes` per lane; `offset` tells each lane's distance from kBase.
inline Request request_at(Site& site, const std::function<std::int64_t(int)>& offset, std::uint32_t lanes = kAllLanes) {
    Request request{.site = &site, .lanes = lanes, .address = {}, .block = 0, .warp = 0};
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane)
        request.address[static_cast<std::size_t>(lane)] = kBase + static_cast<std::uint64_t>(offset(lane));
    return request;
}

/// A site that nothing was counted at.
inline Site site_of(unsigned bytes, EventKind kind = EventKind::load, Space space = Space::global,
                    std::uint32_t id = 0) {
    Site site;
    site.id = id;
    site.kind = kind;
    site.space = space;
    site.bytes = bytes;
    return site;
}

/// `step` bytes from lane to lane.
inline std::function<std::int64_t(int)> every(std::int64_t step, std::int64_t first = 0) {
    return [=](int lane) { return first + step * lane; };
}

}  // namespace lanework
