// Groups whose kind and size the text shows become plain CUDA; others stay.
#include "src/cudafe/plain_groups.hpp"

#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

std::string plain(const std::string& text) {
    const TokenizedFile file = tokenize(text);
    return plain_groups({&file})[0].text;
}
/// A statement behind a block and tiles of 32, 8 and `N` threads.
std::string statement(const std::string& text) {
    const std::string head =
        "__global__ void k(int* p) { namespace cg = cooperative_groups; cg::thread_block block = "
        "cg::this_thread_block(); "
        "auto warp = cg::tiled_partition<32>(block); const cg::thread_block_tile<8> eight = "
        "cg::tiled_partition<8>(warp); "
        "auto some = cg::tiled_partition<N>(block); ";
    const std::string all = plain(head + text + " }");
    EXPECT_TRUE(all.starts_with(head)) << all;
    return all.substr(head.size(), all.size() - head.size() - 2);
}

TEST(PlainGroups, BarriersAndIndicesOfABlockAreCudasOwn) {
    EXPECT_EQ(statement("block.sync();"), "__syncthreads();");
    EXPECT_EQ(statement("cg::sync(block);"), "__syncthreads();");
    EXPECT_EQ(statement("cg::this_thread_block().sync();"), "__syncthreads();");
    EXPECT_EQ(statement("int i = block.thread_index().x + block.group_index().y * block.dim_threads().z;"),
              "int i = threadIdx.x + blockIdx.y * blockDim.z;");
    EXPECT_EQ(statement("int i = block.size();"), "int i = (blockDim.x * blockDim.y * blockDim.z);");
    EXPECT_EQ(statement("dim3 i = block.thread_index();"), "dim3 i = block.thread_index();");
}

TEST(PlainGroups, OperationsOfATileHaveTheMaskOfItsLanes) {
    EXPECT_EQ(statement("warp.sync();"), "__syncwarp(0xffffffffu);");
    EXPECT_EQ(statement("v += warp.shfl_down(v, 16);"), "v += __shfl_down_sync(0xffffffffu, v, 16, 32);");
    EXPECT_EQ(statement("v = warp.shfl(warp.any(v), 0);"),
              "v = __shfl_sync(0xffffffffu, __any_sync(0xffffffffu, v), 0, 32);");
    EXPECT_EQ(statement("v = cg::reduce(warp, v, cg::plus<int>());"),
              "v = __lanework_reduce_group(0xffffffffu, v, cg::plus<int>, 32);");
    EXPECT_EQ(statement("v = cg::inclusive_scan(warp, v);"),
              "v = __lanework_inclusive_scan_group(0xffffffffu, v, void, 32);");
    const std::string eight = statement("v = eight.ballot(v);");
    EXPECT_NE(eight.find("__ballot_sync(((0xffffffffu >> (32 - 8)) << "), std::string::npos) << eight;
    EXPECT_NE(eight.find(" % 32 / 8 * 8))"), std::string::npos) << eight;
    const std::string some = statement("some.sync();");
    EXPECT_NE(some.find("__syncwarp(((N) == 32 ? 0xffffffffu : (N) < 32 ? "), std::string::npos) << some;
}

TEST(PlainGroups, WhatIsNotKnownStays) {
    for (const std::string text : {"auto many = cg::tiled_partition<64>(block); many.sync();",
                                   "auto lanes = cg::coalesced_threads(); lanes.sync();",
                                   "v = cg::reduce(warp, v, [](int a, int b) { return a + b; });",
                                   "v = cg::reduce(warp, v, own<int>());", "other.sync();", "cg::sync(other);",
                                   "x.block.sync();", "cg::grid_group grid = cg::this_grid(); grid.sync();"})
        EXPECT_EQ(statement(text), text);
    const std::string again =
        "__global__ void k() { auto g = cg::this_thread_block(); g.sync(); { auto g = cg::tiled_partition<4>(b); "
        "g.sync(); } }";
    EXPECT_EQ(plain(again), again);
    const std::string changed =
        "__device__ void f(cg::thread_group h) { cg::thread_group g = cg::this_thread_block(); g = h; g.sync(); }";
    EXPECT_EQ(plain(changed), changed);
}

TEST(PlainGroups, NumbersThatHaveANameAreKnown) {
    const std::string body =
        " __global__ void k() { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<W>(b); t.sync(); }";
    EXPECT_NE(plain("constexpr unsigned W = 32;" + body).find("__syncwarp(0xffffffffu);"), std::string::npos);
    EXPECT_NE(plain("#define W 32\n" + body).find("__syncwarp(0xffffffffu);"), std::string::npos);
    EXPECT_NE(plain("constexpr int W = 64;" + body).find("t.sync();"), std::string::npos);
    EXPECT_EQ(plain("int W = 32;" + body).find("__syncwarp(0xffffffffu);"), std::string::npos);
}

TEST(PlainGroups, AParameterIsWhatAllCallsGiveForIt) {
    const std::string function = "template <class G> __device__ void f(G g) { g.sync(); }\n";
    const std::string kernel =
        "__global__ void k() { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<32>(b); ";
    EXPECT_NE(plain(function + kernel + "f(b); }").find("{ __syncthreads(); }"), std::string::npos);
    EXPECT_NE(plain(function + kernel + "f(t); f<X>(t); }").find("{ __syncwarp(0xffffffffu); }"), std::string::npos);
    EXPECT_NE(plain(function + kernel + "f(t); f(b); }").find("{ g.sync(); }"), std::string::npos);
    EXPECT_NE(plain(function + kernel + "f(t); f(other); }").find("{ g.sync(); }"), std::string::npos);
    EXPECT_NE(plain(function + kernel + "f(t); auto p = &f<X>; }").find("{ g.sync(); }"), std::string::npos);
    EXPECT_NE(plain(function + "template <class H> __device__ void h(H x) { f(x); }\n" + kernel + "h(t); }")
                  .find("{ __syncwarp(0xffffffffu); }"),
              std::string::npos);
}

TEST(PlainGroups, PlacesOfTheFileAreFoundAgain) {
    const std::string text =
        "__global__ void a() { auto b = cg::this_thread_block(); b\n.sync(); }\n__global__ void c() { auto b = "
        "cg::this_thread_block(); "
        "cg::sync(b); }\nint last;";
    const TokenizedFile file = tokenize(text);
    const PlainText plain = plain_groups({&file})[0];
    EXPECT_EQ(std::ranges::count(plain.text, '\n'), std::ranges::count(text, '\n'));
    for (const char* word : {"__global__ void a", "__global__ void c", "int last"})
        EXPECT_EQ(plain.original(plain.text.find(word)), text.find(word)) << word;
}

}  // namespace
}  // namespace lanework::cudafe
