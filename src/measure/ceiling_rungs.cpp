// Measuring ceilings: the fastest cold run of the best rung of copy, read, write, transfer and fma.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/core/host.hpp"
#include "src/core/text.hpp"
#include "src/measure/ceiling_cache.hpp"
#include "src/measure/fastest.hpp"
#include "src/measure/sampler.hpp"

namespace lanework {
namespace {

// Bytes moved at each size: from one launch's overhead to the full bandwidth.
constexpr std::uint64_t kSmallest = std::uint64_t{4} << 10;
constexpr std::uint64_t kStep = 4;
constexpr std::uint64_t kLargestOnGpu = std::uint64_t{4} << 30;
constexpr std::uint64_t kLargestOnCpu = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargestOverLink = std::uint64_t{128} << 20;  // milliseconds: its start-up no longer shows
constexpr std::uint64_t kShareOfMemory = 8;  // the largest takes at most one of so many parts of it

// From this size on, a rung that was this many times slower than the best one is not tried on larger ones.
constexpr std::uint64_t kSettled = std::uint64_t{1} << 20;
constexpr double kHopeless = 1.5;

// Sizes beyond the needed ones are left out when one of copy, read and write would take longer than this in all: a
// large size takes about kStep times as long as the one before.
constexpr std::uint64_t kNeeded = std::uint64_t{16} << 20;
constexpr double kSecondsPerTransfer = 1.8;     // on a processor
constexpr double kSecondsPerTransferOnGpu = 8;  // most of them fill and upload random inputs
constexpr double kSecondsPerRung = 0.02;
constexpr double kLongRun = 4e-3;       // seconds of one run of multiply-adds…
constexpr double kMostLengthened = 64;  // …if this many times the timed elements suffice for it
constexpr double kSecondsToSharpen = 0.3;

struct Ceiling {
    const Operation& operation;
    std::vector<TransferPoint> Ceilings::*points;
    int bytes_per_word;  // moved
    std::string_view variant = {};
    std::uint64_t largest = kLargestOnGpu;
};

std::vector<Ceiling> memory_transfers() {
    return {{find_operation("copy"), &Ceilings::copy, 8},
            {find_operation("read"), &Ceilings::read, 4},
            {find_operation("write"), &Ceilings::write, 4}};
}

std::vector<Ceiling> link_transfers() {
    const Operation& transfer = find_operation("transfer");
    return {{transfer, &Ceilings::upload, 4, "upload", kLargestOverLink},
            {transfer, &Ceilings::download, 4, "download", kLargestOverLink}};
}

bool has_link(const Device& device) { return device.info().kind == DeviceKind::cuda; }

std::vector<Ceiling> transfers() {
    std::vector<Ceiling> all = memory_transfers();
    for (const Ceiling& ceiling : link_transfers()) all.push_back(ceiling);
    return all;
}

Problem problem_of(const Ceiling& ceiling, const Extents& extent) {
    const Operation& operation = ceiling.operation;
    return {extent, operation.default_dtype(),
            ceiling.variant.empty() ? std::uint8_t{0} : parse_variant(operation, ceiling.variant)};
}

// Whether a measurement is one of this ceiling's. Without a link, transfers are no ceiling of anything.
bool is_of(const Ceiling& ceiling, const Measurement& measurement) {
    return ceiling.operation.name == measurement.operation && ceiling.variant == measurement.variant;
}

std::vector<const Rung*> right_rungs(Device& device, const Ceiling& ceiling) {
    const Operation& operation = ceiling.operation;
    const Problem problem = problem_of(ceiling, operation.verified.back());
    std::vector<const Rung*> rungs = ladder(operation, device.info().kind);
    std::erase_if(rungs, [&](const Rung* rung) { return !computes_right(device, operation, *rung, problem); });
    return rungs;
}

// The fastest of the given rungs; those without hope for larger sizes are dropped from the list.
std::optional<TransferPoint> best_point(Device& device, const Ceiling& ceiling, std::vector<const Rung*>& rungs,
                                        std::uint64_t bytes, double seconds, References& references) {
    const auto words = std::max<std::uint64_t>(1, bytes / static_cast<std::uint64_t>(ceiling.bytes_per_word));
    const Problem problem = problem_of(ceiling, extents(words));
    std::vector<std::pair<double, const Rung*>> times;
    for (const Rung* rung : rungs)
        if (const auto time = fastest(device, ceiling.operation, *rung, problem, seconds, references))
            times.emplace_back(time->cold, rung);
    if (times.empty()) return std::nullopt;
    const double best = std::min_element(times.begin(), times.end())->first;
    if (bytes >= kSettled) {
        rungs.clear();
        for (const auto& [time, rung] : times)
            if (time <= kHopeless * best) rungs.push_back(rung);
    }
    return TransferPoint{words * static_cast<std::uint64_t>(ceiling.bytes_per_word), best};
}

std::uint64_t largest_size(const Device& device) {
    const std::uint64_t largest = device.info().kind == DeviceKind::cuda ? kLargestOnGpu : kLargestOnCpu;
    return std::max(kSmallest, std::min<std::uint64_t>(largest, device.info().memory_bytes / kShareOfMemory));
}

void measure_transfer(Device& device, const Ceiling& ceiling, Ceilings& ceilings, const CeilingOptions& options) {
    std::vector<const Rung*> rungs = right_rungs(device, ceiling);
    const double most = device.info().kind == DeviceKind::cuda ? kSecondsPerTransferOnGpu : kSecondsPerTransfer;
    const double start = steady_now();
    double taken = 0;
    const std::uint64_t largest = std::min(largest_size(device), ceiling.largest);
    for (std::uint64_t bytes = kSmallest; bytes <= largest; bytes *= kStep) {
        const double before = steady_now() - start;
        if (bytes > kNeeded && before + static_cast<double>(kStep) * taken > most) break;
        if (options.progress)
            options.progress(fmt::format("{} {}", ceiling.variant.empty() ? ceiling.operation.name : ceiling.variant,
                                         format_bytes(bytes)));
        References references;
        if (const auto point = best_point(device, ceiling, rungs, bytes, kSecondsPerRung, references))
            ceilings.*ceiling.points = with_point(std::move(ceilings.*ceiling.points), *point);
        taken = steady_now() - start - before;
    }
}

// Keeps the higher rate.
void raise_rate(std::vector<Ceilings::Rate>& rates, DType dtype, double flops_per_second) {
    for (Ceilings::Rate& rate : rates)
        if (rate.dtype == dtype) {
            rate.flops_per_second = std::max(rate.flops_per_second, flops_per_second);
            return;
        }
    rates.push_back({dtype, flops_per_second});
}

// What measures the rates of arithmetic, and where they are kept.
struct RateSource {
    std::string_view operation;
    std::vector<Ceilings::Rate> Ceilings::*rates;
};
constexpr RateSource kMultiplyAdds{"fma", &Ceilings::fma}, kMatrixProducts{"mma", &Ceilings::mma};
constexpr RateSource kRateSources[] = {kMultiplyAdds, kMatrixProducts};

// The problem with as many times more elements as make a run last long enough for its start and end not to show.
Problem lengthened(const Device& device, const Operation& operation, Problem problem, double seconds) {
    const double bytes = static_cast<double>(std::max<std::uint64_t>(1, operation.work(problem).bytes()));
    const double room = static_cast<double>(device.info().memory_bytes) / kShareOfMemory / bytes;
    const double factor = std::min({kLongRun / seconds, kMostLengthened, room});
    problem.extent.front() *= std::max<std::int64_t>(1, static_cast<std::int64_t>(factor));
    return problem;
}

// The highest rung of our own that computes the problem; null where none does.
const Rung* chosen_rung_if_any(const Operation& operation, DeviceKind kind, const Problem& problem) {
    const auto rungs = ladder(operation, kind);
    const bool any = std::any_of(rungs.begin(), rungs.end(),
                                 [&](const Rung* rung) { return !rung->library && refusal(*rung, problem).empty(); });
    return any ? &chosen_rung(operation, kind, problem) : nullptr;
}

// By the top rung: the lower ones, bound by latency, would take most of the time and never win.
void measure_rate(Device& device, Ceilings& ceilings, const RateSource& source, DType dtype, double seconds) {
    const Operation& operation = find_operation(source.operation);
    const auto sizes = operation.timed.on(device.info().kind);
    if (!operation.has(dtype) || sizes.empty()) return;
    Problem problem{sizes.front(), dtype};
    References references;
    const Rung* const rung = chosen_rung_if_any(operation, device.info().kind, problem);
    if (!rung || !computes_right(device, operation, *rung, problem)) return;
    for (const bool lengthen : {false, true}) {
        const auto time = fastest(device, operation, *rung, problem, seconds / 2, references);
        if (!time) return;
        raise_rate(ceilings.*source.rates, dtype, static_cast<double>(operation.work(problem).flops) / time->cold);
        if (!lengthen) problem = lengthened(device, operation, problem, time->cold);
    }
}

// On a GPU reading is at most as slow as copying the same number of bytes: a read that needs a second launch to zero
// its result must not set the limit of small problems. (A processor may well read more slowly than it copies: a core
// has few lines under way that it waits for, and streaming stores are none of them.)
void cap_read_by_copy(const Device& device, Ceilings& ceilings) {
    if (device.info().kind != DeviceKind::cuda) return;
    for (const TransferPoint& copy : ceilings.copy)
        for (TransferPoint& read : ceilings.read)
            if (read.bytes == copy.bytes) read.seconds = std::min(read.seconds, copy.seconds);
}

void measure_link(Device& device, Ceilings& ceilings, const CeilingOptions& options) {
    if (!has_link(device)) return;
    for (const Ceiling& ceiling : link_transfers()) measure_transfer(device, ceiling, ceilings, options);
}

// Of the devices here GPUs alone; on a processor `mma` is its definition, and no ceiling.
bool has_matrix_units(const Device& device) { return device.info().kind == DeviceKind::cuda; }
/// Whether a rung can measure them: before compute capability 8.0 none does.
bool multiplies_matrices(const Device& device) {
    const Operation& operation = find_operation(kMatrixProducts.operation);
    const Problem problem{operation.timed.cuda.front(), operation.default_dtype()};
    return has_matrix_units(device) && chosen_rung_if_any(operation, device.info().kind, problem) != nullptr;
}

Ceilings measure_ceilings(Device& device, const CeilingOptions& options) {
    Ceilings ceilings;
    ceilings.device = device.info().id;
    ceilings.fingerprint = device.info().fingerprint;
    ceilings.measured_at = utc_now();
    for (const Ceiling& ceiling : memory_transfers()) measure_transfer(device, ceiling, ceilings, options);
    cap_read_by_copy(device, ceilings);
    measure_link(device, ceilings, options);
    for (const RateSource& source : kRateSources) {
        if (source.operation == kMatrixProducts.operation && !has_matrix_units(device)) continue;
        for (const Operation::Typed& typed : find_operation(source.operation).types) {
            if (options.progress) options.progress(fmt::format("{} {}", source.operation, name_of(typed.dtype)));
            measure_rate(device, ceilings, source, typed.dtype, 5 * kSecondsPerRung);
        }
        auto& rates = ceilings.*source.rates;
        std::sort(rates.begin(), rates.end(),  // as they come back from the cache
                  [](const Ceilings::Rate& a, const Ceilings::Rate& b) { return a.dtype < b.dtype; });
    }
    return ceilings;
}

// Whether the limit of the work depends on a ceiling of moving bytes in memory: by the share of bytes written.
bool matters(const Ceiling& ceiling, const Work& work) {
    constexpr double kNegligible = 0.01;
    const double bytes = static_cast<double>(work.bytes_read + work.bytes_written);
    const double written = static_cast<double>(work.bytes_written) / bytes;
    if (ceiling.points == &Ceilings::read) return written < 0.5 - kNegligible;
    if (ceiling.points == &Ceilings::write) return written > 0.5 + kNegligible;
    return written > kNegligible && written < 1 - kNegligible;
}

void sharpen_transfer(Device& device, Ceilings& ceilings, const Ceiling& ceiling, std::uint64_t bytes) {
    std::vector<const Rung*> rungs = right_rungs(device, ceiling);
    References references;
    const std::uint64_t size = std::min({bytes, largest_size(device), ceiling.largest});
    if (const auto point = best_point(device, ceiling, rungs, size, kSecondsToSharpen, references))
        ceilings.*ceiling.points = with_faster_point(std::move(ceilings.*ceiling.points), *point);
}

void sharpen_memory(Device& device, Ceilings& ceilings, const Work& work) {
    for (const Ceiling& ceiling : memory_transfers())
        if (matters(ceiling, work)) sharpen_transfer(device, ceilings, ceiling, work.bytes_read + work.bytes_written);
    cap_read_by_copy(device, ceilings);
}

void sharpen_link(Device& device, Ceilings& ceilings, const Work& work) {
    for (const Ceiling& ceiling : link_transfers()) {
        const std::uint64_t bytes = ceiling.points == &Ceilings::upload ? work.bytes_uploaded : work.bytes_downloaded;
        if (bytes > 0) sharpen_transfer(device, ceilings, ceiling, bytes);
    }
}

// simt's kernels run on the processor: what bounds them is the cpu device's.
std::unique_ptr<Device> device_below(const Device& device) {
    return device.info().kind == DeviceKind::simt ? open_device("cpu") : nullptr;
}

}  // namespace

Ceilings ceilings(Device& device, const CeilingOptions& options) {
    const auto below = device_below(device);
    Device& measured = below ? *below : device;
    const auto file = ceiling_cache_file();
    if (!options.refresh)
        if (auto cached = load_ceilings(file, measured.info().fingerprint))
            if ((!has_link(measured) || !cached->upload.empty()) &&
                (!multiplies_matrices(measured) || !cached->mma.empty()))
                return *cached;
    Ceilings result = measure_ceilings(measured, options);
    store_ceilings(file, result);
    return result;
}

bool is_ceiling(const Measurement& measurement) {
    const auto all = transfers();
    return std::any_of(std::begin(kRateSources), std::end(kRateSources),
                       [&](const RateSource& source) { return source.operation == measurement.operation; }) ||
           std::any_of(all.begin(), all.end(), [&](const Ceiling& ceiling) { return is_of(ceiling, measurement); });
}

void raise(Ceilings& ceilings, const Measurement& measurement) {
    const double fastest = summarize(measurement.cold_s).minimum;
    if (!measurement.ok() || fastest <= 0) return;
    for (const Ceiling& ceiling : transfers())
        if (is_of(ceiling, measurement) && measurement.work.bytes() > 0 &&
            (ceiling.variant.empty() || ceilings.has_link()))
            ceilings.*ceiling.points =
                with_faster_point(std::move(ceilings.*ceiling.points), {measurement.work.bytes(), fastest});
    for (const RateSource& source : kRateSources)
        if (measurement.operation == source.operation &&
            (&source == &kRateSources[0] || !(ceilings.*source.rates).empty()))
            raise_rate(ceilings.*source.rates, measurement.problem.dtype,
                       static_cast<double>(measurement.work.flops) / fastest);
    store_ceilings(ceiling_cache_file(), ceilings);
}

void raise(Ceilings& ceilings, const Work& work, DType dtype, double seconds, Arithmetic arithmetic) {
    ceilings.raise_to(work, dtype, seconds, arithmetic);
    store_ceilings(ceiling_cache_file(), ceilings);
}

void sharpen(Device& device, Ceilings& ceilings, const Work& work, DType dtype, Arithmetic arithmetic) {
    const auto below = device_below(device);
    Device& measured = below ? *below : device;
    switch (ceilings.limit(work, dtype, arithmetic).bound) {
        case Bound::compute:
            measure_rate(measured, ceilings, kMultiplyAdds, plain_type(dtype), kSecondsToSharpen);
            if (arithmetic == Arithmetic::of_matrices && has_matrix_units(measured))
                measure_rate(measured, ceilings, kMatrixProducts, dtype == DType::float32 ? DType::bfloat16 : dtype,
                             kSecondsToSharpen);
            break;
        case Bound::memory: sharpen_memory(measured, ceilings, ceilings.as_done_here(work)); break;
        case Bound::link: sharpen_link(measured, ceilings, work); break;
    }
    store_ceilings(ceiling_cache_file(), ceilings);
}

}  // namespace lanework
