// What a warp did, from what each of its lanes did.
#include "src/trace/record/warp_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tests/trace/synthetic_tapes.hpp"

namespace lanework {
namespace {

using Told = std::vector<std::string>;

constexpr unsigned kHalf = kLanes / 2;
constexpr std::uint32_t kLow = 0x0000ffff, kHigh = 0xffff0000;

// Variables of the program: global memory to the tracer.
std::array<int, 64> words, other_words;

std::string repeated(const std::string& blocks, unsigned times) {
    std::string text;
    for (unsigned i = 0; i < times; ++i) text += blocks;
    return text;
}

class Reader : public testing::Test {
protected:
    explicit Reader(unsigned threads = kLanes) : tapes(threads) {}

    const Told& read(unsigned warp = 0) {
        reader.read(tapes.block(), warp);
        return notes.told;
    }
    /// Every lane walks as its number says.
    void walk(const std::function<std::string(unsigned)>& blocks) {
        for (unsigned lane = 0; lane < kLanes; ++lane) tapes.walks(lane, blocks(lane));
    }
    void all(const Happened& event) {
        for (unsigned lane = 0; lane < kLanes; ++lane) tapes.happens(lane, event);
    }

    SyntheticTapes tapes;
    Notebook notes;
    std::array<Analyser*, 1> analysers{&notes};
    SiteTable sites;
    WarpReader reader{sites, analysers};
};

TEST_F(Reader, LanesThatDoTheSameGoTogether) {
    walk([](unsigned) { return "aba"; });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:ffffffff", "a:ffffffff"}));
}

TEST_F(Reader, ARequestHasTheAddressOfEachLane) {
    for (unsigned lane = 0; lane < kLanes; ++lane) tapes.happens(lane, load_at('a', &words[2 * lane % 64], 3));
    read();
    ASSERT_EQ(notes.requests.size(), 1u);
    const Notebook::Noted& noted = notes.requests[0];
    EXPECT_EQ(noted.space, Space::global);
    EXPECT_EQ(noted.kind, EventKind::load);
    EXPECT_EQ(noted.bytes, 8u);
    for (unsigned lane = 0; lane < kLanes; ++lane)
        EXPECT_EQ(noted.request.address[lane], reinterpret_cast<std::uint64_t>(&words[2 * lane % 64]));
}

TEST_F(Reader, AddressesStayWithTheirLanesWhenLanesPart) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lane >= kHalf) tapes.walks(lane, "b");
        tapes.happens(lane, load_at('c', &words[lane]));
        if (lane < kHalf) tapes.happens(lane, load_at('d', &other_words[lane]));
    }
    EXPECT_EQ(read(), (Told{"b:ffff0000", "c:ffffffff", "d:0000ffff"}));
    for (unsigned lane = 0; lane < kLanes; ++lane)
        EXPECT_EQ(notes.requests[0].request.address[lane], reinterpret_cast<std::uint64_t>(&words[lane]));
    for (unsigned lane = 0; lane < kHalf; ++lane)
        EXPECT_EQ(notes.requests[1].request.address[lane], reinterpret_cast<std::uint64_t>(&other_words[lane]));
}

TEST_F(Reader, LanesThatPartMeetWhereTheCodeDoes) {
    walk([](unsigned lane) { return lane % 2 == 0 ? "abd" : "acd"; });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:55555555", "c:aaaaaaaa", "d:ffffffff"}));
}

TEST_F(Reader, ASideThatFewTakeIsWaitedFor) {
    walk([](unsigned lane) { return lane == 5 ? "abcz" : "az"; });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:00000020", "c:00000020", "z:ffffffff"}));
}

TEST_F(Reader, LoopsInsideLoopsWithDifferentTripCounts) {
    // for two rounds: b, then c as often as the lane wants, then d; e behind both loops.
    walk([](unsigned lane) {
        const unsigned trips = lane % 4;
        return "ab" + repeated("c", trips) + "db" + repeated("c", 3 - trips) + "de";
    });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:ffffffff", "c:eeeeeeee", "c:cccccccc", "c:88888888", "d:ffffffff",
                            "b:ffffffff", "c:77777777", "c:33333333", "c:11111111", "d:ffffffff", "e:ffffffff"}));
}

TEST_F(Reader, OuterLoopsOfDifferentLengths) {
    walk([](unsigned lane) { return repeated("ab", lane < kHalf ? 1 : 3) + "c"; });
    EXPECT_EQ(read(),
              (Told{"a:ffffffff", "b:ffffffff", "a:ffff0000", "b:ffff0000", "a:ffff0000", "b:ffff0000", "c:ffffffff"}));
}

TEST_F(Reader, ALaneThatLeavesEarlyHoldsNobodyUp) {
    walk([](unsigned lane) { return lane < 20 ? "acd" : lane < 30 ? "ab" : ""; });
    EXPECT_EQ(read(), (Told{"a:3fffffff", "b:3ff00000", "c:000fffff", "d:000fffff"}));
}

TEST_F(Reader, WhoeverStopsFirstTheOthersAreReadToTheirEnds) {
    walk([](unsigned lane) { return lane == 0 ? "a" : "ab"; });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:fffffffe"}));
}

TEST_F(Reader, LanesThatAreGoneAreNotReadAgain) {
    walk([](unsigned lane) { return lane < kHalf ? "a" : ""; });
    EXPECT_EQ(read(), (Told{"a:0000ffff"}));
    EXPECT_EQ(read(), (Told{"a:0000ffff"}));
    for (unsigned lane = 0; lane < kHalf; ++lane) tapes.walks(lane, "b");
    EXPECT_EQ(read(), (Told{"a:0000ffff", "b:0000ffff"}));
}

TEST_F(Reader, LanesThatComeLateAreWaitedForAtAMeeting) {
    // Odd lanes go by way of d, which lies behind the meeting in the code.
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        tapes.walks(lane, lane % 2 == 0 ? "a" : "ad");
        tapes.happens(lane, meet_at('c', ~0u));
        tapes.walks(lane, "e");
    }
    EXPECT_EQ(read(), (Told{"a:ffffffff", "d:aaaaaaaa", "c:ffffffff", "e:ffffffff"}));
}

TEST_F(Reader, AMeetingWaitsForTheLanesOfItsMaskOnly) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lane >= kHalf) tapes.walks(lane, "d");
        tapes.happens(lane, lane < kHalf ? meet_at('b', kLow) : meet_at('c', kHigh));
        tapes.walks(lane, "e");
    }
    EXPECT_EQ(read(), (Told{"b:0000ffff", "d:ffff0000", "c:ffff0000", "e:ffffffff"}));
}

TEST_F(Reader, LanesThatLeftAreNotWaitedForAtAMeeting) {
    for (unsigned lane = 0; lane < kHalf; ++lane) {
        if (lane % 2 == 1) tapes.walks(lane, "d");
        tapes.happens(lane, meet_at('c', ~0u));
    }
    EXPECT_EQ(read(), (Told{"d:0000aaaa", "c:0000ffff"}));
}

TEST_F(Reader, HalvesThatWaitForEachOtherAtDifferentPlacesBothPass) {
    for (unsigned lane = 0; lane < kLanes; ++lane) tapes.happens(lane, meet_at(lane < kHalf ? 'b' : 'c', ~0u));
    EXPECT_EQ(read(), (Told{"b:0000ffff", "c:ffff0000"}));
}

TEST_F(Reader, LanesThatMetWithoutTheOthersMeetThemLater) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lane < kHalf) tapes.happens(lane, meet_at('a', kLow));
        tapes.happens(lane, meet_at('b', ~0u));
        tapes.happens(lane, {'c', EventKind::fence});
        tapes.happens(lane, {'d', EventKind::barrier});
        tapes.happens(lane, load_at('e', &words[lane]));
    }
    EXPECT_EQ(read(), (Told{"a:0000ffff", "b:ffffffff", "c!:ffffffff", "d:ffffffff", "e:ffffffff"}));
}

TEST_F(Reader, ReadsAFullTapeOnlyAsFarAsIsCertain) {
    const auto blocks = [](unsigned lane) { return lane < kHalf ? "abbbbbbd" : "acbbd"; };
    Told whole;
    {
        SyntheticTapes unlimited;
        for (unsigned lane = 0; lane < kLanes; ++lane) unlimited.walks(lane, blocks(lane));
        Notebook notebook;
        const std::array<Analyser*, 1> one{&notebook};
        SiteTable table;
        WarpReader(table, one).read(unlimited.block(), 0);
        whole = notebook.told;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        tapes.walks(lane, std::string(blocks(lane)).substr(0, 4));
        tapes.is_full(lane);
    }
    read();
    EXPECT_LT(notes.told.size(), whole.size());
    EXPECT_TRUE(tapes.unread(0) == 0 || tapes.unread(kHalf) == 0) << "something was read, or nobody could go on";
    const Told first = notes.told;
    EXPECT_EQ(read(), first) << "nothing new is certain";
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        tapes.walks(lane, std::string(blocks(lane)).substr(4));
        tapes.waits(lane);
    }
    EXPECT_EQ(read(), whole);
    EXPECT_EQ(tapes.unread(0) + tapes.unread(kHalf), 0u);
}

TEST_F(Reader, AFullTapeDoesNotWaitForLanesThatLeft) {
    walk([](unsigned lane) { return lane < kHalf ? "abbb" : "a"; });
    for (unsigned lane = 0; lane < kHalf; ++lane) tapes.is_full(lane);
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:0000ffff", "b:0000ffff", "b:0000ffff"}));
}

TEST_F(Reader, FollowersDoWhatTheirLeaderWrote) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        tapes.happens(lane, {'a'});
        tapes.happens(lane, load_at('b', &words[lane]));
        if (lane != 0) tapes.follows(lane, 0);
    }
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:ffffffff"}));
    EXPECT_EQ(notes.requests[0].request.address[7], reinterpret_cast<std::uint64_t>(&words[7]));
}

TEST_F(Reader, AFollowerThatStopsEarlierLeavesTheOthersTogether) {
    walk([](unsigned lane) { return lane == 9 ? "a" : "ab"; });
    for (unsigned lane = 1; lane < kLanes; ++lane) tapes.follows(lane, 0);
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:fffffdff"}));
}

TEST_F(Reader, SomeFollowAndSomeWentTheirOwnWay) {
    walk([](unsigned lane) { return lane % 4 == 3 ? "abd" : "acd"; });
    for (unsigned lane = 1; lane < kLanes; ++lane)
        if (lane % 4 != 3) tapes.follows(lane, 0);
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:88888888", "c:77777777", "d:ffffffff"}));
}

TEST_F(Reader, ALaneWithOtherCodeOfTheSameLengthIsNotAlike) {
    walk([](unsigned lane) { return lane == 31 ? "ac" : "ab"; });
    EXPECT_EQ(read(), (Told{"a:ffffffff", "b:7fffffff", "c:80000000"}));
}

TEST_F(Reader, SharedMemoryIsToldAsOffsetsAndIsASiteOfItsOwn) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        tapes.happens(lane, load_at('a', tapes.shared() + 4 * lane));
        tapes.happens(lane, load_at('a', &words[lane]));
    }
    EXPECT_EQ(read(), (Told{"a:ffffffff", "a:ffffffff"}));
    EXPECT_EQ(notes.requests[0].space, Space::shared);
    EXPECT_EQ(notes.requests[0].request.address[31], 124u);
    EXPECT_EQ(notes.requests[1].space, Space::global);
    EXPECT_NE(notes.requests[0].request.site, notes.requests[1].request.site);
    EXPECT_EQ(sites.sites().size(), 2u);
}

TEST_F(Reader, AccessesOfOtherKindsOrWidthsAreOtherSites) {
    all(load_at('a', &words[0], 2));
    all(load_at('a', &words[0], 3));
    all({'a', EventKind::store, reinterpret_cast<std::uint64_t>(&words[0])});
    all(load_at('a', &words[1], 2));
    read();
    ASSERT_EQ(notes.requests.size(), 4u);
    EXPECT_EQ(sites.sites().size(), 3u);
    EXPECT_EQ(notes.requests[0].request.site, notes.requests[3].request.site);
}

class ReaderOfARaggedBlock : public Reader {
protected:
    ReaderOfARaggedBlock() : Reader(kLanes + 8) {}
};

TEST_F(ReaderOfARaggedBlock, TheLastWarpHasFewerLanes) {
    for (unsigned thread = 0; thread < kLanes + 8; ++thread) {
        tapes.walks(thread, thread < kLanes ? "a" : "b");
        tapes.happens(thread, load_at('c', &words[thread]));
    }
    EXPECT_EQ(read(1), (Told{"b:000000ff", "c:000000ff"}));
    EXPECT_EQ(notes.requests[0].request.warp, 1u);
    EXPECT_EQ(notes.requests[0].request.address[7], reinterpret_cast<std::uint64_t>(&words[kLanes + 7]));
    notes.told.clear();
    EXPECT_EQ(read(0), (Told{"a:ffffffff", "c:ffffffff"}));
}

TEST(SiteTable, FindsEachOfManySitesAgain) {
    SiteTable sites;
    std::vector<Site*> made;
    for (std::uint64_t pc = 1; pc <= 2000; ++pc) made.push_back(&sites.at({pc, EventKind::path, 0}));
    for (std::uint64_t pc = 1; pc <= 2000; ++pc) {
        EXPECT_EQ(&sites.at({pc, EventKind::path, 0}), made[pc - 1]);
        EXPECT_EQ(made[pc - 1]->id, pc - 1);
        EXPECT_EQ(made[pc - 1]->pc, pc);
    }
}

}  // namespace
}  // namespace lanework
