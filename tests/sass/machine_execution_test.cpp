// Executing recorded machine code: its results against arithmetic of the host's, and what it executed.
#include "src/gpu/sass/execution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "src/gpu/sass/halves.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "tests/sass/written_kernels.hpp"

namespace lanework {
namespace {

/// Numbers that look random, the same on every machine.
class Draw {
public:
    std::uint32_t operator()() { return state_ = state_ * 1664525u + 1013904223u; }

private:
    std::uint32_t state_ = 7;
};

TEST(MachineExecution, ComputesATiledProductWithTheVectorsOfItsCode) {
    constexpr int n = 40;
    std::vector<float> a(n * n), b(n * n), c(n * n, -1);
    for (int i = 0; i < n * n; ++i) {
        a[static_cast<std::size_t>(i)] = static_cast<float>(i % 7 - 3);
        b[static_cast<std::size_t>(i)] = static_cast<float>(i % 5 - 2);
    }
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("tiled_product");
    const MachineRun run = execute(
        kernel, launch_of(kernel, {3, 3, 1}, {16, 16, 1}, world.show(a), world.show(b), world.show(c), n), world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[static_cast<std::size_t>(row * n + k)] * b[static_cast<std::size_t>(k * n + column)];
            ASSERT_EQ(c[static_cast<std::size_t>(row * n + column)], sum) << row << ", " << column;
        }
    // 9 blocks of 8 warps, 3 tiles: of each 4 vectors of the one side and 16 words of the other.
    EXPECT_EQ(world.requests[kShared][kLoad], 9u * 8 * 3 * 20);
    EXPECT_EQ(world.requests[kShared][kStore], 9u * 8 * 3 * 2);
    EXPECT_EQ(world.widest, 16u);
}

TEST(MachineExecution, LetsLanesLeaveALoopOneByOne) {
    std::vector<unsigned> in(100);
    std::iota(in.begin(), in.end(), 0u);
    std::vector<int> out(100, -7);
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("collatz");
    const MachineRun run =
        execute(kernel, launch_of(kernel, {2, 1, 1}, {64, 1, 1}, world.show(in), world.show(out), 100), world);
    ASSERT_TRUE(run.complete()) << run.error;
    std::uint64_t divergent = 0;
    for (const MachineCount& count : run.counts) divergent += count.divergent;
    EXPECT_GT(divergent, 0u);
    for (unsigned i = 0; i < 100; ++i) {
        int steps = i == 0 ? -1 : 0;
        for (unsigned value = i; value > 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        EXPECT_EQ(out[i], steps) << i;
    }
    EXPECT_EQ(world.requests[kGlobal][kStore], 4u);  // the lanes of a warp met again
}

TEST(MachineExecution, AddsUpByShufflesSharedMemoryAndAtomics) {
    constexpr int n = 384;
    std::vector<int> in(n);
    std::iota(in.begin(), in.end(), 0);
    std::vector<int> sum(1, 0);
    std::vector<unsigned long long> maximum(1, 0);
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("sum_and_maximum");
    const MachineRun run = execute(
        kernel, launch_of(kernel, {3, 1, 1}, {128, 1, 1}, world.show(in), n, world.show(sum), world.show(maximum)),
        world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(sum[0], std::accumulate(in.begin(), in.end(), 0));
    EXPECT_EQ(maximum[0], static_cast<unsigned long long>(n - 1 + (1 << 20)));
    EXPECT_EQ(world.requests[kGlobal][kReduction], 6u);
    // A 64-bit maximum in shared memory is a loop, in which one of the lanes that collide wins each turn.
    EXPECT_EQ(world.requests[kShared][kAtomic], 384u);
}

TEST(MachineExecution, DividesShiftsAndCountsBits) {
    std::vector<long long> a(64), b(64), out(8 * 64);
    Draw draw;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<long long>(std::uint64_t{draw()} << 32 | draw()) >> draw() % 50;
        b[i] = static_cast<long long>(std::uint64_t{draw()} << 32 | draw()) >> draw() % 60;
        if (b[i] == 0 || b[i] == -1) b[i] = 3;
    }
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("integers");
    const MachineRun run = execute(
        kernel, launch_of(kernel, {1, 1, 1}, {64, 1, 1}, world.show(a), world.show(b), world.show(out), 64), world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long long x = a[i], y = b[i];
        const auto ux = static_cast<unsigned long long>(x);
        const int p = static_cast<int>(x), q = static_cast<int>(y);
        const auto up = static_cast<unsigned>(p), uq = static_cast<unsigned>(q);
        const long long* const got = &out[8 * i];
        EXPECT_EQ(got[0], x / y) << x << " / " << y;
        EXPECT_EQ(got[1], x % y) << x << " % " << y;
        EXPECT_EQ(got[2], static_cast<long long>(ux << (q & 63)) ^ (x >> (p & 63)));
        EXPECT_EQ(got[3], static_cast<long long>((ux >> (q & 63)) + ux * static_cast<unsigned long long>(y)));
        EXPECT_EQ(got[4], p / (q | 1)) << p << " / " << (q | 1);
        EXPECT_EQ(got[5], __builtin_popcount(up) + 100 * (uq ? __builtin_clz(uq) : 32) + 10000 * __builtin_ffs(p));
        EXPECT_EQ(got[6], std::min(p, q) + static_cast<long long>(std::max(up, uq)));
        unsigned reversed = 0;
        for (unsigned bit = 0; bit < 32; ++bit) reversed |= (up >> bit & 1) << (31 - bit);
        EXPECT_EQ(got[7], x < y ? (up & 0xffff) | uq << 16 : reversed);
    }
}

TEST(MachineExecution, RoundsAsArithmeticOfBothPrecisionsDoes) {
    std::vector<float> a(96), b(96);
    std::vector<double> out(8 * 96);
    Draw draw;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = std::ldexp(static_cast<float>(draw() >> 8) / (1 << 23) - 1, static_cast<int>(draw() % 12) - 2);
        b[i] = std::ldexp(static_cast<float>(draw() >> 8) / (1 << 23) - 1, static_cast<int>(draw() % 8) - 2);
    }
    a[0] = 1e-30f;  // a quotient by the long way
    b[0] = 1e20f;
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("numbers");
    const MachineRun run = execute(
        kernel, launch_of(kernel, {1, 1, 1}, {96, 1, 1}, world.show(a), world.show(b), world.show(out), 96), world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const float x = a[i], y = b[i];
        const double wide = x;
        const double* const got = &out[8 * i];
        EXPECT_EQ(got[0], static_cast<double>(x / y)) << x << " / " << y;
        EXPECT_EQ(got[1], static_cast<double>(std::sqrt(std::fabs(x)) + std::floor(y)));
        EXPECT_EQ(got[2], wide / static_cast<double>(y));
        EXPECT_DOUBLE_EQ(got[3], std::sqrt(std::fabs(wide)) + std::ceil(wide * static_cast<double>(y)));
        EXPECT_EQ(got[4], static_cast<double>(std::fma(x, y, 0.25f) + static_cast<float>(static_cast<int>(x * 8))));
        if (i > 0) {
            using namespace machine;
            const auto half = [](float value) {
                return static_cast<double>(half_value(half_bits(static_cast<double>(value))));
            };
            EXPECT_EQ(got[5], static_cast<double>(half_value(half_bits(half(x) * half(y) + 0.5)))) << x << " " << y;
            EXPECT_EQ(got[6], static_cast<double>(static_cast<long long>(wide * 1000)) +
                                  static_cast<double>(static_cast<unsigned>(std::fabs(y))));
        }
        EXPECT_EQ(got[7], static_cast<double>(x > y ? std::min(x, 3.0f) : std::max(y, -2.0f)));
    }
}

TEST(MachineExecution, KeepsEachThreadsOwnArray) {
    std::vector<int> in(64), out(50);
    Draw draw;
    for (int& each : in) each = static_cast<int>(draw() >> 8);
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("own_array");
    const MachineRun run =
        execute(kernel, launch_of(kernel, {1, 1, 1}, {64, 1, 1}, world.show(in), world.show(out), 50), world);
    // Slots that nothing was stored in hold anything: only those that are set are compared.
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_GT(world.requests[kLocal][kStore], 0u);
    EXPECT_GT(world.requests[kLocal][kLoad], 0u);
    EXPECT_EQ(world.requests[kGlobal][kStore], 2u);
}

TEST(MachineExecution, ReadsConstantsBytesAndDynamicSharedMemory) {
    std::vector<int> table(64), out(100, -9);
    std::vector<unsigned char> in(100);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int>(i * i) - 500;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 37 + 210);
    SharedMemoryWorld world;
    const MachineKernel& kernel = recorded_kernel("looked_up");
    MachineLaunch launch = launch_of(kernel, {2, 1, 1}, {64, 1, 1}, world.show(in), world.show(out), 100);
    launch.dynamic_shared = 64 * sizeof(int);
    launch.constants = std::as_bytes(std::span(table));
    const MachineRun run = execute(kernel, launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t other = i ^ 1;
        EXPECT_EQ(out[i], table[in[other] & 63] + 1 + static_cast<signed char>(in[i])) << i;
    }
}

std::string ending(const std::vector<std::string>& lines, std::uint64_t limit = 0) {
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    launch.limit = limit;
    return execute(kernel_of(lines), launch, world).error;
}

TEST(MachineExecution, EndsWithTheNameOfAnInstructionThatItDoesNotKnow) {
    EXPECT_EQ(ending({"EXIT"}), "");
    EXPECT_NE(ending({"FROB R1, R2", "EXIT"}).find("FROB R1, R2"), std::string::npos);
    EXPECT_NE(ending({"IMAD.FROB R1, R2, R3, R4", "EXIT"}).find("IMAD.FROB"), std::string::npos);
    EXPECT_NE(ending({"IMAD R1, R2, R3, c[0x5][0x10]", "EXIT"}).find("bank"), std::string::npos);
}

TEST(MachineExecution, GoesOnWhereWhatItDoesNotKnowIsNeverExecuted) {
    EXPECT_EQ(ending({"S2R R0, SR_LANEID", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 FROB R1, R2", "EXIT", "FROB"}),
              "");
    EXPECT_NE(
        ending({"S2R R0, SR_LANEID", "ISETP.GE.AND P0, PT, R0, 0x1f, PT", "@P0 FROB R1, R2", "EXIT"}).find("FROB"),
        std::string::npos);
}

TEST(MachineExecution, CountsTheGroupsThatAMatchFinds) {
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    const MachineRun run = execute(kernel_of({"S2R R0, SR_LANEID", "LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT",
                                              "MATCH.ANY R2, R0", "MATCH.ANY R2, R1", "MATCH.ANY R2, RZ", "EXIT"}),
                                   launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(run.counts[2].matched, 32u);
    EXPECT_EQ(run.counts[3].matched, 8u);
    EXPECT_EQ(run.counts[4].matched, 1u);
    EXPECT_EQ(run.counts[5].matched, 0u);
}

TEST(MachineExecution, ReadsWhatTheSystemKeepsOfAKernelWithoutParameters) {
    EXPECT_EQ(ending({"ULDC.64 UR4, c[0x0][0x208]", "EXIT"}), "");
}

TEST(MachineExecution, TakesAddressesOfVariablesFromTheirBankAndExtendedOnesWhole) {
    std::vector<int> values(2, 7);
    SharedMemoryWorld world;
    const std::uint64_t address = world.show(values);
    MachineLaunch launch;
    launch.addresses = std::as_bytes(std::span(&address, 1));
    // As nvdisasm writes it: the address of a compare-and-swap has 64 bits without saying so.
    const MachineRun run = execute(kernel_of({"LDC.64 R4, c[0x4][RZ]", "MOV R2, 0x7", "MOV R3, 0x9",
                                              "ATOMG.E.CAS.STRONG.GPU PT, R0, [R4+0x4], R2, R3",
                                              "LDC.64 R6, c[0x4][RZ]", "STG.E desc[UR4][R6.64], R0", "EXIT"}),
                                   launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(values, (std::vector<int>{7, 9}));
}

TEST(MachineExecution, KnowsTheAddressesOfVariablesThatInstructionsName) {
    std::vector<int> variable(1);
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.symbols = {{"counts", world.show(variable)}};
    const std::vector<std::string> code = {"UMOV UR4, 32@lo(counts)",
                                           "UMOV UR5, 32@hi(counts)",
                                           "MOV R2, UR4",
                                           "MOV R3, UR5",
                                           "MOV R0, 0x7",
                                           "STG.E desc[UR6][R2.64], R0",
                                           "EXIT"};
    const MachineRun run = execute(kernel_of(code), launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(variable[0], 7);
    launch.symbols.clear();
    EXPECT_NE(execute(kernel_of(code), launch, world).error.find("32@lo(counts) is not known here"), std::string::npos);
}

TEST(MachineExecution, JumpsToWhereATableSays) {
    const MachineCode code = read_machine_code(recorded_text("jump_tables"));
    ASSERT_EQ(code.kernels.size(), 1u);
    const MachineKernel& kernel = code.kernels.front();
    EXPECT_FALSE(kernel.tables.empty());
    constexpr int n = 100;
    std::vector<int> kinds(n), in(n), out(n), expected(n);
    Draw draw;
    for (std::size_t i = 0; i < n; ++i) {
        kinds[i] = static_cast<int>(draw() >> 16) % 9 - 1;
        in[i] = static_cast<int>(draw() >> 8) % 1000;
        out[i] = i == 0 ? 0 : static_cast<int>(i);
    }
    kinds[0] = 7;
    for (std::size_t i = 0; i < n; ++i) {
        const int by_kind[] = {
            3 * in[i] + out[i], in[(i + 1) % n] / 7, in[0] * in[i], __builtin_popcount(static_cast<unsigned>(in[i])),
            in[i] % 5 + in[2],  in[(i * 2) % n],     in[n - 1 - i]};
        expected[i] = kinds[i] >= 0 && kinds[i] < 7 ? by_kind[kinds[i]] : -1;
    }
    // Other blocks may come before the first one's result: they read out[0] as it will be.
    for (std::size_t i = 0; i < n; ++i)
        if (kinds[i] == 3) kinds[i] = 6, expected[i] = in[n - 1 - i];
    SharedMemoryWorld world;
    const MachineRun run = execute(
        kernel, launch_of(kernel, {4, 1, 1}, {32, 1, 1}, world.show(kinds), world.show(in), world.show(out), n), world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(out, expected);
}

TEST(MachineExecution, EndsAtATableOfPlacesElsewhere) {
    const std::string why = ending({"MOV R6, 0x4000", "BRX R6 -0x20", "EXIT"});
    EXPECT_NE(why.find("not within the kernel"), std::string::npos) << why;
}

TEST(MachineExecution, DividesIntegersWhateverTheLastPlaceOfAReciprocal) {
    // Divisors whose reciprocals have many ones, and multiples of them: where the quotient steps.
    std::vector<long long> a(64), b(64), out(8 * 64);
    for (std::size_t i = 0; i < a.size(); ++i) {
        b[i] = static_cast<long long>(3 + i);
        a[i] = b[i] * (1'000'000'007 / b[i]);
    }
    const MachineKernel& kernel = recorded_kernel("integers");
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        SharedMemoryWorld world;
        MachineLaunch launch =
            launch_of(kernel, {1, 1, 1}, {64, 1, 1}, world.show(a), world.show(b), world.show(out), 64);
        launch.variation = {.seed = seed};
        const MachineRun run = execute(kernel, launch, world);
        ASSERT_TRUE(run.complete()) << run.error;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const int p = static_cast<int>(a[i]), q = static_cast<int>(b[i]) | 1;
            ASSERT_EQ(out[8 * i], a[i] / b[i]) << a[i] << " / " << b[i] << ", seed " << seed;
            ASSERT_EQ(out[8 * i + 4], p / q) << p << " / " << q << ", seed " << seed;
        }
    }
}

/// Moves that put three addresses into R2, R4 and R6, with the lane's place in steps of so many bytes.
std::vector<std::string> at_lanes_places(const std::array<std::uint64_t, 3>& address,
                                         const std::array<unsigned, 3>& step, std::vector<std::string> code) {
    std::vector<std::string> all = {"S2R R0, SR_LANEID"};
    for (unsigned i = 0; i < 3; ++i) {
        const auto reg = [&](unsigned k) { return "R" + std::to_string(2 + 2 * i + k); };
        all.push_back("MOV " + reg(0) + ", " + std::to_string(static_cast<std::uint32_t>(address[i])));
        all.push_back("MOV " + reg(1) + ", " + std::to_string(address[i] >> 32));
        all.push_back("IMAD.WIDE.U32 " + reg(0) + ", R0, " + std::to_string(step[i]) + ", " + reg(0));
    }
    all.insert(all.end(), code.begin(), code.end());
    return all;
}

TEST(MachineExecution, MultipliesMatricesThatAWarpHolds) {
    // Small whole numbers, as the PTX ISA lays out mma.m16n8k16's fragments.
    Draw draw;
    std::array<std::array<int, 16>, 16> a;
    std::array<std::array<int, 8>, 16> b;
    for (auto& row : a)
        for (int& each : row) each = static_cast<int>(draw() >> 20) % 9 - 4;
    for (auto& row : b)
        for (int& each : row) each = static_cast<int>(draw() >> 20) % 9 - 4;
    std::vector<std::uint16_t> left(32 * 8), right(32 * 4);
    std::vector<float> out(32 * 4, 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned g = lane / 4, t = lane % 4;
        for (unsigned i = 0; i < 8; ++i)
            left[lane * 8 + i] = machine::half_bits(a[g + (i / 2 % 2) * 8][t * 2 + i % 2 + (i / 4) * 8]);
        for (unsigned i = 0; i < 4; ++i) right[lane * 4 + i] = machine::half_bits(b[t * 2 + i % 2 + (i / 2) * 8][g]);
    }
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    const auto code = at_lanes_places(
        {world.show(left), world.show(right), world.show(out)}, {16, 8, 16},
        {"LDG.E.128 R8, desc[UR4][R2.64]", "LDG.E.64 R12, desc[UR4][R4.64]", "HMMA.16816.F32 R16, R8, R12, RZ",
         "HMMA.16816.F32 R16, R8, R12, R16", "STG.E.128 desc[UR4][R6.64], R16", "EXIT"});
    const MachineRun run = execute(kernel_of(code), launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (unsigned row = 0; row < 16; ++row)
        for (unsigned column = 0; column < 8; ++column) {
            int sum = 0;
            for (unsigned k = 0; k < 16; ++k) sum += a[row][k] * b[k][column];
            EXPECT_EQ(out[(row % 8 * 4 + column / 2) * 4 + row / 8 * 2 + column % 2], static_cast<float>(2 * sum))
                << row << ", " << column;
        }
}

TEST(MachineExecution, LoadsAndTransposesMatrices) {
    // Row r of 8 halves is 10 r + column; a warp stores it, and reads it in both ways.
    std::vector<std::uint16_t> in(64), out(32 * 2), moved(32 * 2);
    for (unsigned i = 0; i < 64; ++i) in[i] = static_cast<std::uint16_t>(10 * (i / 8) + i % 8);
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    const auto code = at_lanes_places(
        {world.show(in), world.show(out), world.show(moved)}, {4, 4, 4},
        {"LDG.E R8, desc[UR4][R2.64]", "IMAD R9, R0, 0x4, RZ", "STS [R9], R8", "LOP3.LUT R1, R0, 0x7, RZ, 0xc0, !PT",
         "IMAD R9, R1, 0x10, RZ", "LDSM.16.MT88 R10, [R9]", "LDSM.16.M88 R11, [R9]", "MOVM.16.MT88 R11, R11",
         "STG.E desc[UR4][R4.64], R10", "STG.E desc[UR4][R6.64], R11", "EXIT"});
    const MachineRun run = execute(kernel_of(code), launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned half = 0; half < 2; ++half)
            EXPECT_EQ(out[2 * lane + half], 10 * (2 * (lane % 4) + half) + lane / 4) << lane;
    EXPECT_EQ(moved, out);
    EXPECT_EQ(world.requests[kShared][kLoad], 2u);
}

/// Textures whose texels say what was asked for.
class Echo final : public SharedMemoryWorld {
public:
    bool fetch(const MachineFetch& fetch, MachineTexel& texel) override {
        asked.push_back(fetch);
        texel.words = {static_cast<std::uint32_t>(fetch.index), static_cast<std::uint32_t>(fetch.at[0]),
                       static_cast<std::uint32_t>(fetch.at[1]), static_cast<std::uint32_t>(fetch.at[2])};
        return fetch.object == 7;
    }
    std::vector<MachineFetch> asked;
};

TEST(MachineExecution, FetchesTexelsAtTheCoordinatesThatRegistersHold) {
    // 5, 3.0f, 4.0f and 6.0f in R8 to R11.
    const auto fetched = [](const std::string& instruction, const std::string& object = "0x7") {
        std::vector<int> out(4, -1);
        Echo world;
        const std::vector<std::string> code = {"UMOV UR4, " + object,
                                               "MOV R8, 0x5",
                                               "MOV R9, 0x40400000",
                                               "MOV R10, 0x40800000",
                                               "MOV R11, 0x40c00000",
                                               "MOV R4, RZ",
                                               "MOV R5, RZ",
                                               "MOV R6, RZ",
                                               "MOV R7, RZ",
                                               instruction,
                                               "STG.E.128 desc[UR4][R2.64], R4",
                                               "EXIT"};
        const MachineRun run = execute(kernel_of(with_address(world.show(out), code)), {}, world);
        if (!run.complete()) out.clear();
        return out;
    };
    using Texel = std::vector<int>;
    EXPECT_EQ(fetched("TLD.LZ RZ, R4, R8, UR4, 0x0, 1D, 0x1"), (Texel{5, 0, 0, 0}));
    EXPECT_EQ(fetched("TEX.LL R6, R4, R9, R0, UR4, 0x0, 2D"), (Texel{0, 3, 4, 0}));
    EXPECT_EQ(fetched("TEX.LL RZ, R4, R9, R0, UR4, 0x0, 3D, 0x3"), (Texel{0, 3, 0, 0}));
    EXPECT_EQ(fetched("TEX.LL R6, R4, R9, R0, UR4, 0x0, 3D, 0xe"), (Texel{3, 4, 6, 0})) << "side by side";
    EXPECT_EQ(fetched("TEX.LL R6, R4, R8, R0, UR4, 0x0, ARRAY_2D"), (Texel{5, 3, 4, 0}));
    EXPECT_TRUE(fetched("TEX.LL R6, R4, R9, R0, UR4, 0x0, 2D", "0x8").empty()) << "no texture of this launch";
    EXPECT_TRUE(fetched("TEX.LL R6, R4, R9, R0, UR4, 0x0, ARRAY_CUBE").empty());
}

TEST(MachineExecution, KnowsHowMuchTheLongestWarpDoes) {
    // Of three blocks of two warps the last one goes on, and of its warps the second to the end.
    MachineLaunch launch;
    launch.grid = {3, 1, 1};
    launch.block = {64, 1, 1};
    SharedMemoryWorld world;
    const MachineRun run =
        execute(kernel_of({"S2R R0, SR_CTAID.X", "S2R R1, SR_TID.X", "ISETP.NE.AND P0, PT, R0, 0x2, PT", "@P0 EXIT",
                           "ISETP.LT.AND P0, PT, R1, 0x20, PT", "@P0 EXIT", "MOV R2, 0x1", "MOV R3, 0x1", "EXIT"}),
                launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(run.longest_warp, 9u);
    EXPECT_EQ(run.executed, 4u * 4 + 6 + 9);
}

TEST(MachineExecution, ComesBackAtOnceFromTheFunctionThatPrints) {
    const std::vector<std::string> after = {"MOV R5, 0x7", "STG.E desc[UR4][R2.64], R5", "EXIT"};
    for (const std::vector<std::string>& call : {std::vector<std::string>{"CALL.ABS.NOINC `(vprintf)"},
                                                 {"LDC.64 R8, c[0x4][RZ]", "LEPC R20", "CALL.ABS.NOINC R8"}}) {
        std::vector<int> out(2, 0);
        SharedMemoryWorld world;
        std::vector<std::string> code = call;
        code.insert(code.end(), after.begin(), after.end());
        std::array<std::uint64_t, 1> functions{kPrintingFunction};
        MachineLaunch launch;
        launch.block = {32, 1, 1};
        launch.addresses = std::as_bytes(std::span(functions));
        const MachineKernel kernel = kernel_of(with_address(world.show(out), code));
        const MachineRun run = execute(kernel, launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        EXPECT_TRUE(run.prints);
        EXPECT_EQ(out[0], 7);
        functions = {0x1234};
        if (call.size() > 1) {
            EXPECT_NE(execute(kernel, launch, world).error.find("by its address"), std::string::npos);
        }
    }
}

TEST(MachineExecution, AddsTwoHalvesAtATimeToMemory) {
    const auto both = [](std::uint16_t half) { return static_cast<int>(half | std::uint32_t{half} << 16); };
    const auto sum = [&](const char* type, std::uint16_t quarter) {
        return left_by({"MOV R5, " + std::to_string(both(quarter)),
                        std::string("ATOM.E.ADD.") + type + ".RN.STRONG.GPU P0, RZ, desc[UR4][R2.64], R5",
                        "@!P0 STG.E desc[UR4][R2.64+0x4], R5"},
                       1, 32, {});
    };
    using machine::bfloat_bits, machine::half_bits;
    EXPECT_EQ(sum("F16x2", half_bits(0.25)), (std::vector<int>{both(half_bits(8)), 0}));
    EXPECT_EQ(sum("BF16x2", bfloat_bits(0.25)), (std::vector<int>{both(bfloat_bits(8)), 0}));
}

// As an H100 counts loads of Welford's sums that the first lanes find in shared memory and the others on their stacks.
TEST(MachineExecution, CountsAGenericAccessInEachSpaceThatItsLanesReach) {
    std::vector<int> memory(32, 0);
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    const auto code = with_generic_addresses(
        "0x10", {"MOV R6, 0x7", "MOV R7, 0x9", "STS [0x10], R6", "STL [0x10], R7", "LD.E R8, desc[UR4][R12.64]",
                 "S2R R9, SR_TID.X", "IMAD.WIDE.U32 R2, R9, 0x4, R2", "STG.E desc[UR4][R2.64], R8", "EXIT"});
    const MachineRun run = execute(kernel_of(with_address(world.show(memory), code)), launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_EQ(memory[i], i % 2 == 0 ? 7 : 9) << i;
    const auto loads = [&](MachineSpace space) {
        return world.requests[static_cast<int>(space)][static_cast<int>(MachineAccessKind::load)];
    };
    EXPECT_EQ(loads(MachineSpace::shared), 1u);
    EXPECT_EQ(loads(MachineSpace::local), 1u);
    EXPECT_EQ(loads(MachineSpace::global), 0u);
}

// How an H100 counts these was not measured.
TEST(MachineExecution, EndsWhereAGenericAccessOfAnotherKindReachesSeveralSpaces) {
    for (const char* access : {"ST.E desc[UR4][R12.64], R6", "LD.E.64 R14, desc[UR4][R12.64]"}) {
        std::vector<int> memory(32, 0);
        SharedMemoryWorld world;
        MachineLaunch launch;
        launch.block = {32, 1, 1};
        const auto code = with_generic_addresses("0x10", {access, "EXIT"});
        const MachineRun run = execute(kernel_of(with_address(world.show(memory), code)), launch, world);
        EXPECT_FALSE(run.complete()) << access;
        EXPECT_NE(run.error.find("several kinds of memory at once"), std::string::npos) << run.error;
    }
}

TEST(MachineExecution, CountsThePlacesThatATableSendsLanesTo) {
    MachineLaunch launch;
    launch.block = {32, 1, 1};
    SharedMemoryWorld world;
    const MachineRun run =
        execute(kernel_of({"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT", "MOV R2, 0x60",
                           "IMAD R6, R1, 0x10, R2", "BRX R6 -0x50", "EXIT", "EXIT", "EXIT", "EXIT", "EXIT"}),
                launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(run.counts[4].executed, 1u);
    EXPECT_EQ(run.counts[4].divergent, 1u);
    EXPECT_EQ(run.counts[4].parted, 3u);
}

TEST(MachineExecution, LetsTheBlocksOfACooperativeLaunchMeet) {
    // The words that blocks count themselves at, and the trap where there are none.
    EXPECT_EQ(
        ending({"MOV R6, c[0x0][0x48]", "MOV R7, c[0x0][0x44]", "ISETP.NE.U32.AND P0, PT, RZ, R7, PT",
                "@!P0 BPT.TRAP 0x1", "MOV R9, 0x1", "ATOM.E.ADD.STRONG.GPU PT, R9, desc[UR4][R6.64+0x4], R9",
                "LD.E.STRONG.GPU R9, desc[UR4][R6.64+0x4]", "ISETP.NE.AND P0, PT, R9, 0x20, PT", "@P0 FROB", "EXIT"}),
        "");
}

TEST(MachineExecution, CallsFunctionsOfOtherSections) {
    // As nvdisasm prints linked code: the function's own section, and where it returns to.
    const auto section = [](const std::string& symbol, const std::vector<std::string>& lines) {
        std::string text = "//--------------------- .text." + symbol + " --------------------------\n";
        char number[16];
        int address = 0;
        for (const std::string& line : lines) {
            std::snprintf(number, sizeof number, "/*%04x*/ ", address);
            text += line.ends_with(':') ? line + "\n" : number + line + " ;\n";
            if (!line.ends_with(':')) address += 16;
        }
        return text;
    };
    const std::vector<std::string> twice = {"ISETP.NE.AND P0, PT, R4, RZ, PT", "@!P0 BRA `(.L_x_7)",
                                            "IADD3 R4, R4, R4, RZ", ".L_x_7:", "RET.ABS.NODEC R20 0x0"};
    const std::string caller =
        section("f", {"MOV R4, 0x15", "MOV R20, 32@lo((f + .L_x_3@srel))", "MOV R21, 32@hi((f + .L_x_3@srel))",
                      "CALL.ABS.NOINC `(twice)", ".L_x_3:", "ISETP.NE.AND P0, PT, R4, 0x2a, PT", "@P0 FROB", "EXIT"});
    // Of several files' functions of one name, the section has another number than the function.
    std::vector<std::string> renamed = twice;
    renamed.insert(renamed.begin(), "twice:");
    for (const std::string& callee : {section("twice", twice), section("twice__1", renamed)}) {
        const MachineCode code = read_machine_code(callee + caller);
        ASSERT_EQ(code.kernels.size(), 2u);
        EXPECT_EQ(code.kernels[1].instructions.size(), 11u);
        SharedMemoryWorld world;
        const MachineRun run = execute(code.kernels[1], {}, world);
        EXPECT_TRUE(run.complete()) << run.error;
    }
    EXPECT_FALSE(ending({"MOV R20, 32@lo(function)", "EXIT"}).empty()) << "an address that is not known";
}

TEST(MachineExecution, EndsAtMemoryThatIsNone) {
    EXPECT_NE(ending({"LDG.E R1, desc[UR4][R2.64]", "EXIT"}).find("global"), std::string::npos);
    EXPECT_NE(ending({"MOV R2, 0x10000", "LDS R1, [R2]", "EXIT"}).find("shared"), std::string::npos);
}

TEST(MachineExecution, EndsWhereThreadsWaitForEver) {
    EXPECT_NE(ending({"BAR.SYNC 0x0, 0x40", "EXIT"}).find("never come"), std::string::npos);
    EXPECT_NE(ending({".L_x_0:", "BRA `(.L_x_0)", "EXIT"}, 1000).find("more instructions"), std::string::npos);
}

TEST(MachineExecution, TakesTheLongWayOfAQuotientForZero) {
    const auto long_way = [](const std::string& above, const std::string& below = "0x40400000") {
        return !ending({"MOV R2, " + above, "MOV R3, " + below, "FCHK P0, R2, R3", "@P0 FROB", "EXIT"}).empty();
    };
    EXPECT_TRUE(long_way("0x0"));
    EXPECT_TRUE(long_way("0x80000000")) << "-0";
    EXPECT_FALSE(long_way("0x3f800000"));
    EXPECT_TRUE(long_way("0x00800000")) << "the least normal number";
    // As counted on an H100, by exponents on both sides of each border.
    const auto by_exponents = [&](unsigned above, unsigned below) {
        return long_way(std::to_string(above << 23), std::to_string(below << 23));
    };
    EXPECT_TRUE(by_exponents(24, 127) && !by_exponents(25, 127));
    EXPECT_TRUE(by_exponents(127, 1) && !by_exponents(127, 2));
    EXPECT_TRUE(by_exponents(127, 252) && !by_exponents(127, 251));
    EXPECT_TRUE(by_exponents(65, 190) && !by_exponents(66, 190));
    EXPECT_TRUE(by_exponents(191, 64) && !by_exponents(191, 65));
}

TEST(MachineExecution, ComparesToANumberScalesProductsAndSubtractsWhatIsShifted) {
    // 3 and 5 as floats, in R2 and R3; R4 against what it should be.
    const auto gives = [](const std::string& code, const std::string& expected) {
        return ending({"MOV R2, 0x40400000", "MOV R3, 0x40a00000", code,
                       "ISETP.NE.AND P0, PT, R4, " + expected + ", PT", "@P0 FROB", "EXIT"})
            .empty();
    };
    EXPECT_TRUE(gives("FSET.BF.LT.AND R4, R2, R3, PT", "0x3f800000"));
    EXPECT_TRUE(gives("FSET.BF.GT.AND R4, R2, R3, PT", "0x0"));
    EXPECT_TRUE(gives("FSET.BF.LT.AND R4, R2, R3, !PT", "0x0"));
    EXPECT_TRUE(gives("FSET.BF.GT.OR R4, R2, R3, PT", "0x3f800000"));
    EXPECT_TRUE(gives("FMUL.D8 R4, R2, R3", "0x3ff00000")) << "15 / 8";
    EXPECT_TRUE(gives("FMUL.M2 R4, R2, -R3", "0xc1f00000")) << "-15 * 2";
    EXPECT_TRUE(gives("LEA R4, -R2, RZ, 0x2", "0xff000000")) << "whole numbers";
    EXPECT_TRUE(ending({"MOV R2, 0x1", "LEA R4, P1, -R2, 0x8, 0x2", "@!P1 FROB", "EXIT"}).empty()) << "8 - 4 carries";
    EXPECT_TRUE(ending({"MOV R2, 0x4", "LEA R4, P1, -R2, 0x8, 0x2", "@P1 FROB", "EXIT"}).empty()) << "8 - 16 borrows";
    EXPECT_FALSE(ending({"FSET.LT.AND R4, R2, R3, PT", "EXIT"}).empty()) << "a mask is not known";
    EXPECT_FALSE(ending({"LEA.HI R4, -R2, RZ, RZ, 0x2", "EXIT"}).empty());
}

TEST(MachineExecution, ComparesPairsOfHalvesToNumbersAndMasks) {
    const auto halves = [](double high, double low) {
        return std::uint32_t{machine::half_bits(high)} << 16 | machine::half_bits(low);
    };
    const auto brains = [](float high, float low) {
        return (std::bit_cast<std::uint32_t>(high) & 0xffff0000u) | std::bit_cast<std::uint32_t>(low) >> 16;
    };
    const std::uint32_t a = halves(2, -1), b = halves(1.5, -1);
    EXPECT_EQ(computed(a, b, {"HSET2.BF.GT.AND R12, R8, R9, PT"}), (std::vector{halves(1, 0)}));
    EXPECT_EQ(computed(a, b, {"HSET2.LE.AND R12, R8, R9, PT"}), (std::vector{0x0000ffffu}));
    EXPECT_EQ(computed(a, b, {"HSET2.BF.NE.AND R12, R9, 1.5, 1.5, PT"}), (std::vector{halves(0, 1)}));
    EXPECT_EQ(computed(brains(2, -1), brains(1.5f, -1), {"HSET2.BF16_V2.BF.GE.AND R12, R8, R9, PT"}),
              (std::vector{brains(1, 1)}));
    const auto chosen = [&](const char* compare) {
        return computed(a, b, {compare, "SEL R12, R8, R9, P0"}).front() == a;
    };
    EXPECT_TRUE(chosen("HSETP2.GT.AND P0, PT, R8.H1_H1, R9.H1_H1, PT"));
    EXPECT_FALSE(chosen("HSETP2.GT.AND P0, PT, R8.H0_H0, R9.H1_H1, PT"));
}

TEST(MachineExecution, TakesExtremesThatAreAtLeastZero) {
    const auto of = [](int a, int b, const char* instruction) {
        return static_cast<int>(
            computed(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), {instruction})[0]);
    };
    EXPECT_EQ(of(-5, -7, "VIMNMX.RELU R12, R8, R9, !PT"), 0);
    EXPECT_EQ(of(-5, 7, "VIMNMX.RELU R12, R8, R9, !PT"), 7);
    EXPECT_EQ(of(-5, 7, "VIMNMX.RELU R12, R8, R9, PT"), 0);
    EXPECT_EQ(of(-5, -7, "VIMNMX R12, R8, R9, !PT"), -5);
    EXPECT_EQ(of(0x0003fffe, 0x00020005, "VIMNMX.S16x2.RELU R12, R8, R9, PT"), 0x00020000);
    EXPECT_EQ(of(-20, 3, "VIADDMNMX.RELU R12, R8, R9, 0x7, PT"), 0);
}

TEST(MachineExecution, MultipliesBytesWithAndWithoutSigns) {
    // 16 rows of 16 bytes, as the PTX ISA lays out mma.m16n8k16's fragments of bytes; a word each of A's halves and of
    // B.
    const std::uint32_t left = 0x01ff0280, right = 0x03fe01ff;
    const auto sum_of = [&](bool signed_left, bool signed_right) {
        int sum = 0;
        for (unsigned at = 0; at < 32; at += 8) {
            const int a = left >> at & 0xff, b = right >> at & 0xff;
            sum += (signed_left ? static_cast<std::int8_t>(a) : a) * (signed_right ? static_cast<std::int8_t>(b) : b);
        }
        return 4 * sum;  // four lanes of a group hold as much
    };
    std::vector<int> out(32 * 4);
    const auto product = [&](const char* instruction) {
        SharedMemoryWorld world;
        MachineLaunch launch;
        launch.block = {32, 1, 1};
        const auto code = at_lanes_places(
            {world.show(out), world.show(out), world.show(out)}, {16, 16, 16},
            {"MOV R8, " + std::to_string(left), "MOV R9, " + std::to_string(left), "MOV R12, " + std::to_string(right),
             instruction, "STG.E.128 desc[UR4][R2.64], R16", "EXIT"});
        const MachineRun run = execute(kernel_of(code), launch, world);
        EXPECT_TRUE(run.complete()) << run.error;
        EXPECT_TRUE(std::ranges::all_of(out, [&](int each) { return each == out[0]; }));
        return out[0];
    };
    EXPECT_EQ(product("IMMA.16816.S8.S8 R16, R8.ROW, R12.COL, RZ"), sum_of(true, true));
    EXPECT_EQ(product("IMMA.16816.U8.U8 R16, R8.reuse.ROW, R12.COL, RZ"), sum_of(false, false));
    EXPECT_EQ(product("IMMA.16816.U8.S8 R16, R8.ROW, R12.COL, RZ"), sum_of(false, true));
    EXPECT_EQ(product("IMMA.16816.S8.U8 R16, R8.ROW, R12.COL, RZ"), sum_of(true, false));
}

TEST(MachineExecution, CountsExecutionsAndLanes) {
    SharedMemoryWorld world;
    MachineLaunch launch;
    launch.block = {48, 1, 1};
    const MachineRun run = execute(kernel_of({"S2R R0, SR_LANEID", "ISETP.LT.AND P0, PT, R0, 0x4, PT",
                                              "@P0 IADD3 R1, R0, 0x1, RZ", "@P0 EXIT", "EXIT"}),
                                   launch, world);
    ASSERT_TRUE(run.complete()) << run.error;
    EXPECT_EQ(run.counts[2].executed, 2u);
    EXPECT_EQ(run.counts[2].lanes, 48u);
    EXPECT_EQ(run.counts[2].lanes_on, 8u);
    EXPECT_EQ(run.counts[4].lanes, 40u);
}

}  // namespace
}  // namespace lanework
