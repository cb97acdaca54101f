// Memory, streams and captures of the simt device for tests of arrays on a GPU: what frameworks would have made.
#include <cuda_runtime.h>

extern "C" {
/// Never given back; as frameworks take it, while a stream is captured, too.
[[gnu::visibility("default")]] void* lanework_test_memory(std::size_t bytes) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error == cudaSuccess ? memory : nullptr;
}

/// A stream that is never given back.
[[gnu::visibility("default")]] void* lanework_test_stream() {
    cudaStream_t stream = nullptr;
    return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess ? stream : nullptr;
}

[[gnu::visibility("default")]] void* lanework_test_begin_capture(void* stream) {
    return cudaStreamBeginCapture(static_cast<cudaStream_t>(stream), cudaStreamCaptureModeGlobal) == cudaSuccess
               ? stream
               : nullptr;
}

/// What was captured, made ready; null where the capture was lost.
[[gnu::visibility("default")]] void* lanework_test_end_capture(void* stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    if (cudaStreamEndCapture(static_cast<cudaStream_t>(stream), &graph) != cudaSuccess) return nullptr;
    return cudaGraphInstantiate(&ready, graph) == cudaSuccess ? ready : nullptr;
}

/// Waits until it is done.
[[gnu::visibility("default")]] int lanework_test_replay(void* graph, void* stream) {
    const cudaError_t error = cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), static_cast<cudaStream_t>(stream));
    return error != cudaSuccess ? error : cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
}
}
