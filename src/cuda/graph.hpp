// Work that was recorded once and is launched as one.
#pragma once

#include "src/cuda/stream.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Owns a graph that can be launched: what `record(origin)` hands to the stream `origin`, and to others that fork from
/// it and join it again.
class CapturedGraph {
public:
    template <class Record>
    explicit CapturedGraph(const Record& record) {
        const Stream origin;
        LANEWORK_CHECK(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeThreadLocal));
        record(origin.get());
        cudaGraph_t graph = nullptr;
        LANEWORK_CHECK(cudaStreamEndCapture(origin.get(), &graph));
        const cudaError_t instantiated = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        LANEWORK_CHECK(instantiated);
    }
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;
    ~CapturedGraph() { cudaGraphExecDestroy(executable_); }

    void launch(cudaStream_t stream) const { LANEWORK_CHECK(cudaGraphLaunch(executable_, stream)); }

private:
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
