// Named ranges for profilers: Nsight shows what was launched within one under its name. Nothing happens when no
// profiler watches, and in builds without NVTX.
#pragma once

#include <lanework/operation.hpp>
#include <string>

namespace lanework {

/// From its making to its end on this thread, in the NVTX domain "lanework".
class NvtxRange {
public:
    explicit NvtxRange(const std::string& name);
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
    ~NvtxRange();
};

inline constexpr const char* kNvtxDomain = "lanework";

/// What a launch of a rung is named: "transpose/padded_tile 100x113 int32", "gray/naive 64x64 uint8 mean".
std::string range_name(const Operation& operation, const Rung& rung, const Problem& problem);

}  // namespace lanework
