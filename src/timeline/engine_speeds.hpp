// Declared speeds of a GPU's engines, from which a modelled timeline follows.
#pragma once

#include <string>
#include <string_view>

#include "src/gpu/gpus.hpp"
#include "src/timeline/stream_program.hpp"

namespace lanework {

struct EngineSpeeds {
    /// "NVIDIA H200 SXM".
    std::string gpu;
    /// Bytes per second over the link, in each direction.
    double upload = 0, download = 0;
    /// The same where the host's thread copies first, because the host's memory is pageable.
    double pageable = 0;
    /// Bytes per second of device memory.
    double memory = 0;
    /// Seconds that each kernel or fill, and each copy, takes beside its bytes.
    double launch_s = 0, copy_s = 0;
    /// Seconds of the host for each call.
    double call_s = 0;
    /// Seconds from the end of a piece of work to the begin of one of another stream that waits for it.
    double wait_s = 0;
    /// Managed memory that moves page by page, as it is touched, takes what an H200's host was measured to take
    /// (page_fault_seconds), not what the link does.
    bool page_faults = false;
    /// Bytes per second of page-locked host memory that a kernel reaches by itself; 0: as the link.
    double mapped = 0;
    /// With 2, uploads and downloads have an engine each. With 1 they share one, which takes its work in the order in
    /// which it was submitted.
    int copy_engines = 2;
    /// Multiprocessors; 0: every kernel fills the GPU.
    int sms = 0;

    /// Which part of its engine the task takes: of a kernel with fewer blocks than there are multiprocessors as many of
    /// these, and as much of the memory's bandwidth.
    double share_of(const StreamTask& task) const;

    /// How long an engine needs for the task.
    double seconds_of(const StreamTask& task) const;
};

/// The published bandwidths of the GPU's memory and link; what no datasheet states is the model's own.
EngineSpeeds published_speeds(const Gpu& gpu);
/// The same, with what an H200 and its host were measured to need beside: what advice is reckoned with.
EngineSpeeds measured_speeds(const Gpu& gpu);
/// Changes what the text names: "upload=55,download=55,launch=3". Bandwidths are in GB/s, times in µs; `link` is both
/// directions. Throws UsageError that lists the names.
EngineSpeeds parse_speeds(std::string_view text, EngineSpeeds speeds);
/// All of them in one line: "declared speeds of an NVIDIA H200 SXM: …".
std::string describe(const EngineSpeeds& speeds);

}  // namespace lanework
