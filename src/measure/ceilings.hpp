// Ceilings: the fastest that a device was measured to copy, read, write, transfer and multiply-add. Work ÷ ceiling is
// the limit.
#pragma once

#include <functional>
#include <lanework/device.hpp>
#include <lanework/measurement.hpp>

namespace lanework {

/// One measured point: `bytes` moved (read plus written) in `seconds`, start-up included.
struct TransferPoint {
    std::uint64_t bytes = 0;
    double seconds = 0;
};

/// What the operations of some work are: any multiply-adds, or those of a product of matrices, which tensor cores can
/// do.
enum class Arithmetic : std::uint8_t { any, of_matrices };
/// By the operation's name.
Arithmetic arithmetic_of(std::string_view operation);
/// The type as which plain units compute this one: int8 as int32, float8_e4m3 and tfloat32 as float32, others as
/// themselves.
DType plain_type(DType dtype);
/// Products of bfloat16 pieces that make a product of floats (`split_floats` of ops/matmul).
inline constexpr int kPieceProducts = 6;

struct Ceilings {
    std::string device;       ///< DeviceInfo::id
    std::string fingerprint;  ///< DeviceInfo::fingerprint of what they were measured on
    std::string measured_at;  ///< UTC, ISO 8601
    /// Ascending in bytes and in seconds; from the best rung of the operations `copy`, `read` and `write`, cold.
    std::vector<TransferPoint> copy, read, write;
    /// The same for the link from the host and to it; from the best rung of the operation `transfer`. None where the
    /// device works in the host's own memory.
    std::vector<TransferPoint> upload, download;
    struct Rate {
        DType dtype;
        double flops_per_second;
    };
    /// From the best rung of the operation `fma`; an FMA counts two.
    std::vector<Rate> fma;
    /// From the best rung of the operation `mma`: multiply-adds of products of matrices. None where a device has no
    /// units for them.
    std::vector<Rate> mma;

    /// The least time for the work: the latest of moving its bytes (interpolated between the measured sizes, and
    /// between read, copy and write by the share of bytes written), of its arithmetic, and of either direction of the
    /// link, which carries both at once. Beyond the largest size the
    /// bandwidth is that of the largest; below the smallest the time shrinks in proportion. 0 s for no work.
    Limit limit(const Work& work, DType dtype, Arithmetic arithmetic = Arithmetic::any) const;
    /// Operations per second: of multiply-adds, or of products of matrices by whichever units are faster, where those
    /// of floats may be made of bfloat16 pieces. 0 when not measured.
    double flops_per_second(DType dtype, Arithmetic arithmetic) const;
    /// Raises every ceiling that says the work takes longer than it was seen to take, until none does.
    void raise_to(const Work& work, DType dtype, double seconds, Arithmetic arithmetic = Arithmetic::any);
    bool has_link() const { return !upload.empty() || !download.empty(); }
    /// The work as this device does it: without a link, what would be uploaded is read, and what would be downloaded
    /// is written.
    Work as_done_here(Work work) const;
    /// Bytes per second of the largest measured copy, read and write; 0 when not measured.
    double copy_bandwidth() const;
    double read_bandwidth() const;
    double write_bandwidth() const;
};

struct CeilingOptions {
    /// Measure even when the cache holds figures for this device.
    bool refresh = false;
    /// Told what is being measured, for a progress line.
    std::function<void(std::string_view)> progress = {};
};

/// Ceilings of a device: from the cache under the user's cache folder (XDG_CACHE_HOME/lanework) when they were
/// measured on the same device and driver, else measured now (seconds) and cached. simt has the cpu's: it runs there.
Ceilings ceilings(Device& device, const CeilingOptions& options);

/// What the cache holds for a device like this one; nothing when it was not measured yet. Measures nothing.
std::optional<Ceilings> cached_ceilings(const DeviceInfo& device);

/// Measures the ceiling that bounds this work once more, at its very size and for longer; `ceilings` and the cache
/// keep whatever is faster than what they held. For a figure that beats the limit.
void sharpen(Device& device, Ceilings& ceilings, const Work& work, DType dtype,
             Arithmetic arithmetic = Arithmetic::any);

/// Whether a measurement is of an operation whose rungs are the ceilings themselves: copy, read, write, transfer, fma,
/// mma.
bool is_ceiling(const Measurement& measurement);
/// Takes such a measurement into the ceilings and their cache, where it is faster than what they held.
void raise(Ceilings& ceilings, const Measurement& measurement);
/// Ceilings::raise_to, in the cache too.
void raise(Ceilings& ceilings, const Work& work, DType dtype, double seconds, Arithmetic arithmetic = Arithmetic::any);

/// The points with one more: the faster of two of the same size, and no size slower than a larger one.
std::vector<TransferPoint> with_point(std::vector<TransferPoint> points, TransferPoint point);
/// The same if the point is faster than the others say of its size; else the points as they are.
std::vector<TransferPoint> with_faster_point(std::vector<TransferPoint> points, TransferPoint point);

}  // namespace lanework
