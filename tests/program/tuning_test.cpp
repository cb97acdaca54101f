// The constants of a rung's file, and rungs that are compiled again with others.
#include "src/program/ladder/launched_block.hpp"

#include <lanework/error.hpp>
#include <nlohmann/json.hpp>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

// "block 256 | tile.rows 64": what is found in a text, in its order.
std::string constants_in(const std::string& text) {
    std::string all;
    for (const TunableConstant& constant : constants_of_text("a.cu", text)) {
        EXPECT_EQ(text.substr(constant.offset, constant.length).find_first_not_of("0123456789'"), std::string::npos);
        all += (all.empty() ? "" : " | ") + constant.name + " " + std::to_string(constant.value);
    }
    return all;
}

TEST(Tuning, FindsWholeNumbersAtNamespaceScope) {
    EXPECT_EQ(constants_in("namespace { constexpr int kCols = 32, kRows = 8; }\n"
                           "namespace a::b { inline constexpr std::int64_t kBlocksPerUnit = 4'096; }"),
              "cols 32 | rows 8 | blocks_per_unit 4096");
    EXPECT_EQ(constants_in("constexpr struct {\n int block = 1024;  // threads\n int in_flight = 2; } kTuning;\n"
                           "constexpr struct { int rows = 64, cols = 32; } kTile;"),
              "block 1024 | in_flight 2 | tile.rows 64 | tile.cols 32");
    EXPECT_EQ(constants_in("constexpr int tile = 16;"), "tile 16");
}

TEST(Tuning, LeavesOutWhatIsComputedOrBelongsToAFunctionOrType) {
    EXPECT_EQ(constants_in("constexpr int kHalf = kBlock / 2, kBytes = 4 << 10; constexpr float kScale = 1.5f;\n"
                           "constexpr int twice(int n) { constexpr int kTwo = 2; return kTwo * n; }\n"
                           "struct S { static constexpr int kPad = 8; };\n"
                           "__global__ void k() { constexpr int kInner = 3; }\n"
                           "// constexpr int kComment = 1;\n"
                           "constexpr int kLast = 7;"),
              "last 7");
}

TEST(Tuning, BlockIsWhatTheThreadsOfABlockAreCalled) {
    const auto named = [](const std::string& text) {
        const auto constants = constants_of_text("a.cu", text);
        const TunableConstant* const found = find_constant(constants, "block", "a.cu");
        return found ? found->spelled : "none";
    };
    EXPECT_EQ(named("constexpr int kThreads = 256;"), "kThreads");
    EXPECT_EQ(named("constexpr int kPairBlock = 128, kRows = 2;"), "kPairBlock");
    EXPECT_EQ(named("constexpr int kThreads = 256, kBlock = 16;"), "kBlock");
    EXPECT_EQ(named("constexpr int kThreads = 256, kTileThreads = 16;"), "none") << "either may be meant";
    EXPECT_EQ(named("constexpr int kTile = 32;"), "none");
}

// "kTile × kRows = 256", or why there is none.
std::string block_in(const std::string& text) {
    const std::string constants = "constexpr int kTile = 32, kRows = 8; constexpr int kThreads = kTile * kRows;\n";
    const auto found = constants_of_text("a.cu", constants);
    std::string why;
    const auto block = block_of_text(found, constants + text, why);
    return block ? block->spelled() + " = " + std::to_string(block->value()) : why;
}

TEST(Tuning, BlockIsWhatTheLaunchesSay) {
    EXPECT_EQ(block_in("k<<<grid, dim3(kTile, kRows), 0, stream>>>(a);"), "kTile × kRows = 256");
    EXPECT_EQ(block_in("const dim3 block(kTile, kTile); k<<<grid_of(a, b), block>>>(a);"), "kTile × kTile = 1024");
    EXPECT_EQ(block_in("const dim3 grid = over(a, b), block(kTile, 4); k<<<grid, block, 0, s>>>(a);"),
              "kTile × 4 = 128");
    EXPECT_EQ(block_in("auto block = dim3(kTile, kRows, 1); k<int><<<1, block>>>(); j<<<2, block>>>();"),
              "kTile × kRows × 1 = 256");
    EXPECT_EQ(block_in("k<<<1, kThreads>>>(a);"), "its block is `kThreads`, which is computed");
    EXPECT_EQ(block_in("k<<<1, kTile>>>(a); j<<<1, kRows>>>(a);"),
              "its kernels have blocks of their own: kRows, kTile");
    EXPECT_EQ(block_in("k<<<1, 64>>>(a);"), "its block is `64`, which is computed");
    EXPECT_EQ(block_in("int a = b << 3;"), "");
}

TEST(Tuning, ABlockOfSeveralLengthsChangesByItsLast) {
    const auto constants = constants_of_text("a.cu", "constexpr int kTile = 32, kRows = 8;");
    const SweptConstants rows{{&constants[0], &constants[1]}, {32, 8}},
        square{{&constants[0], &constants[0]}, {32, 32}}, fixed{{&constants[0], nullptr}, {32, 4}};
    using Values = std::vector<std::pair<const TunableConstant*, std::int64_t>>;
    EXPECT_EQ(rows.with(1024), (Values{{&constants[1], 32}}));
    EXPECT_EQ(square.with(256), (Values{{&constants[0], 16}}));
    EXPECT_EQ(fixed.with(64), (Values{{&constants[0], 16}}));
    EXPECT_THROW(rows.with(48), UsageError);
    EXPECT_THROW(square.with(128), UsageError);
}

TEST(Tuning, GridIsWhatARungThatChoosesItCallsBlocks) {
    const auto named = [](const std::string& text) {
        const auto constants = constants_of_text("a.cu", text);
        const TunableConstant* const found = find_constant(constants, "grid", "a.cu");
        return found ? found->spelled : "none";
    };
    EXPECT_EQ(named("constexpr int kBlocksPerProcessor = 4, kBlock = 128;"), "kBlocksPerProcessor");
    EXPECT_EQ(named("constexpr int kMaxResidentBlocks = 4096;"), "kMaxResidentBlocks");
    EXPECT_EQ(named("constexpr int kBlock = 128;"), "none");
}

TEST(Tuning, ChangesTheNumbersAlone) {
    const Folder folder;
    const std::string text =
        "constexpr int kCols = 32, kRows = 8;  // kCols = 32\nconstexpr int kAll = kCols * kRows;\n";
    std::ofstream(folder / "a.cu") << text;
    const auto constants = tunable_constants(folder / "a.cu", folder.path());
    ASSERT_EQ(constants.size(), 2u);
    const SourceTexts texts = with_values({{&constants[0], 128}, {&constants[1], 2}});
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts.begin()->second,
              "constexpr int kCols = 128, kRows = 2;  // kCols = 32\nconstexpr int kAll = kCols * kRows;\n");
    EXPECT_TRUE(with_values({{&constants[0], 32}}).empty()) << "the value that it has";
}

// "naive block=32 ok | …" of a climb's results.
std::string climbed(const std::string& words, int status = 0) {
    const Said run = lanework_with("climb " + words + " --device simt --json");
    EXPECT_EQ(run.status, status) << words << "\n" << run.err;
    const auto document = nlohmann::ordered_json::parse(run.out, nullptr, false);
    if (document.is_discarded()) return "no JSON";
    std::string text;
    for (const auto& result : document["results"]) {
        text += (text.empty() ? "" : " | ") + result["rung"].get<std::string>() + " " +
                result["verdict"].get<std::string>();
        for (const auto& [name, value] : result["tuning"].items()) text += " " + name + ":" + value.dump();
    }
    return text;
}

TEST(TunedRungs, AreVerifiedAndEstimatedWithOtherBlocks) {
    EXPECT_EQ(climbed("matmul/naive --size 33x17x40 --sweep block=8..16"),
              "naive block=32 ok block:32 | naive block=8 ok block:8 | naive block=16 ok block:16");
    const Said run = lanework_with("climb matmul/naive --size 64x64x64 --sweep block=1..1+1 --device simt --json -");
    const auto results = nlohmann::ordered_json::parse(run.out)["results"];
    ASSERT_EQ(results.size(), 2u) << run.err;
    // One thread a block: a request of a warp has one lane.
    EXPECT_EQ(results[0]["estimate"]["lanes_per_request"], 32.0);
    EXPECT_EQ(results[1]["estimate"]["lanes_per_request"], 1.0);
    EXPECT_EQ(results[1]["climbs_from"], "naive block=32");
}

// The program holds copy_columns and widen_counts with 128 threads: the library has to call its own.
TEST(TunedRungs, UseTheConstantsOfHeadersInEveryKernel) {
    EXPECT_EQ(climbed("neighbors/shared_tile --size 300x10 --sweep block=64..128"),
              "shared_tile block=128 ok block:128 | shared_tile block=64 ok block:64");
}

TEST(TunedRungs, OfTilesChangeTheLengthsOfTheirBlocks) {
    EXPECT_EQ(climbed("transpose/padded_tile --size 100x70 --sweep block=128..256"),
              "padded_tile block=256 ok block:256 | padded_tile block=128 ok block:128");
    EXPECT_EQ(climbed("matmul/padded_tile --size 33x17x40 --sweep block=64..256*4"),
              "padded_tile block=1024 ok block:1024 | padded_tile block=64 ok block:64 | padded_tile block=256 ok "
              "block:256");
    EXPECT_EQ(climbed("histogram/shared_private --size 100000 --sweep grid=1..2"),
              "shared_private grid=4 ok grid:4 | shared_private grid=1 ok grid:1 | shared_private grid=2 ok grid:2");
    const Said run = lanework_with("climb matmul/padded_tile --size 9x9x9 --sweep block=96..96 --device simt");
    EXPECT_TRUE(contains(run.out, "a block is kTile × kTile here; 64, 256, 1024 and their like are right")) << run.out;
    EXPECT_TRUE(contains(run.err, "block of padded_tile is kTile × kTile")) << run.err;
}

TEST(TunedRungs, ThatAreWrongOrDoNotCompileSaySo) {
    EXPECT_EQ(climbed("reduce/sequential --size 1000 --sweep block=96..96", 1),
              "sequential block=256 ok block:256 | sequential block=96 wrong block:96");
    const Said run =
        lanework_with("climb histogram/vectorized --size 1000 --device simt --sweep in_flight=0..0+1 --json");
    const auto results = nlohmann::ordered_json::parse(run.out)["results"];
    ASSERT_EQ(results.size(), 2u) << run.err;
    EXPECT_NE(results[1]["verdict"], "ok");
}

TEST(TunedRungs, AreRefusedInOneLine) {
    expect_mistake("climb matmul/naive --device simt --sweep colour=1..2", 2,
                   "matmul/naive has no constant `colour`; it has block (32)");
    expect_mistake("climb transpose --device simt --sweep colour=1..2", 2,
                   "transpose has no axis `colour`; it has rows, cols, and `size` for all of them. None of these rungs "
                   "has such a constant; they have ");
    expect_mistake("climb matmul/register_tile --device simt --sweep block=64..128", 2,
                   "matmul/register_tile has no constant `block`: its block is `kThreads`, which is computed; it has");
    expect_mistake(
        "climb transpose/padded_tile --device simt --sweep grid=1..2", 2,
        "has no constant `grid`: its grid follows from the problem or the device; it has tile (32), rows (8)");
    expect_mistake("climb matmul/serial --sweep block=1..2", 2, "matmul/serial has no constant `block`");
    expect_mistake("bench matmul --device cpu --sweep block=1..2", 2, "matmul has no axis `block`");
}

}  // namespace
}  // namespace lanework
