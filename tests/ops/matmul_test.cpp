// What the generic verification of a matrix product does not reach: a product worked out by hand, edges of vector
// tiles, unaligned operands, and what the tolerance tells apart.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <lanework/device.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>
#include <map>
#include <set>
#include <string_view>

#include "ops/matmul/cluster_model.hpp"
#include "ops/matmul/operation.hpp"
#include "ops/matmul/shared_steps.hpp"
#include "src/peers/openblas.hpp"

namespace lanework {
namespace {

const Operation& matmul() { return find_operation("matmul"); }

Problem problem_of(std::int64_t m, std::int64_t n, std::int64_t k, DType dtype) {
    return {.extent = extents(m, n, k), .dtype = dtype};
}

/// The elements of the product that are not within the tolerance of the reference.
template <class T>
std::size_t wrong_elements(const Problem& problem, const T* expected, const T* found) {
    const Tolerance tolerance = matmul().tolerance_with(kRandomInput, problem);
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < problem.extent[0] * problem.extent[2]; ++i)
        wrong += !(std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])) <= tolerance.absolute);
    return wrong;
}

template <class T>
std::size_t wrong_elements_of(Device& device, const Rung& rung, const Problem& problem) {
    HostArrays expected(matmul(), problem), found(matmul(), problem);
    for (HostArrays* arrays : {&expected, &found}) matmul().fill(problem, 11, arrays->buffers());
    matmul().reference(problem, expected.buffers());
    execute(device, matmul(), rung, problem, found.buffers());
    return wrong_elements(problem, reinterpret_cast<const T*>(expected.data(2)),
                          reinterpret_cast<const T*>(found.data(2)));
}

TEST(Matmul, TheReferenceAgreesWithAProductWorkedOutByHand) {
    std::int32_t a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9, 10, 11, 12}, c[4] = {};
    void* const arrays[] = {a, b, c};
    matmul().reference(problem_of(2, 3, 2, DType::int32), {arrays});
    EXPECT_EQ(std::vector<std::int32_t>(c, c + 4), (std::vector<std::int32_t>{58, 64, 139, 154}));
}

TEST(Matmul, TheReferenceWrapsIntegersAround) {
    std::int32_t a[] = {1 << 20, 3}, b[] = {1 << 20, -5}, c[1] = {};
    void* const arrays[] = {a, b, c};
    matmul().reference(problem_of(1, 2, 1, DType::int32), {arrays});
    EXPECT_EQ(c[0], -15);  // 2^40 is 0 modulo 2^32
}

TEST(Matmul, TheReferenceSumsHalvesExactlyAndRoundsOnce) {
    // 1 + 2^-9 is no bfloat16: a sum that is rounded at every step stays at 1, and the exact one, 1 + 2^-7, is one.
    const bfloat16 one = to_bfloat16(1), small = to_bfloat16(0x1p-9F);
    bfloat16 a[] = {one, one, one, one, one}, b[] = {one, small, small, small, small}, c[1] = {};
    void* const arrays[] = {a, b, c};
    matmul().reference(problem_of(1, 5, 1, DType::bfloat16), {arrays});
    EXPECT_EQ(to_float(c[0]), 1 + 0x1p-7F);
}

TEST(Matmul, TheReferenceSumsBytesInInt32AndTakesBByColumns) {
    // The same product twice: B's columns are (7, 9, 11) and (−8, −10, −12).
    std::int8_t a[] = {127, -2, 3, 4, -128, 6}, by_rows[] = {7, -8, 9, -10, 11, -12},
                by_columns[] = {7, 9, 11, -8, -10, -12};
    const std::vector<std::int32_t> right{904, -1032, -1058, 1176};
    Problem problem = problem_of(2, 3, 2, DType::int8);
    std::int32_t c[4] = {};
    void* const rows[] = {a, by_rows, c};
    matmul().reference(problem, {rows});
    EXPECT_EQ(std::vector<std::int32_t>(c, c + 4), right);
    problem.variant = parse_variant(matmul(), "nt");
    for (std::int32_t& element : c) element = 0;
    void* const columns[] = {a, by_columns, c};
    matmul().reference(problem, {columns});
    EXPECT_EQ(std::vector<std::int32_t>(c, c + 4), right);
}

// Whichever device runs them: of what simt has no instructions for, verification finds it on a GPU alone.
TEST(Matmul, BByColumnsIsComputedByTheseRungsAndRefusedByAllOthers) {
    const std::vector<std::string_view> right = {
        "amx",      "cublaslt", "double_buffered",  "naive",          "naive_1",
        "naive_16", "onednn",   "persistent",       "register_banks", "serial",
        "simd",     "skinny",   "split_on_arrival", "split_sums",     "vnni"};
    Problem problem = problem_of(64, 64, 64, DType::float32);
    problem.variant = parse_variant(matmul(), "nt");
    alignas(256) char memory[1] = {};
    void* const arrays[] = {memory, memory, memory};
    std::set<std::string_view> takers;
    for (const DeviceKind kind : kDeviceKinds)
        for (const Rung* rung : ladder(matmul(), kind))
            for (const Rung::Typed& typed : rung->types) {
                if (!typed.supported(rung->entry)) continue;
                problem.dtype = typed.dtype;
                if (typed.fits(rung->entry, problem, {arrays})) takers.insert(rung->name);
            }
    for (const std::string_view taker : takers) EXPECT_TRUE(std::ranges::find(right, taker) != right.end()) << taker;
    for (const char* taker :
         {"double_buffered", "naive", "persistent", "register_banks", "serial", "skinny", "split_sums"})
        EXPECT_TRUE(takers.contains(taker)) << taker;
    problem.dtype = DType::float32;
    EXPECT_NE(refusal(find_rung(matmul(), "vectorized", DeviceKind::simt), problem).find("B by rows"),
              std::string::npos);
}

// A caller asks for the workspace of matrices without gaps, and may then have rows that begin anywhere.
TEST(Matmul, RowsThatAreCopiedFirstAreLeftToOthersWhereTheWorkspaceIsTooSmall) {
    const Problem problem = problem_of(64, 64, 64, DType::bfloat16);
    alignas(256) char memory[1] = {};
    void* const arrays[] = {memory, memory, memory};
    auto args = MatmulArgs<bfloat16>::from(problem, {arrays});
    for (const Rung* rung : ladder(matmul(), DeviceKind::cuda)) {
        if (rung->name != "split_sums" && rung->name != "persistent") continue;
        const Rung::Typed* const typed = rung->typed(DType::bfloat16);
        ASSERT_NE(typed, nullptr);
        const auto fits = [&](std::int64_t a_pitch, std::size_t bytes) {
            args.a_pitch = a_pitch;
            args.workspace_bytes = bytes;
            return typed->fits_args(rung->entry, &args);
        };
        EXPECT_TRUE(fits(64, 0)) << rung->name;
        EXPECT_FALSE(fits(65, 0)) << rung->name;
        EXPECT_FALSE(fits(65, 64 * 64 * 2 - 1)) << rung->name;
        EXPECT_TRUE(fits(65, 64 * 64 * 2)) << rung->name;
    }
    // The tiniest floats have a rung that needs no workspace, but knows of no gaps.
    const Problem tiny = problem_of(65, 65, 65, DType::float32);
    auto floats = MatmulArgs<float>::from(tiny, {arrays});
    floats.a_pitch = 70;
    for (const Rung* rung : ladder(matmul(), DeviceKind::cuda)) {
        if (rung->name != "split_floats") continue;
        floats.workspace_bytes = 0;
        EXPECT_FALSE(rung->typed(DType::float32)->fits_args(rung->entry, &floats)) << rung->name;
        floats.workspace_bytes = std::size_t{1} << 20;
        EXPECT_TRUE(rung->typed(DType::float32)->fits_args(rung->entry, &floats)) << rung->name;
    }
}

// What blocks have together is every step of every tile, once, and no two leave a part at one place.
TEST(Matmul, RegisterBanksSharesOutEachStepOnce) {
    int with_shared = 0, in_many_parts = 0;
    for (const auto& [m, n, k] : {std::tuple{4096, 4096, 4096},
                                  {8192, 8192, 8192},
                                  {1, 1, 1},
                                  {128, 128, 8192},
                                  {512, 4096, 512},
                                  {1111, 777, 2222},
                                  {1537, 1537, 1537},
                                  {129, 9000, 130},
                                  {4000, 64, 4000},
                                  {333, 30001, 129},
                                  {2500, 2500, 2500}})
        for (const bool integers : {false, true}) {
            const SharedSteps shares(m, n, k, integers);
            const int tiles = shares.down * shares.across;
            std::set<std::pair<int, int>> places;
            for (int tile = 0; tile < tiles; ++tile) {
                const auto [row, col] = shares.place(tile);
                EXPECT_TRUE(row % 128 == 0 && row < m && col % 128 == 0 && col < k) << tile;
                places.insert({row, col});
            }
            EXPECT_EQ(places.size(), static_cast<std::size_t>(tiles));
            ASSERT_EQ(shares.whole + shares.shared_tiles(), tiles);
            if (shares.shared_tiles() == 0) {
                EXPECT_EQ(shares.blocks(), tiles);
                continue;
            }
            ++with_shared;
            EXPECT_EQ(shares.first_of(0), 0);
            EXPECT_EQ(shares.first_of(SharedSteps::kSharers), shares.shared_tiles() * shares.steps);
            std::set<int> parts;
            std::vector<int> of_tile(static_cast<std::size_t>(shares.shared_tiles()));
            for (int sharer = 0; sharer < shares.blocks() - shares.whole; ++sharer) {
                int last_tile = -1;
                for (int step = shares.first_of(sharer); step < shares.first_of(sharer + 1); ++step) {
                    ASSERT_EQ(shares.sharer_of(step), sharer) << step;
                    const int tile = step / shares.steps;
                    if (tile == last_tile) continue;
                    last_tile = tile;
                    ++of_tile[static_cast<std::size_t>(tile)];
                    const int part = shares.part_of(sharer, tile);
                    EXPECT_TRUE(part < shares.parts() && parts.insert(part).second) << sharer << ' ' << tile;
                }
            }
            for (int tile = 0; tile < shares.shared_tiles(); ++tile) {
                const int first = shares.sharer_of(tile * shares.steps);
                const int last = shares.sharer_of((tile + 1) * shares.steps - 1);
                EXPECT_EQ(of_tile[static_cast<std::size_t>(tile)], last - first + 1) << tile;
                in_many_parts += last - first > 1;
            }
        }
    EXPECT_GE(with_shared, 8);
    EXPECT_GE(in_many_parts, 16);
}

// Of a tile's two parts the next cluster has the one that begins it, and the other is the first that a cluster shares:
// so none waits for one that waits itself. Products that a tile is the sum of are taken in their order, the smallest
// first, in rounds that go backwards, too: a sum of pieces of floats is as exact as it is by that order alone.
TEST(Matmul, PersistentSharesOutEachStepOnce) {
    int with_two_parts = 0;
    for (const auto& [tiles, steps, products] : {std::tuple{1024, 128, 1},
                                                 {400, 80, 1},
                                                 {144, 48, 1},
                                                 {81, 43, 1},
                                                 {100, 4096, 1},
                                                 {66, 256, 1},
                                                 {5, 7, 1},
                                                 {1, 1, 1},
                                                 {256, 64, 6},
                                                 {81, 43, 6},
                                                 {200, 1, 6}})
        for (const int clusters : {66, 57, 60}) {
            SCOPED_TRACE(testing::Message()
                         << tiles << " tiles of " << products << " times " << steps << ", " << clusters);
            const SharedRounds rounds(tiles, steps, products, clusters, true);
            EXPECT_EQ(SharedRounds(tiles, steps, products, clusters, false).shared_tiles(), 0);
            std::vector<int> taken(static_cast<std::size_t>(tiles) * static_cast<std::size_t>(rounds.steps));
            std::map<int, int> begun_by, ended_by;
            for (int cluster = 0; cluster < rounds.clusters; ++cluster) {
                int shared = 0;
                for (PartsOfCluster part(rounds, cluster); part.next();) {
                    ASSERT_LT(part.first, part.end);
                    for (int i = part.first; i < part.end; ++i) {
                        const auto [product, step] = part.step(i);
                        ASSERT_TRUE(step >= 0 && step < steps) << i;
                        EXPECT_EQ(product, i / steps) << cluster << ' ' << part.tile;
                        ++taken.at(static_cast<std::size_t>(part.tile * rounds.steps + product * steps + step));
                    }
                    if (part.first == 0) begun_by[part.tile] = cluster;
                    if (part.end == rounds.steps) ended_by[part.tile] = cluster;
                    EXPECT_TRUE(part.first == 0 || shared == 0) << cluster;
                    shared += part.tile >= tiles - rounds.shared_tiles();
                }
            }
            EXPECT_TRUE(std::ranges::all_of(taken, [](int times) { return times == 1; }));
            for (const auto& [tile, cluster] : begun_by) {
                EXPECT_TRUE(ended_by[tile] == cluster || ended_by[tile] == cluster - 1) << tile;
                with_two_parts += ended_by[tile] != cluster;
            }
        }
    EXPECT_GE(with_two_parts, 400);
}

std::vector<std::int32_t> finished_reference(std::string_view variant) {
    std::int32_t a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, bias[] = {100, 1 << 30}, addend[] = {1, 2, 3, -4}, c[4] = {};
    Problem problem = problem_of(2, 2, 2, DType::int32);
    problem.variant = parse_variant(matmul(), variant);
    std::vector<void*> arrays{a, b, bias, addend, c};
    if (matmul().buffers(problem).size() == 4) arrays.erase(arrays.begin() + 3);
    matmul().reference(problem, {arrays});
    return {c, c + 4};
}
TEST(Matmul, TheReferenceAddsAnEpilogueModulo2To32) {
    // a·b is 19 22 43 50; scaled is 3·a·b − 2·addend + bias.
    EXPECT_EQ(finished_reference("nn_bias"), (std::vector<std::int32_t>{119, 22 + (1 << 30), 143, 50 + (1 << 30)}));
    EXPECT_EQ(finished_reference("nn_scaled"), (std::vector<std::int32_t>{155, 62 + (1 << 30), 223, 158 + (1 << 30)}));
}

TEST(Matmul, EpiloguesAreComputedByTheseRungsAndRefusedByAllOthers) {
    const std::set<std::string_view> right = {"amx",        "cublaslt", "double_buffered", "naive",
                                              "naive_1",    "naive_16", "persistent",      "register_banks",
                                              "serial",     "simd",     "split_floats",    "split_on_arrival",
                                              "split_sums", "vnni"};
    alignas(256) char memory[1] = {};
    void* const arrays[] = {memory, memory, memory, memory, memory};
    for (std::uint8_t variant = 2; variant < matmul().variants.size(); ++variant) {
        std::set<std::string_view> takers;
        for (const DeviceKind kind : kDeviceKinds)
            for (const Rung* rung : ladder(matmul(), kind))
                for (const Rung::Typed& typed : rung->types) {
                    Problem problem = problem_of(64, 64, 64, typed.dtype);
                    problem.variant = variant;
                    if (typed.supported(rung->entry) && typed.fits(rung->entry, problem, {arrays}))
                        takers.insert(rung->name);
                }
        for (const std::string_view taker : takers) EXPECT_TRUE(right.contains(taker)) << taker << ' ' << int{variant};
        EXPECT_TRUE(takers.contains("naive") && takers.contains("persistent") && takers.contains("simd"));
    }
    Problem whole = problem_of(8, 8, 8, DType::int32);
    whole.variant = parse_variant(matmul(), "nn_gelu");
    EXPECT_FALSE(matmul().exists(whole));
    EXPECT_NE(refusal(find_rung(matmul(), "naive", DeviceKind::simt), whole).find("GELU of floats alone"),
              std::string::npos);
    EXPECT_NE(refusal(find_rung(matmul(), "skinny", DeviceKind::simt), whole).find("plain products"),
              std::string::npos);
}

TEST(Matmul, ItsToleranceOfGeluRejectsTheOtherForm) {
    Problem erf = problem_of(64, 128, 64, DType::float32), tanh = erf;
    erf.variant = parse_variant(matmul(), "nn_gelu");
    tanh.variant = parse_variant(matmul(), "nn_gelu_tanh");
    HostArrays of_erf(matmul(), erf), of_tanh(matmul(), tanh);
    matmul().fill(erf, 3, of_erf.buffers());
    matmul().fill(tanh, 3, of_tanh.buffers());
    matmul().reference(erf, of_erf.buffers());
    matmul().reference(tanh, of_tanh.buffers());
    EXPECT_GT(wrong_elements(erf, reinterpret_cast<const float*>(of_erf.data(3)),
                             reinterpret_cast<const float*>(of_tanh.data(3))),
              1000U);
}

TEST(Matmul, ItsToleranceOfRandomTensorFloatsRejectsOperandsThatAreCutFurther) {
    // Random numbers have 11 bits: their products are exact, and a bit less in an operand shows.
    const Problem problem = problem_of(32, 128, 32, DType::tfloat32);
    HostArrays exact(matmul(), problem), reduced(matmul(), problem);
    for (HostArrays* arrays : {&exact, &reduced}) matmul().fill(problem, 3, arrays->buffers());
    for (std::int64_t i = 0; i < 32 * 128; ++i) {
        float& value = reinterpret_cast<float*>(reduced.data(0))[i];
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFC000U);
    }
    matmul().reference(problem, exact.buffers());
    matmul().reference(problem, reduced.buffers());
    EXPECT_GT(wrong_elements(problem, reinterpret_cast<const float*>(exact.data(2)),
                             reinterpret_cast<const float*>(reduced.data(2))),
              0U);
}

TEST(Matmul, HalvesAreFilledWithDifferentNumbersFromTheWholeRange) {
    const Problem problem = problem_of(64, 64, 64, DType::float16);
    HostArrays arrays(matmul(), problem);
    matmul().fill(problem, 5, arrays.buffers());
    const auto* const a = reinterpret_cast<const float16*>(arrays.data(0));
    const auto* const b = reinterpret_cast<const float16*>(arrays.data(1));
    float least = 1, most = -1;
    int equal = 0;
    for (int i = 0; i < 64 * 64; ++i) {
        least = std::min(least, to_float(a[i]));
        most = std::max(most, to_float(a[i]));
        equal += a[i] == b[i];
    }
    EXPECT_LT(least, -0.99F);
    EXPECT_GT(most, 0.99F);
    EXPECT_LT(equal, 64);
}

TEST(Matmul, RungsOfHoppersInstructionsSayOnSimtWhyTheyRefuse) {
    const Problem halves = problem_of(64, 64, 64, DType::bfloat16);
    for (const char* name : {"wgmma", "wgmma_tma", "warp_specialized", "split_sums", "persistent"})
        EXPECT_NE(refusal(find_rung(matmul(), name, DeviceKind::simt), halves).find("simt has none of them"),
                  std::string::npos)
            << name;
    EXPECT_NE(refusal(find_rung(matmul(), "mma_pipelined", DeviceKind::simt), halves).find("wmma alone"),
              std::string::npos);
    for (const char* name : {"split_floats", "split_on_arrival"})
        EXPECT_NE(refusal(find_rung(matmul(), name, DeviceKind::simt), problem_of(64, 64, 64, DType::float32))
                      .find("simt has none of them"),
                  std::string::npos)
            << name;
    for (const DType type : {DType::int8, DType::float8_e4m3, DType::tfloat32})
        EXPECT_NE(refusal(find_rung(matmul(), "persistent", DeviceKind::simt), problem_of(64, 64, 64, type))
                      .find("simt has none of them"),
                  std::string::npos)
            << name_of(type);
    EXPECT_EQ(refusal(find_rung(matmul(), "tensor_core", DeviceKind::simt), halves), "");
}

/// Whether a rung's product of small whole numbers, whose sums every order gives alike, is the reference's to the bit.
template <class T>
bool is_exact_for_whole_numbers(Device& device, const Rung& rung, const Problem& problem, T (*rounded)(float)) {
    HostArrays expected(matmul(), problem), found(matmul(), problem);
    for (const std::size_t operand : {0U, 1U}) {
        auto* const elements = reinterpret_cast<T*>(expected.data(operand));
        for (std::size_t i = 0; i < expected.bytes(operand) / sizeof(T); ++i)
            elements[i] = rounded(static_cast<float>((i * 2654435761U >> 9) % 7) - 3);
        std::copy_n(expected.data(operand), expected.bytes(operand), found.data(operand));
    }
    matmul().reference(problem, expected.buffers());
    execute(device, matmul(), rung, problem, found.buffers());
    return std::equal(expected.data(2), expected.data(2) + expected.bytes(2), found.data(2));
}

/// A product of 16 bits, and how the model of `split_sums` lays it out: in tiles of rows × cols, of which so many below
/// one another and side by side are fetched for by one cluster, or so many blocks of a cluster add up parts of each, or
/// several clusters put their sums into slices.
struct LaidOut {
    const char* form;
    std::int64_t m, n, k;
    int rows, cols, down = 1, across = 1, parts = 1;
    bool in_slices = false;
};
// In each form the layouts that the model takes for products of lengths up to 3000, or in slices for longer sums: of
// some million that were drawn the one of the least work, since references must be quick.
constexpr LaidOut kLaidOut[] = {{"nn", 8, 200, 8, 64, 64},
                                {"nn", 2960, 208, 8, 80, 64},
                                {"nn", 2912, 656, 8, 128, 64},
                                {"nn", 2960, 200, 208, 80, 128},
                                {"nn", 408, 200, 2976, 96, 128},
                                {"nn", 2664, 200, 392, 128, 128},
                                {"nn", 648, 200, 2840, 144, 128},
                                {"nn", 8, 1352, 8, 64, 64, 1, 1, 1, true},
                                {"nn", 72, 2504, 8, 80, 64, 1, 1, 1, true},
                                {"nn", 744, 1608, 8, 128, 64, 1, 1, 1, true},
                                {"nn", 8, 7160, 2128, 64, 128, 1, 1, 1, true},
                                {"nn", 856, 2984, 72, 80, 128, 1, 1, 1, true},
                                {"nn", 88, 4936, 1744, 96, 128, 1, 1, 1, true},
                                {"nn", 352, 15240, 72, 128, 128, 1, 1, 1, true},
                                {"nn", 8, 2120, 2136, 64, 64, 1, 1, 2},
                                {"nn", 72, 2272, 1432, 80, 64, 1, 1, 2},
                                {"nn", 2056, 2768, 8, 128, 64, 1, 1, 2},
                                {"nn", 144, 2952, 1848, 80, 128, 1, 1, 2},
                                {"nn", 200, 1168, 1736, 64, 64, 4, 1},
                                {"nn", 1912, 984, 208, 64, 64, 1, 4},
                                {"nn", 2920, 1352, 72, 64, 64, 2, 2},
                                {"nn", 264, 1120, 1832, 80, 64, 4, 1},
                                {"nn", 2352, 648, 200, 80, 64, 2, 2},
                                {"nn", 328, 456, 2552, 128, 64, 1, 4},
                                {"nn", 728, 472, 1112, 128, 64, 2, 2},
                                {"nn", 984, 864, 936, 128, 64, 4, 1},
                                {"nn", 584, 408, 1832, 80, 128, 4, 1},
                                {"nn", 1544, 328, 728, 80, 128, 2, 2},
                                {"nn", 1136, 216, 2552, 96, 128, 2, 2},
                                {"nn", 1520, 208, 2104, 128, 128, 4, 1},
                                {"nn", 1568, 200, 1968, 128, 128, 1, 4},
                                {"nn", 2552, 264, 648, 128, 128, 2, 2},
                                {"nn", 1688, 208, 2344, 144, 128, 4, 1},
                                {"nn", 1720, 264, 1192, 144, 128, 2, 2},
                                {"nt", 8, 200, 8, 64, 64},
                                {"nt", 136, 200, 2544, 80, 64},
                                {"nt", 168, 200, 2920, 128, 64},
                                {"nt", 392, 200, 1848, 80, 128},
                                {"nt", 664, 200, 1800, 96, 128},
                                {"nt", 2664, 216, 392, 128, 128},
                                {"nt", 2832, 200, 648, 144, 128},
                                {"nt", 8, 1352, 8, 64, 64, 1, 1, 1, true},
                                {"nt", 392, 2312, 16, 80, 64, 1, 1, 1, true},
                                {"nt", 8, 7160, 2128, 64, 128, 1, 1, 1, true},
                                {"nt", 96, 2632, 704, 128, 64, 1, 1, 1, true},
                                {"nt", 856, 2984, 72, 80, 128, 1, 1, 1, true},
                                {"nt", 176, 9000, 480, 96, 128, 1, 1, 1, true},
                                {"nt", 760, 6296, 80, 128, 128, 1, 1, 1, true},
                                {"nt", 144, 3976, 1152, 144, 128, 1, 1, 1, true},
                                {"nt", 8, 2120, 2128, 64, 64, 1, 1, 2},
                                {"nt", 72, 2280, 1400, 80, 64, 1, 1, 2},
                                {"nt", 200, 2904, 1016, 128, 64, 1, 1, 2},
                                {"nt", 144, 2920, 1840, 80, 128, 1, 1, 2},
                                {"nt", 488, 936, 936, 64, 64, 4, 1},
                                {"nt", 960, 904, 464, 64, 64, 1, 4},
                                {"nt", 1896, 712, 208, 64, 64, 2, 2},
                                {"nt", 1600, 1544, 264, 80, 64, 4, 1},
                                {"nt", 2360, 648, 200, 80, 64, 2, 2},
                                {"nt", 488, 392, 1784, 128, 64, 2, 2},
                                {"nt", 2032, 1432, 320, 128, 64, 4, 1},
                                {"nt", 2504, 728, 216, 128, 64, 1, 4},
                                {"nt", 568, 392, 1808, 80, 128, 4, 1},
                                {"nt", 2392, 392, 392, 80, 128, 2, 2},
                                {"nt", 1136, 200, 2512, 96, 128, 2, 2},
                                {"nt", 928, 408, 1800, 128, 128, 4, 1},
                                {"nt", 1800, 392, 928, 128, 128, 1, 4},
                                {"nt", 2496, 264, 680, 128, 128, 2, 2},
                                {"nt", 1104, 392, 1872, 144, 128, 4, 1},
                                {"nt", 2872, 264, 672, 144, 128, 2, 2}};

TEST(Matmul, SplitSumsTakesEachTileByItsModel) {
    for (const LaidOut& each : kLaidOut) {
        const ClusterLayout layout =
            ClusterLayouts(each.m, each.n, each.k, std::string_view(each.form) == "nt").fastest(true);
        SCOPED_TRACE(testing::Message() << each.form << ' ' << each.m << 'x' << each.n << 'x' << each.k);
        EXPECT_EQ(layout.rows, each.rows);
        EXPECT_EQ(layout.cols, each.cols);
        EXPECT_EQ(1 << layout.sharing.down_bits, each.down);
        EXPECT_EQ(1 << layout.sharing.across_bits, each.across);
        EXPECT_EQ(1 << layout.part_bits, each.parts);
        EXPECT_EQ(layout.groups > 1, each.in_slices);
    }
}

TEST(Matmul, SplitSumsIsRightInEveryTileOfItsModel) {
    if (availability(DeviceKind::cuda).count == 0) GTEST_SKIP() << "Hopper's instructions run on a GPU alone";
    const Rung& split_sums = find_rung(matmul(), "split_sums", DeviceKind::cuda);
    const auto device = open_device("cuda");
    for (const auto& [form, m, n, k, rows, cols, down, across, parts, in_slices] : kLaidOut) {
        SCOPED_TRACE(testing::Message() << rows << 'x' << cols << ' ' << form << ", " << down << " by " << across
                                        << ", parts " << parts << (in_slices ? ", in slices" : ""));
        Problem problem = problem_of(m, n, k, DType::bfloat16);
        problem.variant = parse_variant(matmul(), form);
        if (const std::string why = refusal(split_sums, problem); !why.empty()) GTEST_SKIP() << why;
        EXPECT_TRUE(is_exact_for_whole_numbers<bfloat16>(*device, split_sums, problem, to_bfloat16));
        problem.dtype = DType::float16;
        EXPECT_TRUE(is_exact_for_whole_numbers<float16>(*device, split_sums, problem, to_float16));
    }
}

TEST(Matmul, PersistentIsRightWhereClustersShareTheLastTiles) {
    if (availability(DeviceKind::cuda).count == 0) GTEST_SKIP() << "Hopper's instructions run on a GPU alone";
    const Rung& persistent = find_rung(matmul(), "persistent", DeviceKind::cuda);
    const auto device = open_device("cuda");
    for (const char* form : {"nn", "nt"})
        for (const auto& [m, n, k] : {std::tuple{2304, 2752, 2304}, {3000, 2800, 3000}}) {
            Problem problem = problem_of(m, n, k, DType::bfloat16);
            problem.variant = parse_variant(matmul(), form);
            if (const std::string why = refusal(persistent, problem); !why.empty()) GTEST_SKIP() << why;
            SCOPED_TRACE(testing::Message() << m << 'x' << n << 'x' << k << ' ' << form);
            EXPECT_TRUE(is_exact_for_whole_numbers<bfloat16>(*device, persistent, problem, to_bfloat16));
            problem.dtype = DType::float16;
            EXPECT_TRUE(is_exact_for_whole_numbers<float16>(*device, persistent, problem, to_float16));
            problem.dtype = DType::int8;
            EXPECT_TRUE(is_exact_for_whole_numbers<std::int8_t>(
                *device, persistent, problem, [](float value) { return static_cast<std::int8_t>(value); }));
        }
}

TEST(Matmul, FloatsByPiecesAreRightInEveryRoundOfTiles) {
    if (availability(DeviceKind::cuda).count == 0) GTEST_SKIP() << "Hopper's instructions run on a GPU alone";
    const Rung& split_floats = find_rung(matmul(), "split_floats", DeviceKind::cuda);
    const auto device = open_device("cuda");
    for (const auto& [m, n, k] : {std::tuple{4096, 1024, 4096}, {2304, 2752, 2304}, {2500, 130, 4100}}) {
        const Problem problem = problem_of(m, n, k, DType::float32);
        if (const std::string why = refusal(split_floats, problem); !why.empty()) GTEST_SKIP() << why;
        EXPECT_EQ(wrong_elements_of<float>(*device, split_floats, problem), 0U) << m << 'x' << n << 'x' << k;
    }
}

TEST(Matmul, ItsToleranceOfHalvesRejectsALostProduct) {
    for (const DType type : {DType::float16, DType::bfloat16}) {
        const Tolerance tolerance = matmul().tolerance_with(kRandomInput, problem_of(32, 64, 32, type));
        // A result of usual size, 64 products of 1/9 variance, may be off by one step; a product is 1/4 on average.
        EXPECT_LT(tolerance.absolute + tolerance.relative * 2.7, 0.05) << name_of(type);
        EXPECT_GT(tolerance.relative, 0) << name_of(type);
    }
}

/// Both forms of the product by each of the processor's rungs for vectors and tiles that is not refused here.
void expect_right_by_vectors(Device& device, std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto expect = [&]<class T>(const char* name, T) {
        const Rung& rung = find_rung(matmul(), name, DeviceKind::cpu);
        Problem problem = problem_of(m, n, k, dtype_of<T>);
        for (const char* form : {"nn", "nt"}) {
            problem.variant = parse_variant(matmul(), form);
            if (!refusal(rung, problem).empty()) continue;
            EXPECT_EQ(wrong_elements_of<MatmulResult<T>>(device, rung, problem), 0U)
                << name << ' ' << name_of(dtype_of<T>) << ' ' << form << ' ' << m << 'x' << n << 'x' << k;
        }
    };
    expect("simd", float{});
    expect("simd", std::int32_t{});
    for (const char* of_bytes : {"simd", "vnni", "amx"}) expect(of_bytes, std::int8_t{});
}

TEST(Matmul, VectorTilesAreRightAtEveryEdge) {
    const auto device = open_device("cpu");
    for (const std::int64_t m : {1, 5, 6, 7, 13, 14, 15, 29, 33, 85})
        for (const std::int64_t n : {1, 2, 255, 256, 257, 515})
            for (const std::int64_t k : {1, 3, 15, 16, 17, 31, 32, 33, 130}) expect_right_by_vectors(*device, m, n, k);
}

TEST(Matmul, VectorTilesAreRightOnProcessorsWithNarrowerVectors) {
    const auto device = open_device("cpu");
    const Rung& rung = find_rung(matmul(), "simd", DeviceKind::cpu);
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        const std::int64_t target = left & -left;
        hwy::SetSupportedTargetsForTest(target);
        for (const std::int64_t m : {5, 20})
            for (const std::int64_t n : {1, 260})
                for (const std::int64_t k : {1, 3, 7, 9, 18, 33}) {
                    EXPECT_EQ(wrong_elements_of<float>(*device, rung, problem_of(m, n, k, DType::float32)), 0U)
                        << hwy::TargetName(target) << ' ' << m << 'x' << n << 'x' << k;
                    EXPECT_EQ(wrong_elements_of<std::int32_t>(*device, rung, problem_of(m, n, k, DType::int32)), 0U)
                        << hwy::TargetName(target) << ' ' << m << 'x' << n << 'x' << k;
                }
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(Matmul, VectorTilesAreRightInSeveralBlocks) {
    const auto device = open_device("cpu");
    // Deep, wide and high; read where they are and packed; whole panels and halves of one.
    constexpr std::int64_t kShapes[][3] = {{40, 700, 272},  {257, 300, 272}, {200, 300, 1024},
                                           {30, 260, 2230}, {300, 20, 1100}, {4200, 3, 500},
                                           {129, 129, 129}, {33, 2049, 35},  {70, 1025, 64}};
    for (const auto& [m, n, k] : kShapes) expect_right_by_vectors(*device, m, n, k);
}

// The largest that there are, of which a processor's instruction takes one without a sign.
TEST(Matmul, BytesAtTheirEndsAreRightByVectors) {
    const auto device = open_device("cpu");
    const Problem problem = problem_of(15, 1100, 33, DType::int8);
    const auto fill = [&](HostArrays& arrays) {
        for (std::size_t array = 0; array < 2; ++array) {
            auto* const bytes = reinterpret_cast<std::int8_t*>(arrays.data(array));
            for (std::int64_t i = 0; i < (array == 0 ? 15 : 33) * 1100; ++i)
                bytes[i] = array == 0 || i % 3 != 0 ? -128 : 127;
        }
    };
    HostArrays expected(matmul(), problem);
    fill(expected);
    matmul().reference(problem, expected.buffers());
    for (const char* name : {"simd", "vnni", "amx", "onednn"}) {
        const Rung& rung = find_rung(matmul(), name, DeviceKind::cpu);
        if (!refusal(rung, problem).empty()) continue;
        HostArrays found(matmul(), problem);
        fill(found);
        execute(*device, matmul(), rung, problem, found.buffers());
        EXPECT_EQ(wrong_elements(problem, reinterpret_cast<const std::int32_t*>(expected.data(2)),
                                 reinterpret_cast<const std::int32_t*>(found.data(2))),
                  0U)
            << name;
    }
}

/// The float with the 11 leading bits that a TF32 product keeps.
float as_tensor_float(float value) {
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x1000U) & 0xFFFFE000U);
}

TEST(Matmul, ItsToleranceRejectsProductsInReducedPrecision) {
    for (const std::int64_t n : {16, 128, 1024}) {
        const Problem problem = problem_of(32, n, 32, DType::float32);
        HostArrays exact(matmul(), problem), reduced(matmul(), problem);
        for (HostArrays* arrays : {&exact, &reduced}) matmul().fill(problem, 3, arrays->buffers());
        for (const std::size_t operand : {0U, 1U})
            for (std::int64_t i = 0; i < 32 * n; ++i) {
                float& value = reinterpret_cast<float*>(reduced.data(operand))[i];
                value = as_tensor_float(value);
            }
        matmul().reference(problem, exact.buffers());
        matmul().reference(problem, reduced.buffers());
        EXPECT_GT(wrong_elements(problem, reinterpret_cast<const float*>(exact.data(2)),
                                 reinterpret_cast<const float*>(reduced.data(2))),
                  0U)
            << n;
    }
}

/// The product with the given array one element off its alignment.
std::size_t wrong_elements_shifted(Device& device, const Rung& rung, const Problem& problem, std::size_t shifted) {
    HostArrays expected(matmul(), problem), found(matmul(), problem);
    matmul().fill(problem, 2, expected.buffers());
    matmul().reference(problem, expected.buffers());
    std::vector<DeviceMemory> memory;
    std::vector<void*> addresses;
    for (std::size_t array = 0; array < 3; ++array) {
        memory.push_back(device.allocate(expected.bytes(array) + 4));
        addresses.push_back(memory.back().data() + (array == shifted ? 4 : 0));
        if (array < 2) device.upload(addresses[array], expected.data(array), expected.bytes(array));
    }
    rung.typed(DType::int32)->launch(rung.entry, problem, {addresses}, device.stream());
    device.check_launch();
    device.synchronize();
    device.download(found.data(2), addresses[2], found.bytes(2));
    return wrong_elements(problem, reinterpret_cast<const std::int32_t*>(expected.data(2)),
                          reinterpret_cast<const std::int32_t*>(found.data(2)));
}

TEST(Matmul, QuadsGiveWayToSingleElementsWhereOperandsAreUnaligned) {
    const Problem problem = problem_of(20, 24, 28, DType::int32);  // whole quads, were it not for the shift
    for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cuda}) {
        if (availability(kind).count == 0) continue;
        const auto device = open_device(name_of(kind));
        for (const char* name : {"vectorized", "double_buffered"})
            for (const std::size_t shifted : {0U, 1U, 2U})
                EXPECT_EQ(wrong_elements_shifted(*device, find_rung(matmul(), name, kind), problem, shifted), 0U)
                    << name << ", array " << shifted << " shifted by one element";
    }
}

TEST(Matmul, OpenBlasUsesTheKernelsItWasToldTo) {
    const OpenBlasInfo& info = openblas_info();
    if (!info.reason.empty()) GTEST_SKIP() << info.reason;
    if (info.asked_core.empty()) GTEST_SKIP() << "the choice was left to OpenBLAS";
    const auto in_capitals = [](std::string name) {
        for (char& letter : name) letter = static_cast<char>(std::toupper(letter));
        return name;
    };
    EXPECT_EQ(in_capitals(info.core), in_capitals(info.asked_core));  // the environment may spell it either way
}

}  // namespace
}  // namespace lanework
