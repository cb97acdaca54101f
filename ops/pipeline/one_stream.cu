// Everything in one stream: each stage waits for the one before, two of the three engines always stand idle, and the
// time is the sum of all three.
#include "ops/pipeline/stages.cuh"

namespace {
void launch(const PipelineArgs& a, cudaStream_t stream) {
    const Chunks chunks(a.n);
    for (std::int64_t i = 0; i < chunks.count(); ++i) run_chunk(a, chunks[i], slot_at(a, 0), stream);
}

std::size_t workspace(const PipelineArgs& a) { return slot_bytes(a, 1); }
}  // namespace

LANEWORK_RUNG(pipeline, one_stream,
              {
                  .lesson = "One stream is one queue: upload, kernel and download take turns, and their times add up.",
                  .launch = launch,
                  .workspace = workspace,
              });
