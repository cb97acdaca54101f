// Builds without CUPTI's header cannot read its records.
#include <lanework/error.hpp>

#include "src/timeline/recording.hpp"

namespace lanework {

Timeline recorded_timeline(Device&, const TimelineJob&) {
    throw UnavailableError(
        "this build cannot record timelines of GPUs: CUPTI's header (cupti.h of CUDA 13) was not found when it was "
        "configured; install the toolkit's CUPTI (package cuda-cupti-dev) and build again");
}

}  // namespace lanework
