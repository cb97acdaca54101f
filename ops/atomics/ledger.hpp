// What surrounds the calls, for every rung alike: the cells get their first values, the old values that the calls
// returned go into the ledger, all without atomics.
#pragma once

#include "ops/atomics/calls.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kBlock = 256;
/// A warp adds up so many ledger entries of one cell.
inline constexpr std::int64_t kPart = 1024;
constexpr unsigned kWarp = 32;

/// The workspace: what each call returned, then the sums of the parts of each cell's entries.
template <class T>
class Olds {
public:
    explicit Olds(const AtomicsArgs<T>& a)
        : parts_(ceil_div(a.per_cell, kPart)), sums_count_(a.cells() * parts_), calls_(a.calls), base_(a.workspace) {}

    std::int64_t parts() const { return parts_; }
    std::uint64_t* sums() const { return static_cast<std::uint64_t*>(base_); }
    T* olds() const { return reinterpret_cast<T*>(sums() + sums_count_); }
    std::size_t bytes() const {
        return static_cast<std::size_t>(sums_count_) * sizeof(std::uint64_t) +
               static_cast<std::size_t>(calls_) * sizeof(T);
    }

private:
    std::int64_t parts_, sums_count_, calls_;
    void* base_;
};

template <class T>
std::size_t olds_bytes(const AtomicsArgs<T>& a) {
    return Olds<T>(a).bytes();
}

/// Block b, of one warp, adds up the entries of part b mod parts of cell b / parts.
template <class T>
__global__ void add_up_parts(AtomicFunction function, const T* values, const T* olds, std::uint64_t* sums,
                             std::int64_t calls, std::int64_t per_cell, std::int64_t parts) {
    const std::int64_t cell = blockIdx.x / parts, part = blockIdx.x % parts;
    const std::int64_t first = cell * per_cell + part * kPart;
    const std::int64_t end = min(min(first + kPart, (cell + 1) * per_cell), calls);
    unsigned long long sum = 0;
    for (std::int64_t call = first + threadIdx.x; call < end; call += kWarp)
        sum += ledger_entry(function, olds[call], values[call]);
    for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFFU, sum, offset);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// One thread per cell: closes its ledger with the final value, and hides that where the order of calls decided it.
template <class T>
__global__ void close_ledgers(AtomicFunction function, const T* first, T* final, const std::uint64_t* sums,
                              std::uint64_t* ledger, std::int64_t cells, std::int64_t parts) {
    const std::int64_t cell = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (cell >= cells) return;
    std::uint64_t sum = mixed(final[cell]);
    for (std::int64_t part = 0; part < parts; ++part) sum += sums[cell * parts + part];
    ledger[cell] = sum;
    if (order_decides(function)) final[cell] = first[cell];
}

/// make_calls(olds) launches the calls on a.final; call i writes to olds[i] what it returned.
template <class T, class MakeCalls>
void account(const AtomicsArgs<T>& a, cudaStream_t stream, MakeCalls make_calls) {
    if (a.calls == 0) return;
    const Olds<T> work(a);
    const std::int64_t cells = a.cells();
    LANEWORK_CHECK(cudaMemcpyAsync(a.final, a.first, static_cast<std::size_t>(cells) * sizeof(T),
                                   cudaMemcpyDeviceToDevice, stream));
    make_calls(work.olds());
    add_up_parts<<<static_cast<unsigned>(cells * work.parts()), kWarp, 0, stream>>>(
        a.function, a.values, work.olds(), work.sums(), a.calls, a.per_cell, work.parts());
    close_ledgers<<<static_cast<unsigned>(ceil_div(cells, kBlock)), kBlock, 0, stream>>>(
        a.function, a.first, a.final, work.sums(), a.ledger, cells, work.parts());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
