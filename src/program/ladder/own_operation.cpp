// Operations whose functions ask a description and a reference.
#include "src/program/ladder/own_operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <lanework/error.hpp>
#include <numbers>
#include <numeric>
#include <utility>

#include "src/core/fill.hpp"
#include "src/core/own_ladders.hpp"
#include "src/program/ladder/own_inputs.hpp"

namespace lanework {
namespace {

using Slots = std::array<OwnOperation*, kMostOwnOperations>;
constinit Slots slots{};
constinit std::size_t used_slots = 0;

constexpr std::size_t kPatterns = std::size(kOwnInputs);

/// The plain functions of one slot.
template <std::size_t slot>
struct Functions {
    static std::vector<BufferSpec> buffers(const Problem& problem) { return slots[slot]->specs(problem); }
    static Work work(const Problem& problem) { return slots[slot]->work(problem); }
    static void fill(const Problem& problem, std::uint64_t seed, const Buffers& data) {
        slots[slot]->fill(problem, seed, data);
    }
    static Tolerance tolerance(const Problem& problem) { return slots[slot]->tolerance(problem); }
    template <std::size_t pattern>
    static void fill_hard(const Problem& problem, std::span<const BufferSpec>, const Buffers& data) {
        slots[slot]->fill_hard(pattern, problem, data);
    }
    using FillHard = decltype(Input::fill);
    template <std::size_t... pattern>
    static constexpr std::array<FillHard, kPatterns> all_patterns(std::index_sequence<pattern...>) {
        return {&fill_hard<pattern>...};
    }
};

struct FunctionTable {
    decltype(Operation::buffers) buffers;
    decltype(Operation::work) work;
    decltype(Operation::fill) fill;
    decltype(Operation::tolerance) tolerance;
    std::array<decltype(Input::fill), kPatterns> hard;
};

template <std::size_t... slot>
constexpr std::array<FunctionTable, kMostOwnOperations> all_slots(std::index_sequence<slot...>) {
    return {FunctionTable{&Functions<slot>::buffers, &Functions<slot>::work, &Functions<slot>::fill,
                          &Functions<slot>::tolerance,
                          Functions<slot>::all_patterns(std::make_index_sequence<kPatterns>())}...};
}
constexpr auto kTables = all_slots(std::make_index_sequence<kMostOwnOperations>());

double real_of(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

/// Element `index` of what a distribution draws.
double draw(const Distribution& distribution, double low, double high, std::uint64_t seed, std::uint64_t index) {
    using Kind = Distribution::Kind;
    const double first = real_of(random_bits(seed, 2 * index));
    switch (distribution.kind) {
        case Kind::uniform: return low + (high - low) * first;
        case Kind::integers: return std::floor(low + (high - low) * first);
        case Kind::normal: {  // Box and Muller 1958
            const double second = real_of(random_bits(seed, 2 * index + 1));
            return low + high * std::sqrt(-2 * std::log(1 - first)) * std::cos(2 * std::numbers::pi * second);
        }
        case Kind::constant:
        case Kind::permutation: break;
    }
    return low;
}

std::vector<double> permutation(std::size_t count, std::uint64_t seed) {
    std::vector<double> all(count);
    std::iota(all.begin(), all.end(), 0.0);
    for (std::size_t i = count; i > 1; --i) std::swap(all[i - 1], all[random_bits(seed, i) % i]);
    return all;
}

std::uint64_t wide_bits(DType dtype, double value) {
    return is_float(dtype) ? std::bit_cast<std::uint64_t>(value)
                           : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

}  // namespace

OwnOperation& OwnOperation::make(Description description) {
    if (used_slots == slots.size())
        throw UsageError(
            fmt::format("{} ladders of one's own at once are too many: {} can be named", used_slots + 1, slots.size()));
    // Constant data points into it: it is never destroyed.
    slots[used_slots] = new OwnOperation(std::move(description), used_slots);
    return *slots[used_slots++];
}

OwnOperation::OwnOperation(Description description, std::size_t slot)
    : description_(std::move(description)), reference_(python_reference(description_.reference)) {
    list_buffers();
    axes_.assign(description_.axes.begin(), description_.axes.end());
    for (const DType dtype : description_.types)
        types_.push_back({dtype,
                          [](const void* own, const Problem& problem, const Buffers& data) {
                              static_cast<const OwnOperation*>(own)->compute(problem, data);
                          },
                          [](const void* own, const Problem& problem, const Buffers& data, double* result) {
                              return static_cast<const OwnOperation*>(own)->magnitudes(problem, data, result);
                          }});
    const FunctionTable& table = kTables[slot];
    for (std::size_t i = 0; i < kPatterns; ++i)
        if (std::ranges::find(description_.hard_inputs, kOwnInputs[i].name) != description_.hard_inputs.end() &&
            // How far off an answer is, compare() does not say.
            !(kOwnInputs[i].name == kOffsetInput && reference_->defines("compare")))
            inputs_.push_back({kOwnInputs[i].name, kOwnInputs[i].values, table.hard[i], nullptr});
    operation_ = {.name = description_.name,
                  .summary = description_.summary,
                  .axes = axes_,
                  .variants = {},
                  .verified = description_.verified,
                  .timed = {.cuda = description_.timed_on_gpu, .simt = description_.timed, .cpu = description_.timed},
                  .buffers = table.buffers,
                  .work = table.work,
                  .fill = table.fill,
                  .tolerance = table.tolerance,
                  .types = types_,
                  .entry = this,
                  .exists = nullptr,
                  .usual = {},
                  .draw = nullptr,
                  .inputs = inputs_,
                  .tolerance_of_random = nullptr};
    if (has_comparison())
        adopt_comparison(operation_, [](const void* own, const Problem& problem, const Buffers& data) {
            return static_cast<const OwnOperation*>(own)->compare(problem, data);
        });
}

void OwnOperation::list_buffers() {
    for (const OwnArray& array : description_.arrays)
        if (array.use == OwnArray::Use::in) buffers_.push_back({&array, Role::input, array.name});
    for (const OwnArray& array : description_.arrays)
        if (array.use == OwnArray::Use::in_place) buffers_.push_back({&array, Role::input, array.name + " before"});
    for (const OwnArray& array : description_.arrays)
        if (array.use != OwnArray::Use::in) buffers_.push_back({&array, Role::output, array.name});
}

OwnOperation::OwnOperation(Description description, const Operation& compiled)
    : description_(std::move(description)), compiled_(&compiled) {
    for (const OwnArray& array : description_.arrays)
        buffers_.push_back({&array, array.use == OwnArray::Use::in ? Role::input : Role::output, array.name});
}

OwnOperation& OwnOperation::of(const Operation& operation, const std::filesystem::path& folder) {
    return *new OwnOperation(description_of(operation, folder), operation);
}

std::vector<std::int64_t> OwnOperation::shape(std::size_t i, const Problem& problem) const {
    if (compiled_) return {static_cast<std::int64_t>(compiled_->buffers(problem)[i].count)};
    const NamedValues values = description_.values(problem);
    std::vector<std::int64_t> lengths;
    for (const Expression& length : buffers_[i].array->lengths) lengths.push_back(length.whole(values));
    return lengths;
}

std::vector<BufferSpec> OwnOperation::specs(const Problem& problem) const {
    std::vector<BufferSpec> specs;
    for (const OwnBuffer& buffer : buffers_)
        specs.push_back({.name = buffer.name,
                         .role = buffer.role,
                         .dtype = description_.dtype_of(*buffer.array, problem.dtype),
                         .count = description_.count(*buffer.array, problem)});
    return specs;
}

Work OwnOperation::work(const Problem& problem) const {
    const NamedValues values = description_.values(problem);
    Work work = work_of(specs(problem));
    const auto stated = [&](const std::optional<Expression>& expression, std::uint64_t& figure) {
        if (expression) figure = static_cast<std::uint64_t>(std::max(0.0, expression->value(values)));
    };
    stated(description_.bytes_read, work.bytes_read);
    stated(description_.bytes_written, work.bytes_written);
    stated(description_.flops, work.flops);
    return work;
}

std::vector<WideArray> OwnOperation::shapes(Role role, const Problem& problem) const {
    const NamedValues values = description_.values(problem);
    std::vector<WideArray> result;
    for (const OwnBuffer& buffer : buffers_) {
        if (buffer.role != role) continue;
        WideArray array{.name = buffer.array->name,
                        .shape = {},
                        .real = is_float(description_.dtype_of(*buffer.array, problem.dtype)),
                        .elements = {}};
        for (const Expression& length : buffer.array->lengths) array.shape.push_back(length.whole(values));
        result.push_back(std::move(array));
    }
    return result;
}

std::vector<WideArray> OwnOperation::wide(Role role, const Problem& problem, const Buffers& data) const {
    std::vector<WideArray> result = shapes(role, problem);
    auto next = result.begin();
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].role != role) continue;
        next->elements = widen(description_.dtype_of(*buffers_[i].array, problem.dtype), data.data[i], next->count());
        if (buffers_[i].array->signed_bytes)
            for (std::uint64_t& each : next->elements)
                each = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(each)});
        ++next;
    }
    return result;
}

void OwnOperation::fill(const Problem& problem, std::uint64_t seed, const Buffers& data) const {
    const NamedValues values = description_.values(problem);
    std::vector<WideArray> arrays = shapes(Role::input, problem);
    for (std::size_t i = 0, input = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].role != Role::input) continue;
        const OwnArray& array = *buffers_[i].array;
        const Distribution& random = array.random;
        const DType dtype = description_.dtype_of(array, problem.dtype);
        const double low = random.low ? random.low->value(values) : 0,
                     high = random.high ? random.high->value(values) : 0;
        const std::uint64_t own_seed = random_bits(seed, i);
        const std::size_t count = arrays[input].count();
        std::vector<std::uint64_t>& elements = arrays[input++].elements;
        elements.resize(count);
        if (random.kind == Distribution::Kind::permutation) {
            const std::vector<double> drawn = permutation(count, own_seed);
            for (std::size_t at = 0; at < count; ++at) elements[at] = wide_bits(dtype, drawn[at]);
        } else {
            for (std::size_t at = 0; at < count; ++at)
                elements[at] = wide_bits(dtype, draw(random, low, high, own_seed, at));
        }
    }
    if (reference_->defines("inputs")) {
        // What it does not give stays as it was drawn.
        std::vector<WideArray> made = shapes(Role::input, problem);
        NamedValues scalars = values;
        scalars["seed"] = static_cast<double>(random_bits(seed, 0) >> 11);
        call("inputs", problem, {}, scalars, made);
        for (std::size_t i = 0; i < made.size(); ++i)
            if (!made[i].elements.empty()) arrays[i].elements = std::move(made[i].elements);
    }
    for (std::size_t i = 0, input = 0; i < buffers_.size(); ++i)
        if (buffers_[i].role == Role::input)
            narrow(description_.dtype_of(*buffers_[i].array, problem.dtype), arrays[input++].elements, data.data[i]);
}

void OwnOperation::call(std::string_view function, const Problem& problem, const std::vector<WideArray>& given,
                        const NamedValues& scalars, std::vector<WideArray>& results) const {
    try {
        reference_->call(function, given, scalars, results);
    } catch (const FileError& error) {
        throw FileError(fmt::format("{}, in the size {}", error.what(), description_.size_text(problem)));
    }
}

Tolerance OwnOperation::tolerance(const Problem& problem) const {
    const auto found = description_.tolerances.find(problem.dtype);
    Tolerance tolerance = found == description_.tolerances.end() ? Tolerance{} : found->second;
    tolerance.reason = description_.tolerance_reason;
    return tolerance;
}

void OwnOperation::fill_hard(std::size_t input, const Problem& problem, const Buffers& data) const {
    // Whole numbers stay as they were drawn: they may be indices.
    std::vector<BufferSpec> all = specs(problem);
    for (BufferSpec& spec : all)
        if (!is_float(spec.dtype)) spec.count = 0;
    kOwnInputs[input].fill(problem, all, data);
}

void OwnOperation::compute(const Problem& problem, const Buffers& data) const {
    std::vector<WideArray> results = shapes(Role::output, problem);
    call("reference", problem, wide(Role::input, problem, data), description_.values(problem), results);
    for (std::size_t i = 0, output = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].role != Role::output) continue;
        const WideArray& result = results[output++];
        if (result.elements.size() != result.count())
            throw FileError(fmt::format("{}: reference() gives no `{}`", description_.reference.string(), result.name));
        narrow(description_.dtype_of(*buffers_[i].array, problem.dtype), result.elements, data.data[i]);
    }
}

std::string OwnOperation::compare(const Problem& problem, const Buffers& data) const {
    // Inputs go by their names, what was found by "found_" and its name.
    std::vector<WideArray> given = wide(Role::input, problem, data);
    for (WideArray& array : wide(Role::output, problem, data)) {
        array.name = "found_" + array.name;
        given.push_back(std::move(array));
    }
    const std::string wrong = reference_->compare(given, description_.values(problem));
    return wrong.empty() ? wrong : "compare() says: " + wrong;
}

bool OwnOperation::magnitudes(const Problem& problem, const Buffers& data, double* result) const {
    if (!reference_->defines("magnitudes")) return false;
    std::vector<WideArray> first = shapes(Role::output, problem);
    first.resize(1);
    first.front().real = true;
    call("magnitudes", problem, wide(Role::input, problem, data), description_.values(problem), first);
    if (first.front().elements.size() != first.front().count())
        throw FileError(fmt::format("{}: magnitudes() gives nothing", description_.reference.string()));
    std::memcpy(result, first.front().elements.data(), first.front().count() * sizeof(double));
    return true;
}

}  // namespace lanework
