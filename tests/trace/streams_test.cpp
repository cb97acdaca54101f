// What is said about work in streams: programs by hand, each with what must be said of it and the same without the
// fault.
#include "src/timeline/stream_program.hpp"

#include <gtest/gtest.h>

#include "src/gpu/memory_units.hpp"
#include "tests/trace/rule_samples.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kMebi = 1 << 20, kHost = 1 << 30, kDevice = std::uint64_t{4} << 30;
const int handles[3] = {};
const void *const a = &handles[0], *const b = &handles[1], *const kDefault = nullptr;

struct Range {
    std::uint64_t base, bytes;
};

/// Streams, and launches of a kernel that reads and writes ranges, each once.
class Written {
public:
    void copy(Engine engine, std::uint64_t to, std::uint64_t from, std::uint64_t bytes, const void* stream,
              bool pageable = false, bool asynchronous = true) {
        StreamTask task{.engine = engine,
                        .name = "copy",
                        .bytes = bytes,
                        .pageable = pageable,
                        .asynchronous = asynchronous,
                        .from = from,
                        .to = to,
                        .span = bytes,
                        .after = {}};
        add(std::move(task), stream, pageable || !asynchronous, {});
    }
    void prefetch(std::uint64_t to, std::uint64_t bytes, const void* stream) {
        add({.engine = Engine::upload,
             .name = "prefetch",
             .bytes = bytes,
             .asynchronous = true,
             .prefetches = true,
             .from = to,
             .to = to,
             .span = bytes,
             .after = {}},
            stream, false, {});
    }
    void kernel(Range read, Range written, const void* stream, unsigned blocks = 4096, std::uint64_t faulted = 0) {
        KernelTrace launch = full_launch();
        launch.shape.grid = {blocks, 1, 1};
        auto touched = std::make_shared<TouchedMemory>();
        touched->read.insert(read.base / kSectorBytes, (read.base + read.bytes) / kSectorBytes);
        touched->written.insert(written.base / kSectorBytes, (written.base + written.bytes) / kSectorBytes);
        launch.footprint_read = launch.footprint_pairs = read.bytes;
        launch.footprint_written = written.bytes;
        launch.touched = touched;
        launch.sites = {streamed(read.bytes, EventKind::load), streamed(written.bytes, EventKind::store)};
        explanation_.kernels.push_back(std::move(launch));
        add({.engine = Engine::kernel,
             .name = "kernel",
             .blocks = blocks,
             .bytes = read.bytes + written.bytes,
             .faulted = faulted,
             .after = {}},
            stream, false, explanation_.kernels.size() - 1);
    }
    /// One that nobody traced.
    void unknown_kernel(const void* stream) {
        add({.engine = Engine::kernel, .name = "kernel", .blocks = 4096, .after = {}}, stream, false, {});
    }

    std::vector<Finding> findings() {
        trace_.work = program_.work();
        explanation_.streams = std::make_shared<StreamTrace>(trace_);
        std::vector<Finding> found = known;
        find_in_streams(explanation_, h200(), found);
        return found;
    }
    /// Findings that were there before, about the kernels.
    std::vector<Finding> known;
    bool says(Rule rule) { return find(findings(), rule) != nullptr; }
    StreamProgram& program() { return program_; }

private:
    static PlacedSite streamed(std::uint64_t bytes, EventKind kind) {
        const std::uint64_t sectors = bytes / kSectorBytes;
        return global_site({.requests = sectors / 4,
                            .sectors = sectors,
                            .ideal_sectors = sectors,
                            .bytes = bytes,
                            .lines = sectors / 4,
                            .lanes = bytes / 4},
                           kind);
    }
    void add(StreamTask task, const void* stream, bool host_waits, std::optional<std::size_t> launch) {
        trace_.places.push_back({.file = "a.cu", .line = static_cast<int>(trace_.places.size()) + 1, .function = ""});
        trace_.launches.push_back(launch);
        program_.declare(stream, true);
        program_.submit(std::move(task), stream, host_waits);
    }

    StreamProgram program_;
    StreamTrace trace_;
    Explanation explanation_;
};

constexpr std::uint64_t kChunk = 8 * kMebi;

/// Chunks go up, through a kernel and down; chunk i in stream i modulo `streams`, with memory of its own for each
/// stream.
Written pipeline(int streams, bool pageable = false) {
    Written program;
    for (std::uint64_t i = 0; i < 8; ++i) {
        const int lane = static_cast<int>(i) % streams;
        const void* const stream = &handles[lane];
        const std::uint64_t in = kDevice + static_cast<std::uint64_t>(lane) * 64 * kMebi, out = in + 32 * kMebi;
        program.copy(Engine::upload, in, kHost + i * kChunk, kChunk, stream, pageable);
        program.kernel({in, kChunk}, {out, kChunk}, stream);
        program.copy(Engine::download, kHost + 128 * kMebi + i * kChunk, out, kChunk, stream, pageable);
    }
    return program;
}

TEST(Streams, ChunksInOneStreamTakeTurnsThoughNoneNeedsTheOther) {
    const std::vector<Finding> findings = pipeline(1).findings();
    const Finding* const said = find(findings, Rule::serialised_work);
    ASSERT_TRUE(said);
    EXPECT_GT(*said->gain, 0.3) << "the upload of one chunk could run beside the download of another";
    EXPECT_LT(*said->gain, 0.6);
    EXPECT_EQ(said->place.line, 4) << "the second chunk's upload";
    EXPECT_NEAR(said->time_without_s, (1 - *said->gain) * said->time_s, 1e-9);
}

TEST(Streams, ChunksInThreeStreamsDoNot) { EXPECT_FALSE(pipeline(3).says(Rule::serialised_work)); }

TEST(Streams, WhatReadsTheResultBeforeIsNoFault) {
    // Each kernel goes on with what the one before wrote.
    Written program;
    program.copy(Engine::upload, kDevice, kHost, kChunk, a);
    for (std::uint64_t i = 0; i < 8; ++i)
        program.kernel({kDevice + i * kChunk, kChunk}, {kDevice + (i + 1) * kChunk, kChunk}, a);
    program.copy(Engine::download, kHost, kDevice + 8 * kChunk, kChunk, a);
    EXPECT_FALSE(program.says(Rule::serialised_work));
}

TEST(Streams, AKernelThatNobodyTracedMayNeedEverything) {
    Written program;
    for (std::uint64_t i = 0; i < 8; ++i) {
        program.copy(Engine::upload, kDevice, kHost + i * kChunk, kChunk, a);
        program.unknown_kernel(a);
    }
    EXPECT_TRUE(program.findings().empty()) << "it may read where the next upload writes";
}

TEST(Streams, TheDefaultStreamHoldsKernelsThatCouldRunBesideEachOther) {
    const auto kernels = [](const void* other) {
        Written program;
        for (std::uint64_t i = 0; i < 16; ++i)
            program.kernel({kDevice + i * kMebi, kMebi / 16}, {kDevice + (i + 64) * kMebi, kMebi / 16},
                           i % 2 == 0 ? a : other, 16);
        return program.findings();
    };
    const std::vector<Finding> held = kernels(kDefault), free = kernels(b);
    const Finding* const said = find(held, Rule::default_stream_waits);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->place.line, 2);
    EXPECT_GT(*said->gain, 0.2);
    EXPECT_FALSE(find(free, Rule::default_stream_waits));
}

TEST(Streams, TheDefaultStreamMayOrderWhatNeedsAnOrder) {
    Written program;
    for (std::uint64_t i = 0; i < 16; ++i)
        program.kernel({kDevice + i * kChunk, kChunk}, {kDevice + (i + 1) * kChunk, kChunk}, i % 2 == 0 ? a : kDefault);
    EXPECT_FALSE(program.says(Rule::default_stream_waits));
}

TEST(Streams, PageableMemoryIsCopiedTwice) {
    EXPECT_TRUE(pipeline(2, true).says(Rule::pageable_copies));
    EXPECT_FALSE(pipeline(2, false).says(Rule::pageable_copies));
}

TEST(Streams, OneShortCopyIsNotWorthAWord) {
    Written program;
    program.copy(Engine::upload, kDevice, kHost, 64 * 1024, kDefault, true, false);
    program.kernel({kDevice, 64 * 1024}, {kDevice + kMebi, 64 * 1024}, kDefault, 64);
    program.copy(Engine::download, kHost, kDevice + kMebi, 64 * 1024, kDefault, true, false);
    EXPECT_TRUE(program.findings().empty());
}

TEST(Streams, ManagedPagesThatNobodySentComeOneByOne) {
    Written touched, sent;
    touched.kernel({kDevice, kChunk}, {kDevice + kChunk, kChunk}, a, 4096, kChunk);
    sent.prefetch(kDevice, kChunk, a);
    sent.kernel({kDevice, kChunk}, {kDevice + kChunk, kChunk}, a, 4096, 0);
    EXPECT_TRUE(touched.says(Rule::page_faults));
    EXPECT_TRUE(sent.findings().empty());
}

/// Nearly all of the kernel's time is less than half of that of the pages that it waits for.
TEST(Streams, FindingsHaveOneOrderThoughTheirTimesAreTwo) {
    Written program;
    program.kernel({kDevice, kChunk}, {kDevice + kChunk, kChunk}, a, 4096, kChunk);
    program.known.push_back({.rule = Rule::few_blocks,
                             .severity = Severity::warning,
                             .place = {},
                             .evidence = "",
                             .remedy = "",
                             .weight = 0.9,
                             .other = {}});
    program.known.back().gain = 0.9;
    std::vector<Finding> findings = program.findings();
    sort_findings(findings);
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].rule, Rule::page_faults);
    EXPECT_TRUE(findings[0].of_streams);
    EXPECT_FALSE(findings[1].of_streams);
    EXPECT_EQ(findings[1].gain, 0.9) << "of the kernels' time";
    EXPECT_LT(findings[1].weight, 0.5 * findings[0].weight);
}

TEST(Streams, WhatAKernelWritesOverNeedNotBeSent) {
    Written program;
    program.prefetch(kDevice, kChunk, a);
    program.kernel({kDevice + 64 * kMebi, kChunk}, {kDevice, kChunk}, a);
    const std::vector<Finding> findings = program.findings();
    const Finding* const said = find(findings, Rule::needless_copy);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->place.line, 1);
    EXPECT_GT(*said->gain, 0.5);
}

TEST(Streams, WhatAKernelReadsOnceItCouldReadWhereItIs) {
    const auto sent = [](int kernels) {
        Written program;
        program.copy(Engine::upload, kDevice, kHost, 8 * kChunk, a);
        for (int i = 0; i < kernels; ++i) program.kernel({kDevice, 8 * kChunk}, {kDevice + 256 * kMebi, kChunk}, a);
        program.copy(Engine::download, kHost + 512 * kMebi, kDevice + 256 * kMebi, kChunk, a);
        return program.says(Rule::needless_copy);
    };
    EXPECT_TRUE(sent(1)) << "the kernel's time and the download's hide behind the upload";
    EXPECT_FALSE(sent(2)) << "the second one would read across the link again";
}

}  // namespace
}  // namespace lanework
