// Pictures of a warp's request on sectors and on banks.
#include <gtest/gtest.h>

#include <functional>

#include "src/report/explain/bank_picture.hpp"
#include "src/report/explain/sector_map.hpp"
#include "src/trace/analyse/banks.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

ExampleRequest request(unsigned bytes, const std::function<unsigned(unsigned)>& offset, std::uint32_t lanes = ~0u) {
    ExampleRequest request{.lanes = lanes, .bytes = bytes, .stores = false, .address = {}};
    for (unsigned lane = 0; lane < 32; ++lane) request.address[lane] = 0x10000 + offset(lane);
    return request;
}

const ExampleRequest kCoalesced = request(4, [](unsigned lane) { return 4 * lane; });
const ExampleRequest kMisaligned = request(4, [](unsigned lane) { return 4 + 4 * lane; });
const ExampleRequest kColumn = request(4, [](unsigned lane) { return 400 * lane; });
const ExampleRequest kPaddedRows = request(4, [](unsigned lane) { return 4 * (lane / 16 * 17 + lane % 16); });
const ExampleRequest kSquareColumn = request(4, [](unsigned lane) { return 128 * lane; });

TEST(SectorMap, FillsTheSectorsOfNeighbours) {
    const SectorMap map = sector_map(kCoalesced);
    ASSERT_EQ(map.lines.size(), 1u);
    EXPECT_EQ(map.sectors, 4u);
    EXPECT_EQ(map.ideal, 4u);
    EXPECT_EQ(map.bytes, 128u);
    EXPECT_EQ(map.lines[0].words, ~0u);
    EXPECT_EQ(map.lines[0].lanes, ~0u);
}

TEST(SectorMap, OpensAFifthSectorWhenMisaligned) {
    const SectorMap map = sector_map(kMisaligned);
    ASSERT_EQ(map.lines.size(), 2u);
    EXPECT_EQ(map.sectors, 5u);
    EXPECT_EQ(map.lines[0].words, ~1u);
    EXPECT_EQ(map.lines[1].words, 1u);
    EXPECT_EQ(map.lines[1].sectors, 1u);
    EXPECT_EQ(map.lines[1].lanes, 1u << 31);
}

TEST(SectorMap, OpensASectorForEachLaneOfAColumn) {
    EXPECT_EQ(sector_map(kColumn).sectors, 32u);
    EXPECT_EQ(sector_map(kColumn).lines.size(), 32u);
}

TEST(SectorMap, CountsABroadcastOnce) {
    const SectorMap map = sector_map(request(4, [](unsigned) { return 64; }));
    EXPECT_EQ(map.sectors, 1u);
    EXPECT_EQ(map.bytes, 4u);
    EXPECT_EQ(map.ideal, 1u);
}

TEST(SectorMap, LeavesOutLanesThatTakeNoPart) {
    EXPECT_EQ(sector_map(request(
                             16, [](unsigned lane) { return 16 * lane; }, 0xFFu))
                  .sectors,
              4u);
    EXPECT_EQ(sector_map(request(
                             4, [](unsigned lane) { return 4 * lane; }, 0))
                  .sectors,
              0u);
}

TEST(SectorMap, IsDrawnInCharacters) {
    EXPECT_EQ(draw_sector_map(kMisaligned, {}),
              "5 sectors for 128 bytes, where 4 would do: lanes are 4 bytes apart\n"
              "    +0  ░███████ ████████ ████████ ████████  lanes 0–30\n"
              "  +128  █░░░░░░░ ········ ········ ········  lane 31\n");
}

TEST(SectorMap, ShowsTheFirstAndTheLastOfManyLines) {
    const std::string text = draw_sector_map(kColumn, {});
    EXPECT_TRUE(text.starts_with("32 sectors for 128 bytes, where 4 would do: lanes are 400 bytes apart\n")) << text;
    EXPECT_EQ(count_of("█", text), 9);
    EXPECT_EQ(count_of("… 23 more lines …", text), 1);
    EXPECT_EQ(count_of("lane 31\n", text), 1);
}

TEST(SectorMap, IsDrawnAsSvgWithEveryLane) {
    const std::string svg = sector_map_svg(kColumn);
    EXPECT_EQ(svg_fault(svg), "");
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(count_of(">" + std::to_string(lane) + "</text>", svg), 1) << lane;
    EXPECT_EQ(count_of("<title>+384: lane 1</title>", svg), 1);
}

TEST(BankUse, SaysWhichLanesOfAPaddedTileOfSixteenCollide) {
    const BankUse use = bank_use(kPaddedRows);
    ASSERT_EQ(use.wavefronts.size(), 2u);
    EXPECT_EQ(use.ideal, 1u);
    EXPECT_EQ(use.wavefronts[0].lanes, 0x7FFFFFFFu);
    EXPECT_EQ(use.wavefronts[1].lanes, 1u << 31);
    EXPECT_EQ(use.wavefronts[1].banks, 1u);
    ASSERT_TRUE(use.worst);
    EXPECT_EQ(use.worst->bank, 0u);
    EXPECT_EQ(use.worst->lanes, (std::vector<unsigned>{0, 31}));
    EXPECT_EQ(use.wavefront_of_lane[30], 0u);
    EXPECT_EQ(use.wavefront_of_lane[31], 1u);
}

TEST(BankUse, ServesOneWordToAllLanesThatWantIt) {
    const BankUse use = bank_use(request(4, [](unsigned) { return 20; }));
    EXPECT_EQ(use.wavefronts.size(), 1u);
    EXPECT_FALSE(use.worst);
}

TEST(BankUse, ServesWideAccessesInGroups) {
    const BankUse eight = bank_use(request(8, [](unsigned lane) { return 8 * lane; }));
    ASSERT_EQ(eight.wavefronts.size(), 2u);
    EXPECT_EQ(eight.ideal, 2u);
    EXPECT_EQ(eight.wavefronts[1].lanes, 0xFFFF0000u);
    EXPECT_EQ(bank_use(request(16, [](unsigned lane) { return 16 * lane; })).wavefronts.size(), 4u);
    EXPECT_EQ(bank_use(request(16, [](unsigned lane) { return 32 * lane; })).wavefronts.size(), 8u);
}

// The picture is drawn of the same rule that the counters follow.
TEST(BankUse, TakesAsManyWavefrontsAsTheCounters) {
    std::uint32_t random = 12345;
    for (int round = 0; round < 2000; ++round) {
        const unsigned bytes = 1u << round % 5, stride = random >> 8 & 0x1F, mask = random >> 20 | 0x3;
        const bool stores = round % 3 == 0;
        ExampleRequest example{.lanes = random * 2654435761u | 1u, .bytes = bytes, .stores = stores, .address = {}};
        for (unsigned lane = 0; lane < 32; ++lane) {
            random = random * 1664525u + 1013904223u;
            example.address[lane] = (round % 2 ? lane * stride : random >> 16 & mask) * bytes;
        }
        Site site;
        site.space = Space::shared;
        site.bytes = bytes;
        site.kind = stores ? EventKind::store : EventKind::load;
        Request request{};
        request.site = &site;
        request.lanes = example.lanes;
        request.address = example.address;
        const SharedCounters counted = count_shared(request);
        const BankUse use = bank_use(example);
        ASSERT_EQ(use.wavefronts.size(), counted.wavefronts) << "round " << round;
        ASSERT_EQ(use.ideal, counted.wavefronts - counted.conflicts()) << "round " << round;
    }
}

TEST(BankPicture, IsDrawnInCharacters) {
    ExampleRequest at_start = kPaddedRows;
    for (auto& address : at_start.address) address -= 0x10000;
    EXPECT_EQ(
        draw_bank_picture(at_start, {}),
        "2 wavefronts, where 1 would do: lanes 0 and 31 want words 0 and 32, both in bank 0; rows of 16 lanes are "
        "17 words apart\n"
        "  bank      0       8       16      24\n"
        "  pass  1   ████████████████·███████████████  lanes 0–30\n"
        "  pass  2   █·······························  lane 31\n");
}

TEST(BankPicture, SaysHowManyWordsOfABankAreWanted) {
    EXPECT_EQ(describe_banks(kSquareColumn),
              "32 wavefronts, where 1 would do: lanes 0, 1, 2 … want 32 words of bank 0; lanes are 32 words apart");
    EXPECT_EQ(describe_banks(kCoalesced), "1 wavefront: no bank is asked for two words at a time");
    EXPECT_EQ(count_of("… 23 more passes …", draw_bank_picture(kSquareColumn, {})), 1);
}

TEST(BankPicture, BreaksItsFirstLineAtTheWidth) {
    const std::string text = draw_bank_picture(kPaddedRows, {.width = 80});
    for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
        end = text.find('\n', start);
        EXPECT_LE(display_width(std::string_view(text).substr(start, end - start)), 80u);
    }
}

TEST(BankPicture, IsDrawnAsSvgWithAColourForEachWavefront) {
    const std::string svg = bank_picture_svg(kPaddedRows);
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_EQ(count_of("class=\"f8\"", svg), 31) << "the first hue: lanes 0 to 30";
    EXPECT_EQ(count_of("class=\"f9\"", svg), 1) << "the second: lane 31";
}

TEST(RequestPictures, TellWhichLanesShareACell) {
    const ExampleRequest pairs = request(4, [](unsigned lane) { return 4 * (lane / 2); });
    const ExampleRequest one = request(4, [](unsigned) { return 0u; });
    EXPECT_EQ(count_of(">2+1</text>", bank_picture_svg(pairs)), 1);
    EXPECT_EQ(count_of("<title>word 16385: lanes 2–3</title>", bank_picture_svg(pairs)), 1);
    EXPECT_EQ(count_of(">0+31</text>", bank_picture_svg(one)), 1);
    EXPECT_EQ(count_of(">0+31</text>", sector_map_svg(one)), 1);
    EXPECT_EQ(count_of("7 others", sector_map_svg(one)), 1);
    EXPECT_EQ(count_of("7 others", sector_map_svg(kCoalesced)), 0) << "nothing is shared";
}

TEST(RequestPictures, FitTerminalsWithoutUnicode) {
    for (const std::string& text : {draw_bank_picture(kPaddedRows, {}), draw_sector_map(kMisaligned, {})}) {
        EXPECT_EQ(to_ascii(text).find('?'), std::string::npos) << to_ascii(text);
        EXPECT_EQ(display_width(to_ascii(text)), display_width(text));
    }
}

}  // namespace
}  // namespace lanework
