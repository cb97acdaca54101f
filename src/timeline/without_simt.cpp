// Builds without the simt device have nobody to watch.
#include <lanework/error.hpp>

#include "src/timeline/recording.hpp"

namespace lanework {

Timeline modelled_timeline(Device&, const TimelineJob&, const EngineSpeeds&) {
    throw UnavailableError("this build has no simt device to model timelines on: configure it with -DLANEWORK_SIMT=ON");
}

}  // namespace lanework
