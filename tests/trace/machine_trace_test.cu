// Launches whose machine code was recorded, traced and followed: what the code did beside what the source says.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "src/gpu/gpus.hpp"
#include "src/trace/record/machine_arguments.hpp"
#include "src/trace/record/machine_textures.hpp"
#include "src/trace/record/machine_variables.hpp"
#include "tests/sass/recorded/kernels.cu"
#include "tests/sass/recorded/whole_numbers.cu"
#include "tests/trace/recorded_launches.hpp"

namespace lanework {
namespace {

constexpr int kSide = 40;

KernelTrace product(const MachineCode& code) {
    std::vector<float> numbers(kSide * kSide);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 11) - 5;
    const UploadedArray<float> a(numbers), b(numbers), c(numbers);
    return followed(code, [&] { tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(a.data(), b.data(), c.data(), kSide); });
}

TEST(MachineTrace, CountsTheVectorsThatTheCompilerMadeOfNeighbours) {
    const MachineCode code = recorded();
    const KernelTrace trace = product(code);
    ASSERT_TRUE(trace.machine && trace.machine->known()) << (trace.machine ? trace.machine->reason : "");
    constexpr double kWarpTiles = 9 * 8 * 3;
    EXPECT_EQ(trace.counters().shared_loads.requests, kWarpTiles * 32);
    EXPECT_EQ(figure(trace, "smsp__sass_inst_executed_op_shared_ld.sum", Trust::exact), kWarpTiles * 20);
    // A vector that two rows of a warp read takes two passes.
    EXPECT_EQ(figure(trace, "memory_l1_wavefronts_shared", Trust::exact), kWarpTiles * (16 + 4 * 2 + 2));
    EXPECT_EQ(figure(trace, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", Trust::exact), 3 * (8 + 8 + 4));
    EXPECT_EQ(trace.machine->kernel->symbol, "tiled_product");
}

TEST(MachineTrace, LeavesFiguresAsWrittenWithoutCode) {
    const MachineCode none;
    const KernelTrace trace = product(none);
    ASSERT_TRUE(trace.machine);
    EXPECT_FALSE(trace.machine->known());
    EXPECT_NE(trace.machine->reason.find("no kernel of this name"), std::string::npos);
    EXPECT_EQ(figure(trace, "smsp__sass_inst_executed_op_shared_ld.sum", Trust::as_written), 9 * 8 * 3 * 32);
    EXPECT_EQ(figure(trace, "smsp__inst_executed.sum", Trust::unavailable), -1);
    EXPECT_EQ(figure(trace, "launch__grid_size", Trust::exact), 9);
}

TEST(MachineTrace, TakesForRoundingWhatIsRoundingOfTheNumbersAround) {
    // What all but cancels out among numbers of about 30.
    const auto likeness = [](auto code, auto source, auto around, Fractions fractions = Fractions::floats) {
        std::vector<decltype(code)> values(256, around);
        values[100] = code;
        const UploadedArray<decltype(code)> array(values);
        const MemorySnapshot left;
        EXPECT_EQ(cudaMemcpy(array.data() + 100, &source, sizeof source, cudaMemcpyHostToDevice), cudaSuccess);
        return left.likeness_to_memory(left, fractions);
    };
    using enum MemorySnapshot::Likeness;
    EXPECT_EQ(likeness(4.2285e-4f, 4.2432e-4f, 30.0f), rounded);
    EXPECT_EQ(likeness(4.2285e-4f, 4.2432e-4f, 0.01f), different) << "more than the last places of any number there";
    EXPECT_EQ(likeness(1.670e-31f, 1.669e-31f, 30.0f), rounded);
    EXPECT_EQ(likeness(4.2285e-4f, 5.3e-4f, 30.0f), different);
    EXPECT_EQ(likeness(100, 150, 0), different) << "an integer";
    EXPECT_EQ(likeness(100, 150, 1 << 20), different);
    EXPECT_EQ(likeness(std::bit_cast<float>(5), std::bit_cast<float>(7), 30.0f), different) << "an integer";
    const auto pair = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    EXPECT_EQ(likeness(pair(0x3C003C00), pair(0x40004000), pair(0x56405640), Fractions::narrow), different)
        << "halves, of which the largest look like floats of 10^13";
}

TEST(MachineTrace, DoesNotBelieveCodeThatComputesSomethingElse) {
    MachineCode code = recorded();
    const auto kernel = std::ranges::find(code.kernels, "tiled_product", &MachineKernel::symbol);
    const auto store = std::ranges::find(kernel->instructions, "STG.E", &MachineInstruction::name);
    store->operands = store->operands.substr(0, store->operands.find(',')) + ", RZ";
    const KernelTrace trace = product(code);
    ASSERT_TRUE(trace.machine);
    EXPECT_NE(trace.machine->reason.find("other results"), std::string::npos);
    EXPECT_EQ(figure(trace, "smsp__sass_inst_executed_op_shared_ld.sum", Trust::as_written), 9 * 8 * 3 * 32);
}

TEST(MachineTrace, DoesNotBelieveAnInstanceBesideOneThatCouldNotBeFollowed) {
    MachineCode code = recorded();
    const auto kernel = std::ranges::find(code.kernels, "tiled_product", &MachineKernel::symbol);
    MachineKernel other = *kernel;
    other.instructions.front().name = "XYZZY";
    code.kernels.push_back(other);
    const KernelTrace trace = product(code);
    ASSERT_TRUE(trace.machine);
    EXPECT_FALSE(trace.machine->known()) << "the other may be the one that was launched";
    EXPECT_EQ(figure(trace, "smsp__sass_inst_executed_op_shared_ld.sum", Trust::as_written), 9 * 8 * 3 * 32);
}

TEST(MachineTrace, LeavesInstancesAsideThatTakeOtherArguments) {
    MachineCode code = recorded();
    MachineKernel other = *std::ranges::find(code.kernels, "tiled_product", &MachineKernel::symbol);
    other.instructions.front().name = "XYZZY";
    other.parameters.back().bytes = 88;
    code.kernels.insert(code.kernels.begin(), other);
    const KernelTrace trace = product(code);
    ASSERT_TRUE(trace.machine && trace.machine->known()) << (trace.machine ? trace.machine->reason : "");
}

TEST(MachineTrace, TakesSharedMemoryOfTheMachineCode) {
    const KernelTrace with = product(recorded()), without = product({});
    EXPECT_EQ(figure(with, "launch__shared_mem_per_block_static", Trust::exact), 2 * 16 * 16 * 4);
    EXPECT_EQ(figure(without, "launch__shared_mem_per_block_static", Trust::as_written), 2 * 16 * 16 * 4);
}

using Likeness = MemorySnapshot::Likeness;

template <class T>
Likeness likeness(T was, T is, Fractions fractions) {
    const UploadedArray<T> numbers({was, was, was});
    const MemorySnapshot before;
    EXPECT_EQ(cudaMemcpy(numbers.data(), &is, sizeof is, cudaMemcpyHostToDevice), cudaSuccess);
    return before.likeness_to_memory(before, fractions);
}

TEST(MemorySnapshot, TakesNeighbouringNumbersForEqualOnlyWhereResultsAreRounded) {
    using enum Fractions;
    EXPECT_EQ(likeness(7, 7, none), Likeness::equal);
    EXPECT_EQ(likeness(7, 8, narrow), Likeness::rounded) << "a rounded byte, or the last place of a half";
    EXPECT_EQ(likeness(7, 8, none), Likeness::different) << "a count that is wrong by one";
    EXPECT_EQ(likeness(1.0, 1.0 + 1e-12, wide), Likeness::rounded);
    EXPECT_EQ(likeness(0.0, 6e-17, wide), Likeness::rounded) << "what is left of a difference";
    EXPECT_EQ(likeness(1.0f, 1.0001f, narrow), Likeness::rounded);
    EXPECT_EQ(likeness(1.0f, 1.1f, narrow), Likeness::different) << "with the next one in the last places of a double";
    EXPECT_EQ(likeness(1.0f, 1.1f, wide), Likeness::different);
    EXPECT_EQ(likeness(10000000, 20000000, narrow), Likeness::different) << "tiny, read as floats";
    EXPECT_EQ(likeness(10000000ll << 32, 20000000ll << 32, wide), Likeness::different) << "tiny, read as doubles";
}

TEST(MemorySnapshot, DoubtsWhatDiffersBehindTheLastWholeWord) {
    const std::uint16_t one = 0x3C00, rounded = 0x3C01;
    const auto differing = [&](std::size_t count, std::size_t at) {
        const UploadedArray<std::uint16_t> halves(std::vector(count, one));
        const MemorySnapshot before;
        EXPECT_EQ(cudaMemcpy(halves.data() + at, &rounded, sizeof rounded, cudaMemcpyHostToDevice), cudaSuccess);
        DoubtfulMemory ends;
        const auto words = before.what_memory_differs_in(before, Fractions::narrow, 1, ends);
        EXPECT_TRUE(words);
        const auto base = reinterpret_cast<std::uint64_t>(halves.data());
        return std::pair(words ? words->size() : 0, ends.why(base, count * sizeof one));
    };
    EXPECT_EQ(differing(7, 6), std::pair(std::size_t{0}, unsigned{DoubtfulMemory::rounding}));
    EXPECT_EQ(differing(7, 5), std::pair(std::size_t{1}, 0u));
    EXPECT_EQ(differing(8, 7), std::pair(std::size_t{1}, 0u));
}

TEST(MemorySnapshot, SaysWhichNumbersAllButCancelledOut) {
    const auto why = [](auto was, auto is, Fractions fractions) {
        const UploadedArray<decltype(was)> numbers({was, 1});
        const MemorySnapshot before;
        EXPECT_EQ(cudaMemcpy(numbers.data(), &is, sizeof is, cudaMemcpyHostToDevice), cudaSuccess);
        DoubtfulMemory ends;
        const auto words = before.what_memory_differs_in(before, fractions, 2, ends);
        unsigned all = 0;
        if (words)
            for (const CarriedWord& word : *words) all |= word.why;
        return all;
    };
    constexpr unsigned kRounded = DoubtfulMemory::rounding, kCancelled = kRounded | DoubtfulMemory::size;
    EXPECT_EQ(why(3e-8f, 0.0f, Fractions::floats), kCancelled);
    EXPECT_EQ(why(3e-8f, 4e-8f, Fractions::floats), kCancelled);
    EXPECT_EQ(why(3.0f, 3.001f, Fractions::floats), kRounded);
    EXPECT_EQ(why(3e-8f, 3.0001e-8f, Fractions::floats), kRounded);
    EXPECT_EQ(why(6e-17, 0.0, Fractions::wide), kCancelled);
    EXPECT_EQ(why(1.0, 1.0 + 1e-12, Fractions::wide), kRounded);
    const std::uint32_t halves = 0x3C002E66;
    EXPECT_EQ(why(halves, halves + 0x10000, Fractions::narrow), kRounded) << "the last place of a half";
}

TEST(MemorySnapshot, ForgivesWordsThatAnotherRunChangesAsMuch) {
    const auto left = [](float settled, float varied, float now) {
        const UploadedArray<float> numbers({0, 0, 1});
        const MemorySnapshot before;
        MemorySnapshot mine = before, other = before;
        const auto at = reinterpret_cast<std::uint64_t>(numbers.data());
        std::memcpy(mine.at(at).data(), &settled, sizeof settled);
        std::memcpy(other.at(at).data(), &varied, sizeof varied);
        EXPECT_EQ(cudaMemcpy(numbers.data(), &now, sizeof now, cudaMemcpyHostToDevice), cudaSuccess);
        std::vector<MemorySnapshot::Word> words = mine.different_words(before, Fractions::narrow);
        mine.remove_unsettled(words, other, Fractions::narrow);
        return words.size();
    };
    EXPECT_EQ(left(1.0f, 1.0f, 1.1f), 1u) << "it does not hang on what was varied";
    EXPECT_EQ(left(1.0f, 1.05f, 1.1f), 0u);
    EXPECT_EQ(left(1.0f, 1.0001f, 1.1f), 1u) << "and not so much";
    EXPECT_EQ(left(1.0f, 1.0f, 1.0f), 0u) << "it is the same";
}

TEST(MachineTrace, FollowsCodeWhoseResultsAreAllRounding) {
    // x·y - x·y in pairs: 0 where each product is rounded, and a rounding error where it is not.
    std::vector<float> a(kSide * kSide), b(kSide * kSide);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t row = i / kSide, column = i % kSide;
        a[i] = (column % 2 == 0 ? 1.0f : -1.0f) * (1234.567f + static_cast<float>(row));
        b[i] = 3456.789f + static_cast<float>(column);
    }
    const MachineCode code = recorded();
    const UploadedArray<float> left(a), right(b), out(a);
    const KernelTrace trace = followed(
        code, [&] { tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left.data(), right.data(), out.data(), kSide); });
    ASSERT_TRUE(trace.machine && trace.machine->known()) << (trace.machine ? trace.machine->reason : "");
    EXPECT_TRUE(trace.machine->rounded);
    EXPECT_FALSE(trace.machine->varied.empty());
    EXPECT_EQ(figure(trace, "smsp__sass_inst_executed_op_shared_ld.sum", Trust::exact), 9 * 8 * 3 * 20);
}

TEST(MachineTrace, IsExactWhereNeitherOrderNorRoundingMatters) {
    MetricInputs inputs;
    inputs.of_machine_code = inputs.waits = true;
    inputs.counters.global_loads.requests = 7;
    inputs.counters.global_stores.requests = 3;
    const Metric& loads = *find_metric("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    const Metric& stores = *find_metric("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
    EXPECT_EQ(loads.trust_of(inputs), Trust::modelled) << "nobody tried";
    std::vector<KernelCounters> varied(2, inputs.counters);
    varied[1].global_loads.requests = 8;
    inputs.varied = varied;
    EXPECT_EQ(loads.trust_of(inputs), Trust::modelled);
    EXPECT_EQ(stores.trust_of(inputs), Trust::exact);
    inputs.varied = {};
    inputs.counters.global_stores.requests = 0;
    EXPECT_EQ(stores.trust_of(inputs), Trust::modelled);
    KernelCounters countable;
    countable.global_loads.requests = 1;
    inputs.countable = countable;
    EXPECT_EQ(loads.trust_of(inputs), Trust::modelled);
    EXPECT_EQ(stores.trust_of(inputs), Trust::exact) << "the code has no stores";
}

TEST(MachineTrace, ModelsPassesWhereAtomicsOfSharedMemoryCollide) {
    MetricInputs inputs;
    inputs.of_machine_code = true;
    inputs.counters.shared_atomics.requests = inputs.counters.shared_atomics.wavefronts = 4;
    const Metric& passes = *find_metric("memory_l1_wavefronts_shared");
    EXPECT_EQ(passes.trust_of(inputs), Trust::exact);
    inputs.counters.shared_atomics.most_lanes_per_address = 2;
    EXPECT_EQ(passes.trust_of(inputs), Trust::modelled) << "lanes at one word";
    inputs.counters.shared_atomics.most_lanes_per_address = 1;
    inputs.counters.shared_atomics.wavefronts = 5;
    EXPECT_EQ(passes.trust_of(inputs), Trust::modelled);
    EXPECT_NE(passes.reason_of(inputs).find("collide"), std::string_view::npos);
}

TEST(MachineTrace, ModelsPassesWhereSharedWordsOfEightBytesAreSwapped) {
    // An H100 counts two passes for each compare-and-swap of 8 bytes by one lane: a sample program's sum of doubles.
    const auto trust = [](unsigned bytes, Space space, std::string_view metric) {
        MachineTrace machine;
        MachineKernel kernel;
        kernel.registers = 32;
        kernel.instructions.resize(1);
        kernel.instructions[0].name = "ATOMS.CAS.SPIN.64";
        machine.kernel = std::make_shared<const MachineKernel>(kernel);
        machine.counts = {{.executed = 1}};
        machine.sites.resize(1);
        Site& site = machine.sites[0].site;
        site.kind = EventKind::atomic;
        site.space = space;
        site.bytes = bytes;
        site.shared = {.requests = 1, .wavefronts = 1, .ideal_wavefronts = 1, .most_lanes_per_address = 1};
        Explanation explanation;
        explanation.kernels.emplace_back().machine = std::make_shared<const MachineTrace>(machine);
        const Gpu& gpu = parse_gpu("h100");
        return find_metric(metric)->trust_of(metric_inputs(explanation, explanation.kernels[0], gpu.limits()));
    };
    for (const char* metric : {"memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"}) {
        EXPECT_EQ(trust(8, Space::shared, metric), Trust::modelled) << metric;
        EXPECT_EQ(trust(4, Space::shared, metric), Trust::exact) << metric;
        EXPECT_EQ(trust(8, Space::global, metric), Trust::exact) << metric;
    }
}

TEST(MachineTrace, ModelsSectorsOfAtomicsWhereLanesShareOne) {
    MetricInputs inputs;
    inputs.of_machine_code = true;
    inputs.counters.global_atomics = {.requests = 2, .sectors = 2, .lanes = 33, .served_sectors = 33};
    const Metric& sectors = *find_metric("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum");
    EXPECT_EQ(sectors.trust_of(inputs), Trust::exact);
    EXPECT_EQ(predicted(sectors, inputs), 33) << "a lane after the other at one address";
    inputs.counters.global_atomics.unclear = 1;
    EXPECT_EQ(sectors.trust_of(inputs), Trust::modelled);
}

TEST(MachineTrace, CountsAJumpByATableForEachPlaceBeyondTheFirst) {
    MachineKernel kernel;
    kernel.instructions.resize(1);
    kernel.instructions[0].name = "BRX";
    MachineTrace trace;
    trace.kernel = std::make_shared<const MachineKernel>(kernel);
    trace.counts = {{.executed = 10, .lanes = 320, .lanes_on = 320, .divergent = 4, .parted = 9}};
    const KernelCounters counters = sum(trace);
    EXPECT_EQ(counters.branch.divergent, 9u);
    EXPECT_EQ(counters.branch.branches - counters.branch.divergent, 6u) << "those that stayed together";
}

/// A product of matrices, whose sums the machine code fuses, and then a kernel that compares fractions.
class RoundedBefore : public ::testing::Test {
protected:
    RoundedBefore() : out_(left_), copied_(left_) {
        for (std::size_t i = 0; i < left_.size(); ++i) {
            left_[i] = 1234.567f + static_cast<float>(i);
            right_[i] = 3456.789f - static_cast<float>(i);
        }
    }
    enum class Product { traced, untraced };
    /// The launch that compares `numerators`, after `between` was called.
    template <class Between>
    std::shared_ptr<const MachineTrace> compared(const float* numerators, Product product, Between between) {
        const UploadedArray<float> left(left_), right(right_);
        const UploadedArray<double> results(std::vector<double>(8 * left_.size()));
        Tracer tracer({}, {.wants = [&](const lanework_simt::Launch& launch) {
                          return product != Product::untraced ||
                                 std::string_view(launch.kernel).find("numbers") != std::string_view::npos;
                      }});
        tracer.follow({&code_, 1});
        tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left.data(), right.data(), out_.data(), kSide);
        between();
        numbers<<<1, 32>>>(numerators ? numerators : left.data(), right.data(), results.data(), 32);
        const auto machine = tracer.take_launches().back().machine;
        EXPECT_TRUE(machine && machine->known()) << (machine ? machine->reason : "");
        return machine;
    }

    const MachineCode code_ = recorded();
    std::vector<float> left_ = std::vector<float>(kSide * kSide), right_ = left_;
    const UploadedArray<float> out_, copied_;
};

TEST_F(RoundedBefore, IsCarriedToTheNextLaunchAsTheCodeLeftIt) {
    const std::size_t bytes = left_.size() * sizeof(float);
    const auto nothing = [] {};
    const auto copy = [&] { cudaMemcpy(copied_.data(), out_.data(), bytes, cudaMemcpyDeviceToDevice); };
    EXPECT_FALSE(compared(nullptr, Product::traced, copy)->doubtful) << "what the host brought is what it is";
    EXPECT_FALSE(compared(out_.data(), Product::traced, nothing)->doubtful);
    EXPECT_FALSE(compared(copied_.data(), Product::traced, copy)->doubtful) << "the copy is what was copied";
}

TEST_F(RoundedBefore, DecidesAsOnAGpuThatHasOtherNumbers) {
    // Each sum is 0, and what the code does not round of its second product.
    const float a = 1.1f, b = 1.3f;
    std::vector<float> rows(left_.size()), columns(left_.size());
    for (std::size_t i = 0; i < kSide; ++i) {
        rows[kSide * i] = 1;
        rows[kSide * i + 1] = a;
        columns[i] = -(a * b);
        columns[kSide + i] = b;
    }
    const UploadedArray<float> left(rows), right(columns), ones(std::vector<float>(left_.size(), 1));
    const UploadedArray<double> results(std::vector<double>(8 * left_.size()));
    enum class Divisors { as_left, copied, by_host };
    const auto divided = [&](Divisors divisors) {
        Tracer tracer;
        tracer.follow({&code_, 1});
        tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left.data(), right.data(), out_.data(), kSide);
        const std::vector<float> zeros(left_.size());
        const std::size_t bytes = zeros.size() * sizeof(float);
        const bool copied = divisors == Divisors::copied;
        if (divisors == Divisors::by_host) cudaMemcpy(out_.data(), zeros.data(), bytes, cudaMemcpyHostToDevice);
        if (copied) cudaMemcpy(copied_.data(), out_.data(), bytes, cudaMemcpyDeviceToDevice);
        numbers<<<1, 32>>>(ones.data(), (copied ? copied_ : out_).data(), results.data(), 32);
        return tracer.take_launches().back();
    };
    const KernelTrace by_rounding = divided(Divisors::as_left), by_copy = divided(Divisors::copied),
                      by_zero = divided(Divisors::by_host);
    for (const KernelTrace* each : {&by_rounding, &by_copy, &by_zero}) {
        ASSERT_TRUE(each->machine && each->machine->known()) << (each->machine ? each->machine->reason : "");
        EXPECT_FALSE(each->machine->doubtful);
    }
    const char* const instructions = "smsp__inst_executed.sum";
    EXPECT_LT(figure(by_rounding, instructions, Trust::modelled), figure(by_zero, instructions, Trust::modelled))
        << "a quotient by 0 takes the long way";
    EXPECT_EQ(figure(by_copy, instructions, Trust::modelled), figure(by_rounding, instructions, Trust::modelled));
}

TEST_F(RoundedBefore, IsDoubtedOnceTheHostReadWhatIsAllRoundingError) {
    const auto host_reads = [&](std::size_t words) {
        return [this, words] {
            std::vector<float> read(words);
            cudaMemcpy(read.data(), out_.data(), words * sizeof(float), cudaMemcpyDeviceToHost);
        };
    };
    EXPECT_FALSE(compared(nullptr, Product::traced, host_reads(1))->doubtful) << "a last place";
    // x·y - x·y is 0 where the products are rounded, as a residual that the host compares with 0.
    for (std::size_t i = 0; i < left_.size(); ++i) {
        const std::size_t column = i % kSide;
        left_[i] = column > 1 ? 0 : column == 0 ? 1.1f : -1.1f;
        right_[i] = 1.3f;
    }
    EXPECT_TRUE(compared(nullptr, Product::traced, host_reads(1))->doubtful);
    EXPECT_FALSE(compared(nullptr, Product::traced, [] {})->doubtful) << "nobody read it";
    EXPECT_FALSE(compared(nullptr, Product::traced, host_reads(left_.size()))->doubtful)
        << "results, of which many are";
}

TEST_F(RoundedBefore, IsDoubtedWhereWhatTheCodeLeftIsNotKnown) {
    const std::size_t bytes = left_.size() * sizeof(float);
    const auto nothing = [] {};
    const auto doubted = compared(out_.data(), Product::untraced, nothing);
    EXPECT_TRUE(doubted->doubtful);
    EXPECT_EQ(doubted->varied.size(), 6u) << "one of them with comparisons turned round, two that fuse all products";
    EXPECT_TRUE(compared(copied_.data(), Product::traced,
                         [&] { cudaMemcpy(copied_.data(), out_.data(), bytes - 1, cudaMemcpyDeviceToDevice); })
                    ->doubtful)
        << "a part of a word";
    EXPECT_TRUE(compared(out_.data(), Product::traced, [&] { std::fill_n(out_.data(), left_.size(), 3.0f); })->doubtful)
        << "somebody wrote whom nobody saw";
}

TEST(MachineTrace, DoubtsAllThatALaunchMayHaveWrittenThatWasNotFollowed) {
    const MachineCode code = recorded();
    MachineCode unknown = code;
    std::ranges::find(unknown.kernels, "tiled_product", &MachineKernel::symbol)->instructions.front().name = "XYZZY";
    const std::vector<float> a(kSide * kSide, 3);
    const UploadedArray<float> left(a), right(a), out(a);
    const UploadedArray<double> results(std::vector<double>(8 * a.size()));
    const auto doubtful_after = [&](const MachineCode& read, bool traced) {
        Tracer tracer({}, {.wants = [&](const lanework_simt::Launch& launch) {
                          return traced || std::string_view(launch.kernel).find("numbers") != std::string_view::npos;
                      }});
        tracer.follow({&read, 1});
        tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left.data(), right.data(), out.data(), kSide);
        numbers<<<1, 32>>>(left.data(), right.data(), results.data(), 32);
        const KernelTrace trace = tracer.take_launches().back();
        return trace.machine && trace.machine->doubtful;
    };
    EXPECT_FALSE(doubtful_after(code, true));
    EXPECT_TRUE(doubtful_after(unknown, true));
    EXPECT_TRUE(doubtful_after(code, false)) << "nobody watched it";
}

TEST(MachineTrace, DoubtsNothingThatALaunchThatWasNotFollowedCannotName) {
    MachineCode unknown = recorded();
    std::ranges::find(unknown.kernels, "tiled_product", &MachineKernel::symbol)->instructions.front().name = "XYZZY";
    const std::vector<float> a(kSide * kSide, 3);
    const UploadedArray<float> left(a), right(a), out(a), apart(a);
    const UploadedArray<double> results(std::vector<double>(8 * a.size()));
    const auto doubtful_after = [&](int launches) {
        Tracer tracer({}, {.wants = [&, seen = 0](const lanework_simt::Launch& launch) mutable {
                          return ++seen == 1 ||
                                 std::string_view(launch.kernel).find("numbers") != std::string_view::npos;
                      }});
        tracer.follow({&unknown, 1});
        for (int i = 0; i < launches; ++i)
            tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(left.data(), right.data(), out.data(), kSide);
        numbers<<<1, 32>>>(apart.data(), apart.data(), results.data(), 32);
        const KernelTrace trace = tracer.take_launches().back();
        return trace.machine && trace.machine->doubtful;
    };
    EXPECT_FALSE(doubtful_after(1));
    EXPECT_FALSE(doubtful_after(2)) << "the second one is not traced";
    const float* const pointer = apart.data();
    cudaMemcpy(right.data(), &pointer, sizeof pointer, cudaMemcpyHostToDevice);
    EXPECT_TRUE(doubtful_after(1)) << "its memory leads there";
    EXPECT_TRUE(doubtful_after(2));
}

// Pointers that lie beside their array, bear marks, or that the launch itself wrote over.
TEST(MachineTrace, DoubtsWhatALaunchThatWasNotFollowedReachesByAnAddressBesideAnArray) {
    MachineCode unknown = recorded();
    std::ranges::find(unknown.kernels, "tiled_product", &MachineKernel::symbol)->instructions.front().name = "XYZZY";
    const std::vector<float> a(kSide * kSide, 3);
    const UploadedArray<float> left(a), right(a), out(a), apart(a);
    const UploadedArray<double> results(std::vector<double>(8 * a.size()));
    const auto doubtful_after = [&](const float* first, int side) {
        Tracer tracer;
        tracer.follow({&unknown, 1});
        tiled_product<<<dim3(3, 3), dim3(16, 16)>>>(first, right.data(), out.data(), side);
        numbers<<<1, 32>>>(apart.data(), apart.data(), results.data(), 32);
        const KernelTrace trace = tracer.take_launches().back();
        return trace.machine && trace.machine->doubtful;
    };
    // With a side of 0 nothing is accessed.
    EXPECT_FALSE(doubtful_after(left.data(), 0));
    EXPECT_TRUE(doubtful_after(apart.data() + a.size(), 0)) << "an end, from which it may count down";
    EXPECT_TRUE(doubtful_after(apart.data() - 1, 0)) << "an array that is counted from 1";
    EXPECT_TRUE(doubtful_after(apart.data() + (1 << 26), 0)) << "an address of no array";
    const auto marked = reinterpret_cast<std::uintptr_t>(apart.data()) | std::uintptr_t{1} << 60;
    EXPECT_TRUE(doubtful_after(reinterpret_cast<const float*>(marked), 0)) << "a mark in its upper bits";
    EXPECT_FALSE(doubtful_after(left.data(), kSide));
    const float* const pointer = apart.data();
    cudaMemcpy(out.data(), &pointer, sizeof pointer, cudaMemcpyHostToDevice);
    EXPECT_TRUE(doubtful_after(left.data(), kSide)) << "the product was stored where the pointer lay";
    EXPECT_FALSE(doubtful_after(left.data(), kSide)) << "it is gone";
}

TEST(MachineTrace, TellsWholeNumbersThatRoundingDecidesFromThoseOfTheOrderOfThreads) {
    constexpr int kAngles = 64;
    const MachineCode codes[] = {recorded(), recorded("whole_numbers")};
    std::vector<float> angles(kAngles);
    for (int i = 0; i < kAngles; ++i) angles[static_cast<std::size_t>(i)] = 0.02f * static_cast<float>(i + 1);
    const UploadedArray<float> in(angles);
    const UploadedArray<int> out(std::vector<int>(kAngles, 0)), count({0});
    const UploadedArray<double> results(std::vector<double>(8 * kAngles));
    enum class Waves { scaled, listed };
    // Of a launch whose numbers the host brought, after it read so many of the waves.
    const auto doubtful_after = [&](Waves waves, int read) {
        Tracer tracer;
        tracer.follow(codes);
        if (waves == Waves::scaled)
            scaled_waves<<<2, 32>>>(in.data(), out.data(), kAngles);
        else
            listed_waves<<<2, 32>>>(in.data(), out.data(), count.data(), kAngles);
        std::vector<int> host(kAngles);
        cudaMemcpy(host.data(), out.data(), static_cast<std::size_t>(read) * sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemset(count.data(), 0, sizeof(int));
        numbers<<<1, 32>>>(in.data(), in.data(), results.data(), 32);
        const std::vector<KernelTrace> launches = tracer.take_launches();
        for (const KernelTrace& each : launches)
            EXPECT_TRUE(each.machine && each.machine->known()) << (each.machine ? each.machine->reason : "");
        return launches.back().machine && launches.back().machine->doubtful;
    };
    EXPECT_FALSE(doubtful_after(Waves::scaled, kAngles)) << "results, all of them rounded";
    EXPECT_TRUE(doubtful_after(Waves::scaled, 1)) << "what the host may decide by";
    EXPECT_TRUE(doubtful_after(Waves::listed, kAngles));
}

TEST(MachineTrace, IsModelledWhereAtomicsSayWhereMemoryIsAccessed) {
    const KernelTrace trace = product(recorded());
    const auto drawn = [&](Space space, EventKind kind) {
        MachineTrace changed = *trace.machine;
        changed.drawn.resize(changed.counts.size());
        for (const MachineSite& each : changed.sites)
            changed.drawn[each.instruction] =
                changed.drawn[each.instruction] || (each.site.space == space && each.site.kind == kind);
        KernelTrace other = trace;
        other.machine = std::make_shared<const MachineTrace>(std::move(changed));
        return other;
    };
    const KernelTrace stores = drawn(Space::global, EventKind::store), tiles = drawn(Space::shared, EventKind::load);
    const auto unchanged = [&](const KernelTrace& other, const char* metric, Trust trust) {
        EXPECT_EQ(figure(other, metric, trust), figure(trace, metric, Trust::exact)) << metric;
    };
    for (const char* metric :
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "memory_l2_theoretical_sectors_global"}) {
        unchanged(stores, metric, Trust::modelled);
        unchanged(tiles, metric, Trust::exact);
    }
    unchanged(stores, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Trust::exact);
    unchanged(stores, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", Trust::exact);
    unchanged(stores, "memory_l1_wavefronts_shared", Trust::exact);
    unchanged(tiles, "memory_l1_wavefronts_shared", Trust::modelled);
}

TEST(MachineTrace, IsModelledWhereMemoryInDoubtSaysWhereMemoryIsAccessed) {
    const KernelTrace trace = product(recorded());
    const auto doubtful = [&](Space space, EventKind kind) {
        MachineTrace changed = *trace.machine;
        for (const MachineSite& each : changed.sites)
            if (each.site.space == space && each.site.kind == kind)
                changed.counts[each.instruction].doubtful_places = 1;
        KernelTrace other = trace;
        other.machine = std::make_shared<const MachineTrace>(std::move(changed));
        return other;
    };
    const KernelTrace loads = doubtful(Space::global, EventKind::load),
                      tiles = doubtful(Space::shared, EventKind::load);
    const auto unchanged = [&](const KernelTrace& other, const char* metric, Trust trust) {
        EXPECT_EQ(figure(other, metric, trust), figure(trace, metric, Trust::exact)) << metric;
    };
    unchanged(loads, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Trust::modelled);
    unchanged(loads, "memory_l2_theoretical_sectors_global", Trust::modelled);
    for (const char* metric :
         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "memory_l1_wavefronts_shared"})
        unchanged(loads, metric, Trust::exact);
    unchanged(tiles, "memory_l1_wavefronts_shared", Trust::modelled);
    unchanged(tiles, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Trust::exact);
}

TEST(MachineTrace, IsModelledWhereRoundingDecidesOrPassesAreNotCounted) {
    const KernelTrace trace = product(recorded());
    const auto with = [&](bool MachineTrace::*what) {
        MachineTrace changed = *trace.machine;
        changed.*what = true;
        KernelTrace other = trace;
        other.machine = std::make_shared<const MachineTrace>(std::move(changed));
        return other;
    };
    EXPECT_FALSE(trace.machine->rounded || trace.machine->copies || trace.machine->doubtful);
    EXPECT_EQ(figure(with(&MachineTrace::doubtful), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::modelled),
              figure(trace, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::exact));
    EXPECT_GT(figure(with(&MachineTrace::prints), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::modelled),
              0);
    EXPECT_GT(figure(with(&MachineTrace::prints), "memory_l1_wavefronts_shared", Trust::modelled), 0)
        << "what printing gives back may decide what is stored";
    const double passes = figure(trace, "memory_l1_wavefronts_shared", Trust::exact);
    const double loads = figure(trace, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::exact);
    EXPECT_EQ(figure(with(&MachineTrace::rounded), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::modelled),
              loads);
    EXPECT_EQ(figure(with(&MachineTrace::rounded), "launch__grid_size", Trust::exact), 9);
    EXPECT_EQ(figure(with(&MachineTrace::copies), "memory_l1_wavefronts_shared", Trust::modelled), passes);
    EXPECT_EQ(figure(with(&MachineTrace::copies), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Trust::exact),
              loads);
}

TEST(MachineTrace, HasTheRegistersThatAGpuGives) {
    KernelTrace trace = product(recorded());
    MachineTrace small = *trace.machine;
    auto kernel = std::make_shared<MachineKernel>(*small.kernel);
    kernel->registers = 9;
    small.kernel = kernel;
    trace.machine = std::make_shared<const MachineTrace>(std::move(small));
    EXPECT_EQ(figure(trace, "launch__registers_per_thread", Trust::exact), 16);
    kernel->registers = 33;
    EXPECT_EQ(figure(trace, "launch__registers_per_thread", Trust::exact), 33);
}

TEST(MachineTrace, FollowsShufflesAtomicsAndDivergence) {
    const MachineCode code = recorded();
    std::vector<int> numbers(384);
    std::iota(numbers.begin(), numbers.end(), 0);
    const UploadedArray<int> in(numbers), sum({0});
    const UploadedArray<unsigned long long> maximum({0});
    const KernelTrace trace =
        followed(code, [&] { sum_and_maximum<<<3, 128>>>(in.data(), 384, sum.data(), maximum.data()); });
    ASSERT_TRUE(trace.machine && trace.machine->known()) << (trace.machine ? trace.machine->reason : "");
    // Its 64-bit maximum in shared memory is a loop, whose turns depend on who comes first.
    EXPECT_TRUE(trace.machine->waits);
    EXPECT_EQ(figure(trace, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", Trust::exact), 6);
    EXPECT_GT(figure(trace, "smsp__sass_branch_targets_threads_divergent.sum", Trust::modelled), 0);
}

TEST(MachineTextures, AreThoseAmongTheArguments) {
    const UploadedArray<short> numbers({10, -20, 30, -40});
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = numbers.data();
    resource.res.linear.desc = cudaCreateChannelDesc<short>();
    resource.res.linear.sizeInBytes = 4 * sizeof(short);
    const cudaTextureDesc description{};
    cudaTextureObject_t object = 0;
    ASSERT_EQ(cudaCreateTextureObject(&object, &resource, &description, nullptr), cudaSuccess);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&object);
    const std::vector<KeptArgument> arguments = {{{bytes, bytes + sizeof object}, "unsigned long long"}};
    MachineTextures textures(arguments);
    MachineTexel texel;
    const auto low = static_cast<std::uint32_t>(object);
    EXPECT_TRUE(textures.fetch({low, MachineFetch::Shape::element, 3, {}}, texel));
    EXPECT_EQ(static_cast<std::int32_t>(texel.words[0]), -40) << "widened with its sign";
    EXPECT_TRUE(textures.fetch({low, MachineFetch::Shape::plane, 0, {2.5f, 0, 0}}, texel));
    EXPECT_EQ(texel.words[0], 30u);
    EXPECT_FALSE(texel.blended);
    EXPECT_FALSE(textures.fetch({low + 1, MachineFetch::Shape::element, 3, {}}, texel));
    EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
}

TEST(MachineVariables, AreThoseOfTheFileThatTheSymbolNames) {
    std::byte one{}, two{}, host{};
    const std::vector<lanework_simt::ModuleVariable> all = {{"_ZN12_GLOBAL__N_14bankE", &one, 1, "one.cu.cpp"},
                                                            {"_ZN12_GLOBAL__N_14bankE", &two, 1, "two.cu.cpp"},
                                                            {"_ZL4bank", &host, 1, "tmpxft_1_two.cudafe1.cpp"}};
    const auto named = [&](const std::string& file) {
        const std::string unit = "0_6_" + file + "_0";
        return variables_named(all, "_ZN22_INTERNAL_" + unit + "24_GLOBAL__N__" + unit + "4bankE");
    };
    ASSERT_EQ(named("two_cu").size(), 1u);
    EXPECT_EQ(named("two_cu").front().address, &two);
    EXPECT_EQ(named("six_cu").size(), 3u) << "which of them it is, is not known";
}

TEST(MachineArguments, AreConvertedAsTheCallConvertsThem) {
    EXPECT_EQ(parameter_types("_Z3sumPKfil"), (std::vector<std::string>{"float const*", "int", "long"}));
    EXPECT_TRUE(parameter_types("plain_name").empty());
    MachineKernel kernel;
    kernel.symbol = "_Z3sumPKfdl";
    kernel.parameters = {{0, 8}, {8, 8}, {16, 8}};
    const auto kept = [](auto value, const char* type) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        return KeptArgument{{bytes, bytes + sizeof value}, type};
    };
    const float* const pointer = nullptr;
    const LaidOutParameters laid = lay_out(kernel, {kept(pointer, "float*"), kept(1.5f, "float"), kept(-3, "int")});
    ASSERT_EQ(laid.error, "");
    double number = 0;
    long whole = 0;
    std::memcpy(&number, &laid.bytes[8], sizeof number);
    std::memcpy(&whole, &laid.bytes[16], sizeof whole);
    EXPECT_EQ(number, 1.5);
    EXPECT_EQ(whole, -3);
    EXPECT_NE(lay_out(kernel, {kept(pointer, "float*")}).error, "");
    EXPECT_NE(lay_out(kernel, {kept(pointer, "float*"), kept('a', "Odd"), kept(-3, "int")}).error, "");
}

struct Limits {
    int low, high;
};
struct Named {
    long name;
};
struct NamedLimits : Named, Limits {
    double more;
};

TEST(MachineArguments, AreCutToTheBaseThatTheKernelTakes) {
    const NamedLimits given{{7}, {3, 4}, 1.0};
    const auto* const bytes = reinterpret_cast<const std::byte*>(&given);
    const std::vector<KeptBase> bases = bases_of(typeid(NamedLimits));
    ASSERT_EQ(bases.size(), 2u);
    MachineKernel kernel;
    kernel.symbol = "_Z4keep6Limits";
    kernel.parameters = {{0, sizeof(Limits)}};
    KeptArgument argument{{bytes, bytes + sizeof given}, "NamedLimits", bases};
    for (KeptBase& base : argument.bases) base.type = base.type.substr(base.type.rfind(':') + 1);
    const LaidOutParameters laid = lay_out(kernel, {argument});
    ASSERT_EQ(laid.error, "");
    Limits taken{};
    std::memcpy(&taken, laid.bytes.data(), sizeof taken);
    EXPECT_EQ(taken.low, 3);
    EXPECT_EQ(taken.high, 4);
    kernel.symbol = "_Z4keep5Other";
    EXPECT_NE(lay_out(kernel, {argument}).error, "");
}

}  // namespace
}  // namespace lanework
