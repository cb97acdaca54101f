// Schedules computed by hand. An upload takes 2 s, a kernel 3 s, a download 1 s, unless a test says otherwise.
#include "src/timeline/in_order_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <random>

namespace lanework {
namespace {

// One byte per second everywhere, so that bytes are seconds.
EngineSpeeds seconds_as_bytes() {
    return {
        .gpu = "GPU", .upload = 1, .download = 1, .pageable = 1, .memory = 1, .launch_s = 0, .copy_s = 0, .call_s = 0};
}

StreamTask task(Engine engine, std::uint64_t seconds) {
    return {.engine = engine, .name = "", .bytes = seconds, .after = {}};
}
const StreamTask kUpload = task(Engine::upload, 2), kKernel = task(Engine::kernel, 3),
                 kDownload = task(Engine::download, 1);

const int handles[4] = {};
const void* const a = &handles[0];
const void* const b = &handles[1];
const void* const event = &handles[3];

/// A program whose tasks are named by their numbers: timelines are sorted by time.
class Numbered : public StreamProgram {
public:
    void submit(StreamTask task, const void* stream, bool host_waits = false) {
        task.name = std::to_string(tasks().size());
        StreamProgram::submit(std::move(task), stream, host_waits);
    }
    void chunk(const void* stream) {
        for (const StreamTask& stage : {kUpload, kKernel, kDownload}) submit(stage, stream);
    }
};

using Times = std::vector<Interval>;

/// When every task ran, in the order of submission.
Times times(const StreamProgram& program, const EngineSpeeds& speeds = seconds_as_bytes()) {
    Times result(program.tasks().size());
    for (const Span& span : model_timeline(program, speeds).spans)
        result[std::stoul(span.name)] = {span.begin_s, span.end_s};
    return result;
}

TEST(InOrderModel, OneStreamTakesTheSum) {
    Numbered program;
    program.chunk(a);
    program.chunk(a);
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 5}, {5, 6}, {6, 8}, {8, 11}, {11, 12}}));
    EXPECT_DOUBLE_EQ(overlap_efficiency(model_timeline(program, seconds_as_bytes())), 0.5);
}

TEST(InOrderModel, TwoStreamsOverlapAsFarAsTheEnginesAllow) {
    Numbered program;
    program.chunk(a);
    program.chunk(b);
    // Uploads 0–2 and 2–4; the second kernel waits for the first, which fills the GPU: 2–5, 5–8; downloads 5–6, 8–9.
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 5}, {5, 6}, {2, 4}, {5, 8}, {8, 9}}));
    const Timeline timeline = model_timeline(program, seconds_as_bytes());
    EXPECT_EQ(critical_engine(timeline), Engine::kernel);
    EXPECT_DOUBLE_EQ(overlap_efficiency(timeline), 6.0 / 9.0);
    EXPECT_EQ(stream_count(timeline), 2);
}

TEST(InOrderModel, KernelsRunSideBySideAsFarAsTheirBlocksLeaveMultiprocessorsFree) {
    EngineSpeeds speeds = seconds_as_bytes();
    speeds.sms = 4;
    const auto kernel = [](std::uint64_t blocks) {
        StreamTask small = task(Engine::kernel, 1);
        small.blocks = blocks;
        return small;
    };
    Numbered program;
    program.submit(kernel(2), a);      // half of the GPU, and half of its bandwidth: 2 s
    program.submit(kernel(1), b);      // a quarter: 4 s
    program.submit(kernel(2), event);  // waits for a half
    program.submit(kernel(9), a);      // fills the GPU, and waits for all
    EXPECT_EQ(times(program, speeds), (Times{{0, 2}, {0, 4}, {2, 4}, {4, 5}}));
    // The default stream keeps small ones apart, too.
    Numbered serial;
    serial.submit(kernel(1), a);
    serial.submit(kernel(1), nullptr);
    serial.submit(kernel(1), b);
    EXPECT_EQ(times(serial, speeds), (Times{{0, 4}, {4, 8}, {8, 12}}));
}

TEST(InOrderModel, AnEngineTakesWhatHasBeenReadyLongest) {
    Numbered program;
    program.submit(task(Engine::kernel, 5), a);
    program.submit(kUpload, a);  // ready at 5
    program.submit(kUpload, b);  // ready at once, though handed over later
    EXPECT_EQ(times(program), (Times{{0, 5}, {5, 7}, {0, 2}}));
}

TEST(InOrderModel, OneCopyEngineTakesCopiesInTheOrderOfSubmission) {
    EngineSpeeds speeds = seconds_as_bytes();
    speeds.copy_engines = 1;
    Numbered depth_first;
    depth_first.chunk(a);
    depth_first.chunk(b);
    // The second upload stands behind the first download, which waits for its kernel: nothing overlaps.
    EXPECT_EQ(times(depth_first, speeds), (Times{{0, 2}, {2, 5}, {5, 6}, {6, 8}, {8, 11}, {11, 12}}));
    Numbered breadth_first;
    for (const StreamTask& stage : {kUpload, kKernel, kDownload})
        for (const void* stream : {a, b}) breadth_first.submit(stage, stream);
    EXPECT_EQ(times(breadth_first, speeds), (Times{{0, 2}, {2, 4}, {2, 5}, {5, 8}, {5, 6}, {8, 9}}));
}

TEST(InOrderModel, TheDefaultStreamWaitsForAllAndAllWaitForIt) {
    Numbered program;
    program.submit(kUpload, a);
    program.submit(kKernel, nullptr);
    program.submit(kUpload, b);
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 5}, {5, 7}}));
}

TEST(InOrderModel, TheDefaultStreamLeavesNonBlockingStreamsAlone) {
    Numbered program;
    program.declare(a, false);
    program.declare(b, false);
    program.submit(kUpload, a);
    program.submit(kKernel, nullptr);
    program.submit(kUpload, b);
    EXPECT_EQ(times(program), (Times{{0, 2}, {0, 3}, {2, 4}}));
}

TEST(InOrderModel, AStreamWaitsForWhatAnEventStoodForWhenItWasRecorded) {
    Numbered program;
    program.submit(kUpload, a);
    program.record_event(event, a);
    program.submit(kDownload, a);
    program.wait_for_event(event, b);
    program.submit(kKernel, b);  // after the upload, beside the download
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 3}, {2, 5}}));
}

TEST(InOrderModel, AnEventThatWasNeverRecordedIsNotWaitedFor) {
    Numbered program;
    program.submit(kUpload, a);
    program.wait_for_event(event, b);
    program.submit(kKernel, b);
    EXPECT_EQ(times(program), (Times{{0, 2}, {0, 3}}));
}

TEST(InOrderModel, TheHostHandsOverNothingWhileItWaits) {
    Numbered program;
    program.submit(kUpload, a, true);
    program.submit(kUpload, b, true);
    program.submit(kKernel, b);
    program.host_waits_for_stream(a);  // long done
    program.submit(kDownload, a);
    program.host_waits_for_device();
    program.submit(kDownload, a);
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 4}, {4, 7}, {4, 5}, {7, 8}}));
}

TEST(InOrderModel, TheHostWaitsForAnEvent) {
    Numbered program;
    program.submit(kUpload, a);
    program.record_event(event, a);
    program.submit(kKernel, a);
    program.host_waits_for_event(event);
    program.submit(kUpload, b);
    EXPECT_EQ(times(program), (Times{{0, 2}, {2, 5}, {2, 4}}));
}

TEST(InOrderModel, CallsTakeTimeOnTheHost) {
    EngineSpeeds speeds = seconds_as_bytes();
    speeds.call_s = 5;
    Numbered program;
    program.submit(kUpload, a);
    program.submit(kUpload, b);
    EXPECT_EQ(times(program, speeds), (Times{{0, 2}, {5, 7}})) << "the first begins at 5, which is the timeline's 0";
}

TEST(InOrderModel, AGraphIsOneCallAndItsStepsComeAfterWhatTheyComeAfter) {
    EngineSpeeds speeds = seconds_as_bytes();
    speeds.call_s = 100;
    Numbered program;
    program.submit(task(Engine::kernel, 7), a);
    program.begin_graph(a);
    const std::vector<std::size_t> none, first{0}, both{1, 2};
    program.begin_graph_step(a, none);
    program.submit(kUpload, nullptr);
    program.begin_graph_step(a, first);
    program.submit(kKernel, nullptr);
    program.begin_graph_step(b, first);
    program.submit(kUpload, nullptr);
    program.begin_graph_step(a, both);
    program.submit(kDownload, nullptr);
    program.end_graph();
    program.submit(kUpload, a);
    // Called at 100, 200 and 300, which are 0, 100 and 200 of the timeline.
    EXPECT_EQ(times(program, speeds), (Times{{0, 7}, {100, 102}, {102, 105}, {102, 104}, {105, 106}, {200, 202}}));
}

TEST(InOrderModel, AGraphWithinAGraphIsDoneAtItsStep) {
    Numbered program;
    const std::vector<std::size_t> none, first{0};
    program.begin_graph(a);
    program.begin_graph_step(a, none);
    program.begin_graph(a);
    program.begin_graph_step(a, none);
    program.submit(kUpload, a);
    program.begin_graph_step(b, none);
    program.submit(kKernel, b);
    program.end_graph();
    program.begin_graph_step(a, first);
    program.submit(kDownload, a);
    program.end_graph();
    EXPECT_EQ(times(program), (Times{{0, 2}, {0, 3}, {3, 4}}));
}

/// Work, events and waiting in four streams, one of which is the default stream and one non-blocking.
Numbered drawn_program(std::mt19937& random) {
    const void* const streams[] = {nullptr, a, b, &handles[2]};
    constexpr Engine kDrawn[] = {Engine::upload, Engine::kernel, Engine::download, Engine::memset};
    const auto below = [&](unsigned count) { return random() % count; };
    Numbered program;
    program.declare(b, false);
    for (int call = 0; call < 60; ++call) {
        const void* const stream = streams[below(4)];
        switch (below(8)) {
            case 0: program.record_event(event, stream); break;
            case 1: program.wait_for_event(event, stream); break;
            case 2: program.host_waits_for_stream(stream); break;
            default: program.submit(task(kDrawn[below(4)], below(5)), stream, below(6) == 0);
        }
    }
    return program;
}

TEST(InOrderModel, KeepsTheOrderAndOneTaskPerEngineWhateverIsHandedOver) {
    std::mt19937 random(7);
    for (int drawn = 0; drawn < 300; ++drawn) {
        const Numbered program = drawn_program(random);
        EngineSpeeds speeds = seconds_as_bytes();
        speeds.copy_engines = 1 + drawn % 2;
        const Timeline timeline = model_timeline(program, speeds);
        const Times when = times(program, speeds);
        double sum = 0;
        for (std::size_t i = 0; i < when.size(); ++i) {
            sum += when[i].seconds();
            for (const std::size_t earlier : program.tasks()[i].after)
                EXPECT_GE(when[i].begin_s, when[earlier].end_s) << "program " << drawn << ", task " << i;
        }
        for (const Engine engine : {Engine::upload, Engine::download, Engine::kernel}) {
            double busy = 0;
            for (const Span& span : timeline.spans) busy += span.engine == engine ? span.seconds() : 0;
            EXPECT_EQ(busy_s(timeline, engine), busy) << "program " << drawn << ": two at a time";
        }
        EXPECT_LE(length_s(timeline), sum) << "program " << drawn << ": something waited for nothing";
    }
}

TEST(EngineSpeeds, MakeTimesOfBytes) {
    EngineSpeeds speeds{.gpu = "GPU",
                        .upload = 10,
                        .download = 20,
                        .pageable = 5,
                        .memory = 100,
                        .launch_s = 1,
                        .copy_s = 2,
                        .call_s = 0};
    EXPECT_DOUBLE_EQ(speeds.seconds_of(task(Engine::upload, 100)), 12);
    EXPECT_DOUBLE_EQ(speeds.seconds_of(task(Engine::download, 100)), 7);
    EXPECT_DOUBLE_EQ(speeds.seconds_of(task(Engine::memset, 100)), 2);
    EXPECT_DOUBLE_EQ(speeds.seconds_of(task(Engine::copy, 100)), 3) << "read and written";
    StreamTask pageable = task(Engine::upload, 100);
    pageable.pageable = true;
    EXPECT_DOUBLE_EQ(speeds.seconds_of(pageable), 22);
    StreamTask kernel = task(Engine::kernel, 300);
    EXPECT_DOUBLE_EQ(speeds.seconds_of(kernel), 4);
    kernel.read_over_link = 100;
    EXPECT_DOUBLE_EQ(speeds.seconds_of(kernel), 11) << "bound by the link that it reads across";
    kernel.written_over_link = 600;
    EXPECT_DOUBLE_EQ(speeds.seconds_of(kernel), 31);
}

TEST(InOrderModel, TheHostIsFreeBetweenItsCallsAndItsWaits) {
    EngineSpeeds speeds = seconds_as_bytes();
    speeds.call_s = 0.5;
    Numbered program;
    program.chunk(a);  // calls until 1.5; the upload from 0.5, the download ends at 6.5
    program.host_waits_for_stream(a);
    program.submit(kKernel, a);  // from 7.0, after 0.5 of the call that waited and 0.5 of this one
    program.host_waits_for_device();
    const Timeline timeline = model_timeline(program, speeds);
    ASSERT_TRUE(timeline.host_is_known);
    EXPECT_DOUBLE_EQ(length_s(timeline), 9.5);
    // From the first begin on: calls to 1.5 (the waiting one too), its wait to 6.0, and the last call to 6.5.
    EXPECT_EQ(host_busy(timeline), (std::vector<Interval>{{0, 6.5}}));
    EXPECT_DOUBLE_EQ(host_free_s(timeline), 3) << "while the last kernel runs; the wait for the end is nobody's";
    ASSERT_FALSE(timeline.host.empty());
    EXPECT_EQ(std::ranges::count(timeline.host, true, &HostSpan::waits), 1);

    Numbered meanwhile;
    meanwhile.chunk(a);
    EXPECT_EQ(host_free_s(model_timeline(meanwhile, seconds_as_bytes())), 6) << "calls that cost nothing";
    Numbered held_up;
    held_up.submit(kUpload, a, true);
    held_up.submit(kKernel, a);
    EXPECT_EQ(host_free_s(model_timeline(held_up, seconds_as_bytes())), 3) << "the copy is waited for";
}

TEST(EngineSpeeds, AreReadFromText) {
    const EngineSpeeds h200 = published_speeds(parse_gpu("h200"));
    EXPECT_EQ(h200.upload, 64e9);
    EXPECT_EQ(h200.memory, 4.8e12);
    const EngineSpeeds changed = parse_speeds("link=50,download=40,launch=3.5,call=2,copy-engines=1", h200);
    EXPECT_DOUBLE_EQ(changed.upload, 50e9);
    EXPECT_DOUBLE_EQ(changed.download, 40e9);
    EXPECT_DOUBLE_EQ(changed.launch_s, 3.5e-6);
    EXPECT_DOUBLE_EQ(changed.call_s, 2e-6);
    EXPECT_EQ(changed.copy_engines, 1);
    EXPECT_EQ(changed.memory, h200.memory);
    for (const char* wrong : {"link", "link=", "link=fast", "link=0", "speed=1", "launch=-1", "copy-engines=3", "=1",
                              "memory=inf", "link=1,,"})
        EXPECT_THROW(parse_speeds(wrong, h200), UsageError) << wrong;
}

}  // namespace
}  // namespace lanework
