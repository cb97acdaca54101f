// A GPU has a clock: the second of two launches is recorded, so that nothing is done for the first time.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/timeline/cupti_recorder.hpp"
#include "src/timeline/recording.hpp"

namespace lanework {

Timeline recorded_timeline(Device& device, const TimelineJob& job) {
    CuptiRecorder recorder;  // before a graph is made: its nodes are recorded one by one only if it is known of
    std::vector<Activity> activities;
    std::vector<HostActivity> calls;
    run_watched(device, job, [&](const std::function<void()>& launch) {
        launch();
        const std::uint64_t first_is_over = recorder.now();
        recorder.take();
        launch();
        activities = recorder.take();
        calls = recorder.take_calls();
        std::erase_if(calls, [=](const HostActivity& each) { return each.begin_ns < first_is_over; });
        std::erase_if(activities, [=](const Activity& each) {
            return each.begin_ns != 0 && each.begin_ns < first_is_over;  // of the first, handed over late
        });
    });
    Timeline timeline = timeline_of(activities, calls, recorder.version());
    if (const std::size_t dropped = recorder.dropped(); dropped > 0)
        timeline.notes.push_back(fmt::format("CUPTI dropped {} records.", dropped));
    if (timeline.spans.empty()) throw UnavailableError("CUPTI recorded no work of this launch");
    return timeline;
}

}  // namespace lanework
