// The simt device does work at once: what it was handed is written down, and the model says when.
#include "src/timeline/in_order_model.hpp"
#include "src/timeline/recording.hpp"
#include "src/timeline/stream_recorder.hpp"

namespace lanework {

Timeline modelled_timeline(Device& device, const TimelineJob& job, const EngineSpeeds& speeds) {
    StreamProgram program;
    run_watched(device, job, [&](const std::function<void()>& launch) {
        const StreamRecorder recorder;
        launch();
        program = recorder.program();
    });
    return model_timeline(program, speeds);
}

}  // namespace lanework
