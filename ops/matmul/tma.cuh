// What kernels with Hopper's copies share: barriers in shared memory (mbarrier), clusters of blocks, warpgroups that
// give each other registers, and copies of tiles by the tensor memory accelerator (TMA), with the maps that describe
// matrices to it.
#pragma once

#include "ops/matmul/halves.cuh"
#include "ops/matmul/warpgroup_sizes.hpp"
#include "src/cuda/allow_shared.hpp"
#include "src/cuda/check.hpp"

#ifdef __NVCC__
#define LANEWORK_HAS_WARPGROUPS 1
#include <cuda.h>

#include <cstddef>
#include <string>
#else
#define LANEWORK_HAS_WARPGROUPS 0
#endif

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr std::string_view kNotOnSimt =
    "its instructions (wgmma, mbarrier, TMA) exist on GPUs of compute capability 9.0 only; simt has none of them";

/// Why a rung of wgmma and TMA cannot compute this problem; empty when it can.
inline std::string_view refuse_without_hopper(const Problem& p) {
#if LANEWORK_HAS_WARPGROUPS
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major != 9)
        return "its instructions (wgmma, mbarrier, TMA) exist on GPUs of compute capability 9.0 only";
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647 - 1024;  // a cluster's last tile begins below 2^31
    if (m > kMax || n > kMax || k > kMax)
        return "TMA counts rows and columns in 32 bits: every length must stay below 2^31";
    return {};
#else
    (void)p;
    return kNotOnSimt;
#endif
}

#if LANEWORK_HAS_WARPGROUPS

/// Columns of A and rows of B per step of swizzled tiles: 128 bytes of a row of A.
template <class T>
inline constexpr int kStepDepthOf = kSwizzleBytes / static_cast<int>(sizeof(T));

// --- shared memory's addresses and barriers --------------------------------------------------------------------------

/// The 32-bit address by which instructions name shared memory.
__device__ inline std::uint32_t shared_address(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// The same, kept in a register: the compiler computes it again at each use, and waits for a special register (the
/// block's place in its cluster) that is part of it. All lanes of a warp call it with the same pointer.
__device__ inline std::uint32_t kept_shared_address(const void* pointer) {
    return __shfl_sync(0xffffffff, shared_address(pointer), 0);
}

/// Waits for the end of the phase of this parity of the barrier at this address.
__device__ inline void wait_for_phase(std::uint32_t barrier, int parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra over;\n"
        "bra again;\n"
        "over:\n"
        "}\n" ::"r"(barrier),
        "r"(parity)
        : "memory");
}
__device__ inline void arrive_at_barrier(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives at the barrier at the same address of another block of the cluster.
__device__ inline void arrive_at_barrier(std::uint32_t barrier, int block) {
    asm volatile(
        "{\n"
        ".reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
        "}\n" ::"r"(barrier),
        "r"(block)
        : "memory");
}

/// The first address in the block's dynamic shared memory at which a swizzled tile may start.
__device__ inline unsigned char* aligned_shared() {
    extern __shared__ unsigned char dynamic_shared[];
    const std::uint32_t address = shared_address(dynamic_shared);
    return dynamic_shared + ((address + kAlignment - 1) / kAlignment * kAlignment - address);
}

/// A barrier in shared memory that also counts bytes: a phase ends when all arrivals came and all bytes that were
/// announced have landed. Phases alternate between parity 0 and 1.
struct Mbarrier {
    std::uint64_t word;

    __device__ void init(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)), "r"(arrivals));
    }
    /// Arrives, and announces bytes that TMA will bring.
    __device__ void arrive_expecting(int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&word)), "r"(bytes)
                     : "memory");
    }
    __device__ void arrive() { arrive_at_barrier(shared_address(&word)); }
    /// Arrives at the same barrier of another block of the cluster.
    __device__ void arrive_at(int block) { arrive_at_barrier(shared_address(&word), block); }
    /// Waits for the end of the phase of this parity.
    __device__ void wait(int parity) { wait_for_phase(shared_address(&word), parity); }
};

/// Makes initialised barriers known to TMA and to the other blocks of a cluster.
__device__ inline void fence_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// Makes ordinary writes to shared memory known to wgmma and TMA, which read it by another path (the async proxy).
__device__ inline void fence_for_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Says to the other blocks of the cluster that this one is so far, and waits until all of them have said so: all
/// threads of each block call the one and later the other. Of what a thread did before, the others are sure to see
/// barriers that it initialised before fence_barriers, and no more.
__device__ inline void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ inline void wait_for_cluster() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
/// Waits for the other blocks of the cluster, after which all see what each wrote before.
__device__ inline void sync_cluster() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
/// Waits for them without ordering anything: neither what they wrote nor what they arrived at is sure to be there. For
/// barriers after fence_barriers, and for reads of others whose values have been used. sync_cluster also waits until
/// all that a thread wrote to memory is there.
__device__ inline void meet_cluster() {
    arrive_at_cluster();
    wait_for_cluster();
}
__device__ inline int rank_in_cluster() {
    std::uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
}
/// Waits for the threads of one warpgroup; barrier 0 is __syncthreads'.
__device__ inline void sync_warpgroup(int barrier) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kWarpgroup) : "memory");
}
/// Takes registers from, or gives them to, the other warpgroups of the block. All 128 threads call it.
template <int kRegisters>
__device__ void shrink_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ void grow_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

/// Waits until the kernel before this one has ended, where it was launched to begin before that.
__device__ inline void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
/// Lets the next kernel of the stream begin: it still waits for the end of this one before it reads its results.
__device__ inline void begin_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// --- TMA -------------------------------------------------------------------------------------------------------------

/// One thread asks for the box at (row, col); its bytes arrive at the barrier. Outside of the matrix are zeros.
__device__ inline void load_box(void* to, const CUtensorMap& map, int row, int col, Mbarrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            shared_address(to)),
        "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier.word))
        : "memory");
}
/// The same of the matrix of this number, where a map has several.
__device__ inline void load_box(void* to, const CUtensorMap& map, int matrix, int row, int col, Mbarrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
            "r"(shared_address(to)),
        "l"(&map), "r"(col), "r"(row), "r"(matrix), "r"(shared_address(&barrier.word))
        : "memory");
}
/// The box of a map of one matrix into the same place of every block of the cluster whose bit is set; each one's
/// barrier counts it.
__device__ inline void load_box_for(unsigned blocks, void* to, const CUtensorMap& map, int matrix, int row, int col,
                                    Mbarrier& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
        " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(to)),
        "l"(&map), "r"(col), "r"(row), "r"(matrix), "r"(shared_address(&barrier.word)),
        "h"(static_cast<unsigned short>(blocks))
        : "memory");
}
/// Writes a box from shared memory; what lies outside of the matrix is dropped.
__device__ inline void store_box(const void* from, const CUtensorMap& map, int matrix, int row, int col) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];\n"
        "cp.async.bulk.commit_group;" ::"l"(&map),
        "r"(col), "r"(row), "r"(matrix), "r"(shared_address(from))
        : "memory");
}
/// Waits until all but the newest `kNewest` stores of this thread have read their shared memory.
template <int kNewest>
__device__ void wait_stores_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory");
}
__device__ inline void prefetch(const CUtensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// --- on the host -----------------------------------------------------------------------------------------------------

using TensorMapEncoder = decltype(&cuTensorMapEncodeTiled);

/// The driver's function that describes a matrix to TMA, asked of the runtime: the program does not link the driver.
inline TensorMapEncoder find_tensor_map_encoder() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    constexpr unsigned kSince = 12000;
    LANEWORK_CHECK(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, kSince, cudaEnableDefault, &found));
#else
    LANEWORK_CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found));
#endif
    if (!function) throw DeviceError("this driver has no cuTensorMapEncodeTiled: it is older than CUDA 12");
    return reinterpret_cast<TensorMapEncoder>(function);
}
/// Found once: the address of a function is the same for every device.
inline TensorMapEncoder tensor_map_encoder() {
    static TensorMapEncoder const encoder(find_tensor_map_encoder());
    return encoder;
}

/// As TMA knows the type of an element. What it fetches as TF32 it rounds to it.
template <class T>
constexpr CUtensorMapDataType map_type() {
    if constexpr (std::is_same_v<T, bfloat16>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    if constexpr (std::is_same_v<T, float16>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    if constexpr (std::is_same_v<T, tfloat32>) return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    if constexpr (std::is_same_v<T, float>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    if constexpr (std::is_same_v<T, std::int32_t>) return CU_TENSOR_MAP_DATA_TYPE_INT32;
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

/// How a map's boxes lie in shared memory: row behind row, or in rows of 128 bytes whose 16-byte parts are exchanged.
enum class Boxes { rows, swizzled };

/// Describes row-major matrices of one shape to TMA, `to_next` elements from one to the next, and boxes; where there
/// are no elements from one to the next there is one matrix. A map is plain data: kernels take it by value.
template <class T>
CUtensorMap map_of_boxes(const T* first, std::int64_t matrices, std::int64_t to_next, std::int64_t rows,
                         std::int64_t cols, std::int64_t pitch, int box_rows, int box_cols, Boxes boxes,
                         unsigned axes) {
    CUtensorMap map;
    if (to_next == 0) {
        matrices = 1;
        to_next = rows * pitch;
    }
    const cuuint64_t extent[] = {static_cast<cuuint64_t>(cols), static_cast<cuuint64_t>(rows),
                                 static_cast<cuuint64_t>(matrices)};
    const cuuint64_t bytes_to_next[] = {static_cast<cuuint64_t>(pitch) * sizeof(T),
                                        static_cast<cuuint64_t>(to_next) * sizeof(T)};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(box_cols), static_cast<cuuint32_t>(box_rows), 1};
    const cuuint32_t steps[] = {1, 1, 1};
    const CUresult result =
        tensor_map_encoder()(&map, map_type<T>(), axes, const_cast<std::remove_const_t<T>*>(first), extent,
                             bytes_to_next, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                             boxes == Boxes::swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        throw DeviceError("cuTensorMapEncodeTiled refused a matrix with status " + std::to_string(result));
    return map;
}
/// Boxes of `box_rows` × 128 bytes, swizzled.
template <class T>
CUtensorMap map_of(const T* first, std::int64_t matrices, std::int64_t to_next, std::int64_t rows, std::int64_t cols,
                   std::int64_t pitch, int box_rows, unsigned axes = 3) {
    return map_of_boxes(first, matrices, to_next, rows, cols, pitch, box_rows, kStepDepthOf<T>, Boxes::swizzled, axes);
}
/// The same of one matrix.
template <class T>
CUtensorMap map_of(const T* first, std::int64_t rows, std::int64_t cols, std::int64_t pitch, int box_rows) {
    return map_of(first, 1, 0, rows, cols, pitch, box_rows, 2);
}

/// Lets a kernel have this much dynamic shared memory; the start of the tiles may move up to their alignment.
template <class Kernel>
int allow_tiles(Kernel kernel, std::size_t tiles) {
    const int bytes = static_cast<int>(tiles) + kAlignment;
    allow_shared(kernel, bytes);
    return bytes;
}

/// C of a plain product over no columns: zeros.
template <class T>
void write_zeros(const MatmulArgs<T>& x, cudaStream_t stream) {
    constexpr std::size_t kSize = sizeof(Result<T>);
    LANEWORK_CHECK(cudaMemset2DAsync(x.c, static_cast<std::size_t>(x.c_pitch) * kSize, 0,
                                     static_cast<std::size_t>(x.k) * kSize, static_cast<std::size_t>(x.m), stream));
}

#endif  // LANEWORK_HAS_WARPGROUPS

}  // namespace lanework::inline LANEWORK_ON_DEVICE
