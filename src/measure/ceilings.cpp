// From ceilings to limits: interpolation between what was measured.
#include "src/measure/ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanework {
namespace {

double bandwidth(const std::vector<TransferPoint>& points) {
    return points.empty() ? 0 : static_cast<double>(points.back().bytes) / points.back().seconds;
}

// Seconds to move that many bytes: linear between the measured points and from nothing to the first of them.
double seconds_to_move(const std::vector<TransferPoint>& points, double bytes) {
    if (points.empty()) return 0;
    if (bytes >= static_cast<double>(points.back().bytes)) return bytes / bandwidth(points);
    TransferPoint below{};
    for (const TransferPoint& above : points) {
        const auto from = static_cast<double>(below.bytes), to = static_cast<double>(above.bytes);
        if (bytes <= to) return std::lerp(below.seconds, above.seconds, (bytes - from) / (to - from));
        below = above;
    }
    return 0;
}

// Between all read (0), copied (½) and all written (1), by the share of bytes that are written.
double seconds_to_move(const Ceilings& ceilings, const Work& work) {
    const auto bytes = static_cast<double>(work.bytes_read + work.bytes_written);
    if (bytes == 0) return 0;
    const double written = static_cast<double>(work.bytes_written) / bytes;
    const double copied = seconds_to_move(ceilings.copy, bytes);
    if (written <= 0.5) return std::lerp(seconds_to_move(ceilings.read, bytes), copied, 2 * written);
    return std::lerp(copied, seconds_to_move(ceilings.write, bytes), 2 * written - 1);
}

double seconds_over_link(const Ceilings& ceilings, const Work& work) {
    return std::max(seconds_to_move(ceilings.upload, static_cast<double>(work.bytes_uploaded)),
                    seconds_to_move(ceilings.download, static_cast<double>(work.bytes_downloaded)));
}

double rate_of(const std::vector<Ceilings::Rate>& rates, DType dtype) {
    for (const Ceilings::Rate& rate : rates)
        if (rate.dtype == dtype) return rate.flops_per_second;
    return 0;
}

double seconds_to_compute(const Ceilings& ceilings, const Work& work, DType dtype, Arithmetic arithmetic) {
    const double rate = ceilings.flops_per_second(dtype, arithmetic);
    return rate > 0 ? static_cast<double>(work.arithmetic()) / rate : 0;
}

void raise_rate_to(std::vector<Ceilings::Rate>& rates, DType dtype, double flops_per_second) {
    for (Ceilings::Rate& rate : rates)
        if (rate.dtype == dtype) rate.flops_per_second = std::max(rate.flops_per_second, flops_per_second);
}

void raise_link(std::vector<TransferPoint>& points, std::uint64_t bytes, double seconds) {
    if (bytes > 0) points = with_faster_point(std::move(points), {bytes, seconds});
}

}  // namespace

Work Ceilings::as_done_here(Work work) const {
    if (has_link()) return work;
    work.bytes_read += std::exchange(work.bytes_uploaded, 0);
    work.bytes_written += std::exchange(work.bytes_downloaded, 0);
    return work;
}

DType plain_type(DType dtype) {
    if (dtype == DType::int8) return DType::int32;
    return dtype == DType::float8_e4m3 || dtype == DType::tfloat32 ? DType::float32 : dtype;
}

Arithmetic arithmetic_of(std::string_view operation) {
    return operation == "matmul" || operation == "mma" ? Arithmetic::of_matrices : Arithmetic::any;
}

double Ceilings::flops_per_second(DType dtype, Arithmetic arithmetic) const {
    const double plain = rate_of(fma, plain_type(dtype));
    if (arithmetic == Arithmetic::any) return plain;
    const double pieces = dtype == DType::float32 ? rate_of(mma, DType::bfloat16) / kPieceProducts : 0;
    return std::max({plain, pieces, rate_of(mma, dtype)});
}

Limit Ceilings::limit(const Work& work, DType dtype, Arithmetic arithmetic) const {
    const Work here = as_done_here(work);
    const double moving = seconds_to_move(*this, here), computing = seconds_to_compute(*this, here, dtype, arithmetic);
    const double transferring = seconds_over_link(*this, here);
    if (transferring > std::max(moving, computing)) return {Bound::link, transferring};
    return moving >= computing ? Limit{Bound::memory, moving} : Limit{Bound::compute, computing};
}

void Ceilings::raise_to(const Work& work, DType dtype, double seconds, Arithmetic arithmetic) {
    const Work here = as_done_here(work);
    const std::uint64_t bytes = here.bytes_read + here.bytes_written;
    if (const double moving = seconds_to_move(*this, here); moving > seconds) {
        const auto raise_points = [&](std::vector<TransferPoint>& points) {
            const double known = seconds_to_move(points, static_cast<double>(bytes));
            if (known > 0) points = with_point(std::move(points), {bytes, known * seconds / moving});
        };
        if (here.bytes_read > here.bytes_written) raise_points(read);
        if (here.bytes_read < here.bytes_written) raise_points(write);
        if (here.bytes_read > 0 && here.bytes_written > 0) raise_points(copy);
    }
    const double rate = static_cast<double>(here.arithmetic()) / seconds;
    // Which units did it is not known. Those of matrices have a rate of their own where they were measured.
    const bool of_matrices = arithmetic == Arithmetic::of_matrices && !mma.empty();
    if (!of_matrices)
        raise_rate_to(fma, plain_type(dtype), rate);
    else if (dtype == DType::float32)
        raise_rate_to(mma, DType::bfloat16, flops_per_second(dtype, arithmetic) < rate ? kPieceProducts * rate : 0);
    else if (plain_type(dtype) != dtype && rate_of(mma, dtype) == 0 && flops_per_second(dtype, arithmetic) < rate)
        mma.push_back({dtype, rate});  // tensor cores alone are faster than the plain units of a wider type
    else
        raise_rate_to(rate_of(mma, dtype) > 0 ? mma : fma, dtype, rate);
    if (!upload.empty()) raise_link(upload, here.bytes_uploaded, seconds);
    if (!download.empty()) raise_link(download, here.bytes_downloaded, seconds);
}

double Ceilings::copy_bandwidth() const { return bandwidth(copy); }
double Ceilings::read_bandwidth() const { return bandwidth(read); }
double Ceilings::write_bandwidth() const { return bandwidth(write); }

std::vector<TransferPoint> with_point(std::vector<TransferPoint> points, TransferPoint point) {
    const auto at = std::lower_bound(points.begin(), points.end(), point,
                                     [](const TransferPoint& a, const TransferPoint& b) { return a.bytes < b.bytes; });
    if (at != points.end() && at->bytes == point.bytes)
        at->seconds = std::min(at->seconds, point.seconds);
    else
        points.insert(at, point);
    for (std::size_t i = points.size() - 1; i > 0; --i)
        points[i - 1].seconds = std::min(points[i - 1].seconds, points[i].seconds);
    return points;
}

std::vector<TransferPoint> with_faster_point(std::vector<TransferPoint> points, TransferPoint point) {
    const double known = seconds_to_move(points, static_cast<double>(point.bytes));
    return points.empty() || point.seconds < known ? with_point(std::move(points), point) : points;
}

}  // namespace lanework
