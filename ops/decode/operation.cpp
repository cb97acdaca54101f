// What decode is, which heads it is verified and timed on, and what it must cost at least.
#include "ops/decode/operation.hpp"

#include <cmath>
#include <lanework/error.hpp>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::int64_t kUsual[] = {80, 1};
constexpr std::string_view kVariants[] = {"v5", "v8"};
constexpr Extents kVerified[] = {extents(0, 80, 1), extents(1, 1, 1), extents(31, 2, 3), extents(33, 80, 2),
                                 extents(64, 3, 1), extents(257, 7, 3), extents(1000, 80, 1), extents(4, 1000, 1),
                                 extents(1026, 20, 2),
                                 // So many that rungs which choose by the amount of work choose otherwise.
                                 extents(65540, 3, 2), extents(43691, 2, 3), extents(8193, 90, 2)};
constexpr Extents kCuda[] = {extents(8400, 80, 64), extents(8400, 80, 1)};
constexpr Extents kSimt[] = {extents(8400, 80, 1)};
constexpr Extents kCpu[] = {extents(8400, 80, 16)};

std::size_t candidates(const Problem& p) {
    const auto of = p.lengths<DecodeAxes>();
    return static_cast<std::size_t>(of.candidates) * static_cast<std::size_t>(of.images);
}
std::size_t row(const Problem& p) {
    return (p.variant == 0 ? 5 : 4) + static_cast<std::size_t>(p.lengths<DecodeAxes>().classes);
}

/// Throws UsageError for candidates without a class, which have no best one.
std::vector<BufferSpec> buffers(const Problem& p) {
    if (p.lengths<DecodeAxes>().classes == 0) throw UsageError("decode: 0 classes; a candidate has one class at least");
    return {{"values", Role::input, DType::float32, candidates(p) * row(p)},
            {"boxes", Role::output, DType::float32, 4 * candidates(p)},
            {"scores", Role::output, DType::float32, candidates(p)},
            {"classes", Role::output, DType::int32, candidates(p)}};
}

/// Scores of few values, so that some are equal, some exactly the threshold's, and some are no numbers.
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const std::size_t numbers = candidates(p) * row(p),
                      n = static_cast<std::size_t>(p.lengths<DecodeAxes>().candidates);
    const auto [values] = b.arrays<float>();
    for (std::size_t i = 0; i < numbers; ++i) {
        const std::size_t column = p.variant == 0 ? i % row(p) : i / n % row(p);
        const std::uint64_t bits = random_bits(seed, i);
        float value = static_cast<float>(bits >> 40) * 0x1p-24F;
        if (column < 4)
            value *= 640;
        else if (bits % 4 == 0)
            value = static_cast<float>(bits >> 2 & 7) * 0.125F;
        else if (bits % 4096 == 1)
            value = std::numeric_limits<float>::quiet_NaN();
        values[i] = value;
    }
}

/// Equal scores, all of them at or beside the threshold, none that is a number, boxes beyond every float.
constexpr Input kInputs[] = {{"constant", "1.23", in_first_array<patterns::constant>},
                             {"alternating", "±1.23", in_first_array<patterns::alternating>},
                             {"ascending", "0, 1, 2, …", in_first_array<patterns::ascending>},
                             {"signed_zeros", "+0, −0, …", in_first_array<patterns::signed_zeros>},
                             {"subnormal", "below the smallest normal number", in_first_array<patterns::subnormal>},
                             {"large", "max/3", in_first_array<patterns::third_of_largest>},
                             {"extremes", "lowest, largest, …", in_first_array<patterns::extremes>},
                             {"infinite", "+∞, −∞, …", in_first_array<patterns::infinities>},
                             {"nan", "NaN", in_first_array<patterns::nans>}};

Extents draw(std::uint64_t seed) {
    const auto drawn = [&](std::uint64_t k, std::uint64_t end) {
        return static_cast<std::int64_t>((random_bits(seed, k) >> 8) % end);
    };
    const bool many = drawn(5, 16) == 0;
    if (many) return extents(43'000 + drawn(0, 4000), 1 + drawn(2, 4), 3);
    return extents(drawn(0, drawn(1, 2) == 0 ? 40 : 1200), 1 + drawn(2, drawn(3, 2) == 0 ? 5 : 100), 1 + drawn(4, 3));
}

void reference(const DecodeArgs& a) {
    for (std::int64_t at = 0; at < a.images * a.n; ++at) {
        const std::int64_t image = at / a.n, index = at % a.n;
        const auto value = [&](std::int64_t column) {
            return a.form == HeadForm::v5 ? a.values[at * a.row() + column]
                                          : a.values[(image * a.row() + column) * a.n + index];
        };
        const float half_width = value(2) / 2, half_height = value(3) / 2;
        a.boxes[4 * at] = value(0) - half_width;
        a.boxes[4 * at + 1] = value(1) - half_height;
        a.boxes[4 * at + 2] = value(0) + half_width;
        a.boxes[4 * at + 3] = value(1) + half_height;
        std::int64_t best = 0;
        for (std::int64_t c = 1; c < a.classes; ++c) {
            const float score = value(a.head() + c), other = value(a.head() + best);
            if (score > other || (std::isnan(score) && !std::isnan(other))) best = c;
        }
        float score = value(a.head() + best);
        if (a.form == HeadForm::v5) score = value(4) * score;
        a.labels[at] = static_cast<std::int32_t>(best);
        a.scores[at] = std::isnan(score)     ? std::numeric_limits<float>::quiet_NaN()
                       : score > a.threshold ? score
                                             : -std::numeric_limits<float>::infinity();
    }
}

}  // namespace

LANEWORK_OPERATION(
    decode,
    {
        .summary = "a box, a score and a class of every candidate of a YOLO v5 or v8 head",
        .axes = DecodeAxes::names,
        .usual = kUsual,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
        .draw = draw,
        .buffers = buffers,
        // Of each candidate: an instruction takes the largest of three scores, one compares it
        // with the threshold, and two halves make four corners.
        .work =
            [](const Problem& p) {
                constexpr std::uint64_t kOfItsBox = 7;
                return Work{
                    .bytes_read = sizeof(float) * candidates(p) * row(p),
                    .bytes_written = 6 * sizeof(float) * candidates(p),
                    .operations =
                        candidates(p) * (static_cast<std::uint64_t>(p.lengths<DecodeAxes>().classes) / 2 + kOfItsBox)};
            },
        .fill = fill,
        .inputs = kInputs,
        .reference = reference,
        .tolerance =
            [](const Problem&) { return Tolerance{.reason = "every operation is rounded by itself, in one way"}; },
    });
