// What analysers are told by threads of their own is what the reader told, in its order.
#include "src/trace/record/relay.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace lanework {
namespace {

/// Writes down what it is told, as text.
class Diary final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::global; }
    bool sees_steps() const override { return true; }
    bool reads_values() const override { return true; }
    void memory_allocated(const MemoryRange& range) override { note("allocated", range.bytes); }
    void memory_released(const MemoryRange& range) override { note("released", range.bytes); }
    void memory_written(const MemoryRange& range) override { note("written", range.bytes); }
    void block_begins(std::uint64_t block) override { note("begins", block); }
    void request(const Request& request) override {
        note("request", request.lanes);
        if (!request.values) return;
        const std::size_t count = Request::values_of(request.site->bytes);
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if (request.lanes >> lane & 1) note("value", request.values[lane * count]);
    }
    void step(const Step& step) override { note("step", step.lanes); }
    void meeting(const Meeting& meeting) override { note("meeting", meeting.lanes); }
    void fence(const Meeting& fence) override { note("fence", fence.lanes); }
    void index_out_of_bounds(const BadIndex& bad) override { note("index", static_cast<std::uint64_t>(bad.index)); }
    void barrier(std::uint64_t block) override { note("barrier", block); }
    void grid_barrier() override { note("grid", 0); }
    void block_ends(std::uint64_t block) override { note("ends", block); }
    void launch_cut_short() override { note("cut", 0); }

    std::string text;

private:
    void note(const char* what, std::uint64_t number) { text += what + (" " + std::to_string(number)) + "\n"; }
};

/// Fails at its second request.
class Failing final : public Analyser {
public:
    bool sees_requests(Space) const override { return true; }
    void request(const Request&) override {
        if (++requests == 2) throw std::runtime_error("no memory for marks");
    }
    unsigned requests = 0;
};

std::uint32_t written[kLanes];  // of the program, where it can be read

/// A launch of so many blocks.
void tell_launch(Analyser& analyser, unsigned blocks) {
    static Site load, store, hidden;
    store.kind = EventKind::store;
    for (Site* site : {&load, &store}) site->bytes = 4;
    hidden.space = Space::shared;
    for (unsigned block = 0; block < blocks; ++block) {
        analyser.block_begins(block);
        analyser.memory_allocated({written, block});
        analyser.memory_released({written, block});
        Request request{.site = &load, .lanes = block + 1, .address = {}, .block = block, .warp = 0};
        for (unsigned lane = 0; lane < kLanes; ++lane)
            request.address[lane] = reinterpret_cast<std::uint64_t>(written + lane);
        if (analyser.sees_requests(Space::global)) analyser.request(request);
        analyser.step({&load, 7, block, 0});
        analyser.meeting({&load, 3, block, 0});
        analyser.fence({&load, 5, block, 0});
        analyser.barrier(block);
        analyser.index_out_of_bounds({&load, block, 0, 40});
        analyser.memory_written({written, block});
        analyser.grid_barrier();
        analyser.block_ends(block);
    }
    analyser.launch_cut_short();
}

class Blocks : public testing::TestWithParam<unsigned> {};

TEST_P(Blocks, AllAreToldWhatTheReaderTold) {
    Diary told, first, second, third;
    tell_launch(told, GetParam());
    Relay relay;
    for (const std::size_t threads : {1u, 2u, 8u}) {
        for (Diary* diary : {&first, &second, &third}) diary->text.clear();
        relay.start({{&first}, {&second, &third}}, threads);
        tell_launch(relay, GetParam());
        relay.finish();
        for (const Diary* diary : {&first, &second, &third}) EXPECT_EQ(diary->text, told.text) << threads;
    }
}

// None fills a piece; several do; and more than are written ahead.
INSTANTIATE_TEST_SUITE_P(Relay, Blocks, testing::Values(0u, 3u, 500u, 4000u));

TEST(Relay, ValuesAreThoseOfTheTimeOfTheWrite) {
    Diary diary;
    Site store;
    store.kind = EventKind::store;
    store.bytes = 4;
    Relay relay;
    relay.start({{&diary}}, 1);
    Request request{.site = &store, .lanes = 4, .address = {}, .block = 0, .warp = 0};
    request.address[2] = reinterpret_cast<std::uint64_t>(written + 2);
    written[2] = 17;
    relay.request(request);
    written[2] = 18;
    relay.request(request);
    written[2] = 19;
    relay.finish();
    EXPECT_EQ(diary.text, "request 4\nvalue 17\nrequest 4\nvalue 18\n");
}

TEST(Relay, AWriteToWhereNoMemoryIsIsTold) {
    Diary diary;
    Site store;
    store.kind = EventKind::store;
    store.bytes = 4;
    Relay relay;
    relay.start({{&diary}}, 1);
    Request request{.site = &store, .lanes = 1, .address = {64}, .block = 0, .warp = 0};
    relay.request(request);
    relay.finish();
    EXPECT_EQ(diary.text, "request 1\nvalue 0\n");
}

TEST(Relay, WhatAnAnalyserThrowsComesAtTheEnd) {
    for (const unsigned blocks : {5u, 4000u}) {
        Failing failing;
        Relay relay;
        relay.start({{&failing}}, 1);
        tell_launch(relay, blocks);
        EXPECT_THROW(relay.finish(), std::runtime_error);
        EXPECT_EQ(failing.requests, 2u) << "it is told nothing more";
        relay.start({{&failing}}, 1);
        tell_launch(relay, 1);
        EXPECT_NO_THROW(relay.finish()) << "the next launch is another one";
    }
}

}  // namespace
}  // namespace lanework
