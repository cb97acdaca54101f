// Running a rung under watch. Arrays travel in chunks, so that large ones need no second copy on the host.
#include "src/measure/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/in_parts.hpp"
#include "src/core/own_ladders.hpp"
#include "src/cuda/nvtx_range.hpp"
#include "src/measure/compare.hpp"

namespace lanework {
namespace {

constexpr std::size_t kChunk = std::size_t{16} << 20;  // bytes; a multiple of every element's size
constexpr std::uint64_t kEveryByteOdd = 0x0101010101010101;

// Random bytes that differ from the right ones in every byte, whatever those are: nothing unwritten passes for right.
void poison(const std::byte* right, std::byte* poisoned, std::size_t offset, std::size_t bytes, std::uint64_t seed) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    constexpr std::int64_t kWorthAThread = 1 << 17;  // words
    in_parts(static_cast<std::int64_t>((bytes + kWord - 1) / kWord), kWorthAThread,
             [=](std::int64_t begin, std::int64_t end) {
                 for (std::size_t at = static_cast<std::size_t>(begin) * kWord,
                                  last = static_cast<std::size_t>(end) * kWord;
                      at < last; at += kWord) {
                     std::uint64_t word = 0;
                     const std::size_t size = std::min(kWord, bytes - at);
                     std::memcpy(&word, right + at, size);
                     word ^= random_bits(seed, (offset + at) / kWord) | kEveryByteOdd;
                     std::memcpy(poisoned + at, &word, size);
                 }
             });
}

// Calls visit(offset, bytes) for every chunk of an array.
template <class Visit>
void for_each_chunk(std::size_t bytes, Visit visit) {
    for (std::size_t offset = 0; offset < bytes; offset += kChunk) visit(offset, std::min(kChunk, bytes - offset));
}

void upload_poison(Device& device, const std::byte* right, void* data, std::size_t bytes, std::uint64_t seed) {
    std::vector<std::byte> chunk(std::min(bytes, kChunk));
    for_each_chunk(bytes, [&](std::size_t offset, std::size_t size) {
        poison(right + offset, chunk.data(), offset, size, seed);
        device.upload(static_cast<std::byte*>(data) + offset, chunk.data(), size);
    });
}

// Whether element `index` on the device still holds its poison.
bool unwritten(Device& device, const Expected& expected, std::size_t array, const void* data, std::size_t index,
               std::uint64_t seed) {
    const std::size_t size = size_of(expected.specs()[array].dtype), at = index * size;
    const std::size_t word = at / sizeof(std::uint64_t) * sizeof(std::uint64_t);
    const std::size_t bytes = std::min(sizeof(std::uint64_t), expected.bytes(array) - word);
    std::byte poisoned[sizeof(std::uint64_t)], found[sizeof(std::uint64_t)];
    poison(expected.data(array) + word, poisoned, word, bytes, seed);
    device.download(found, static_cast<const std::byte*>(data) + at, size);
    return std::memcmp(found, poisoned + (at - word), size) == 0;
}

// Looks at what lies between the rows of a chunk that starts at byte `offset` of its array: it must still be the
// poison, where there was one. What is right is then put into its place in `found`, so that the rows alone are
// compared. Returns the first element that was written, or nothing.
std::optional<std::size_t> written_between_rows(const BufferSpec& spec, const std::byte* right, std::size_t offset,
                                                std::span<std::byte> found, std::uint64_t poison_seed) {
    if (spec.rows.pitch == 0) return {};
    std::optional<std::size_t> first;
    std::vector<std::byte> poisoned(found.size());
    poison(right + offset, poisoned.data(), offset, found.size(), poison_seed);
    const std::size_t size = size_of(spec.dtype);
    for (std::size_t at = 0; at < found.size(); at += size) {
        const std::size_t element = (offset + at) / size;
        if (spec.rows.hold(element)) continue;
        if (!first && poison_seed != 0 && std::memcmp(&found[at], &poisoned[at], size) != 0) first = element;
        std::memcpy(&found[at], right + offset + at, size);
    }
    return first;
}

// "out[-1] was written, before the start of `out`": `at` is a byte outside an array of `bytes` bytes.
std::string describe_breach(const BufferSpec& spec, std::ptrdiff_t at) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(spec.dtype));
    if (at < 0)
        return fmt::format("{}[{}] was written, before the start of `{}`", spec.name, (at + 1) / size - 1, spec.name);
    return fmt::format("{}[{}] was written, past the end of the {} elements of `{}`", spec.name, at / size,
                       grouped(spec.count), spec.name);
}

}  // namespace

std::string changed_input(Device& device, const Expected& expected, std::size_t array, const void* data) {
    Differences differences;
    const BufferSpec& spec = expected.specs()[array];
    const std::size_t size = size_of(spec.dtype);
    std::vector<std::byte> found(std::min(expected.bytes(array), kChunk));
    for_each_chunk(expected.bytes(array), [&](std::size_t offset, std::size_t bytes) {
        device.download(found.data(), static_cast<const std::byte*>(data) + offset, bytes);
        compare(spec.dtype, expected.data(array) + offset, found.data(), offset / size, bytes / size, {}, nullptr,
                differences);
    });
    if (differences.count == 0) return {};
    return fmt::format("the input `{}` was changed: {}[{}] is {} and was {} ({} of {} elements differ)", spec.name,
                       spec.name, differences.first, differences.found, differences.right, grouped(differences.count),
                       grouped(spec.count));
}

namespace {

// What differs in an output, in one line.
std::string describe_differences(Device& device, const Expected& expected, std::size_t array, const void* data,
                                 const Differences& differences, std::uint64_t poison_seed) {
    const BufferSpec& spec = expected.specs()[array];
    const std::string extent = fmt::format("{} of {} elements differ", grouped(differences.count), grouped(spec.count));
    if (poison_seed != 0 && unwritten(device, expected, array, data, differences.first, poison_seed))
        return fmt::format("{}[{}] was left unwritten where the reference has {} ({})", spec.name, differences.first,
                           differences.right, extent);
    return fmt::format("{}[{}] is {} where the reference has {} ({})", spec.name, differences.first, differences.found,
                       differences.right, extent);
}

OutputCheck check_output(Device& device, const Expected& expected, std::size_t array, const void* data,
                         const Tolerance& tolerance, std::uint64_t poison_seed) {
    Differences differences;
    std::optional<std::size_t> between;
    const BufferSpec& spec = expected.specs()[array];
    const std::size_t size = size_of(spec.dtype);
    std::vector<std::byte> found(std::min(expected.bytes(array), kChunk));
    for_each_chunk(expected.bytes(array), [&](std::size_t offset, std::size_t bytes) {
        device.download(found.data(), static_cast<const std::byte*>(data) + offset, bytes);
        const auto gap = written_between_rows(spec, expected.data(array), offset, {found.data(), bytes}, poison_seed);
        if (!between) between = gap;
        compare(spec.dtype, expected.data(array) + offset, found.data(), offset / size, bytes / size, tolerance,
                expected.magnitudes(array), differences);
    });
    if (between)
        return {expected.preamble() + fmt::format("{}[{}] was written, which lies between the rows of `{}`", spec.name,
                                                  *between, spec.name),
                {}};
    const std::optional<double> error = tolerance.exact() ? std::nullopt : differences.error();
    if (differences.count == 0) return {{}, error};
    return {expected.preamble() + describe_differences(device, expected, array, data, differences, poison_seed), error};
}

// What the operation itself says of the outputs.
OutputCheck ask_operation(Device& device, const Expected& expected, std::span<void* const> arrays,
                          OwnComparison compare) {
    std::vector<std::vector<std::byte>> found(arrays.size());
    std::vector<void*> addresses;
    for (std::size_t array = 0; array < arrays.size(); ++array) {
        if (expected.specs()[array].role == Role::input) {
            addresses.push_back(const_cast<std::byte*>(expected.data(array)));
            continue;
        }
        found[array].resize(expected.bytes(array));
        device.download(found[array].data(), arrays[array], found[array].size());
        addresses.push_back(found[array].data());
    }
    const std::string wrong = compare(expected.operation().entry, expected.problem(), Buffers{addresses});
    return {wrong.empty() ? std::string() : expected.preamble() + wrong, {}};
}

}  // namespace

OutputCheck check_outputs(Device& device, const Rung& rung, const Expected& expected, std::span<void* const> arrays,
                          std::uint64_t poison) {
    if (const OwnComparison own = own_comparison(expected.operation()))
        return ask_operation(device, expected, arrays, own);
    OutputCheck all;
    for (std::size_t array = 0; all.wrong.empty() && array < arrays.size(); ++array) {
        if (expected.specs()[array].role != Role::output) continue;
        OutputCheck one =
            check_output(device, expected, array, arrays[array], tolerance_of(rung, expected.tolerance(array)), poison);
        all.wrong = std::move(one.wrong);
        all.error = std::max(all.error, one.error);  // nothing is less than any error
    }
    return all;
}

Trial::Trial(Device& device, const Operation& operation, const Rung& rung, const Problem& problem)
    : device_(device), operation_(operation), rung_(rung), problem_(problem), specs_(operation.buffers(problem)) {
    for (const BufferSpec& spec : specs_)
        arrays_.emplace_back(device, spec.count * size_of(spec.dtype), memory_of(spec, rung));
    std::vector<void*> addresses;
    for (const GuardedArray& array : arrays_) addresses.push_back(array.data());
    if (const std::size_t bytes = BoundRung::workspace_bytes(rung, problem, addresses); bytes > 0)
        workspace_.emplace_back(device, bytes);
    bound_ = BoundRung(rung, problem, std::move(addresses), workspace_.empty() ? nullptr : workspace_.front().data(),
                       device.stream());
}

std::string Trial::run(const Expected& expected) {
    ++runs_;
    prepare(expected);
    launch();
    std::string wrong = breach();
    for (std::size_t array = 0; wrong.empty() && array < arrays_.size(); ++array)
        if (specs_[array].role == Role::input) wrong = changed_input(device_, expected, array, arrays_[array].data());
    if (!wrong.empty()) return wrong;
    std::vector<void*> addresses;
    for (const GuardedArray& array : arrays_) addresses.push_back(array.data());
    const OutputCheck check = check_outputs(device_, rung_, expected, addresses, runs_);
    error_ = std::max(error_, check.error);  // nothing is less than any error
    return check.wrong;
}

void Trial::prepare(const Expected& expected) {
    std::uint64_t band = runs_ << 8;
    for (std::size_t array = 0; array < arrays_.size(); ++array) {
        arrays_[array].arm(++band);
        if (specs_[array].role == Role::input)
            device_.upload(arrays_[array].data(), expected.data(array), arrays_[array].bytes());
        else
            upload_poison(device_, expected.data(array), arrays_[array].data(), arrays_[array].bytes(), runs_);
    }
    for (GuardedArray& workspace : workspace_) {
        workspace.arm(++band);
        std::vector<std::byte> noise(workspace.bytes());
        fill_uniform(reinterpret_cast<std::uint8_t*>(noise.data()), noise.size(), ++band);
        device_.upload(workspace.data(), noise.data(), noise.size());
    }
}

void Trial::launch() {
    const NvtxRange range(range_name(operation_, rung_, problem_));
    bound_.launch();
    device_.check_launch();
    device_.synchronize();
}

std::string Trial::breach() const {
    for (std::size_t array = 0; array < arrays_.size(); ++array)
        if (const auto at = arrays_[array].breach()) return describe_breach(specs_[array], *at);
    for (const GuardedArray& workspace : workspace_)
        if (const auto at = workspace.breach())
            return describe_breach({"workspace", Role::output, DType::uint8, workspace.bytes()}, *at);
    return {};
}

}  // namespace lanework
