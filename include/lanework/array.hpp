// Arrays and matrices: sums, extremes and their places, products, transposes, histograms, GELU, on every device.
//
// As in <lanework/image.hpp> every function takes views of the caller's memory and says where it computes: on a team of
// threads, where it returns when all is done, or on a device's stream, where it enqueues its kernels and returns. There
// nothing is allocated, copied to the host or waited for, so that a CUDA graph can capture the calls; where scratch
// memory is needed, a function says how much. All memory is the target's. Which kernel computes, the chooser says:
// those of the operations' ladders, which are measured and verified.
//
// Arguments are checked first, and UsageError says which is wrong: lengths, addresses, pitches, outputs that overlap
// inputs. UnavailableError says that no kernel takes so many elements, DeviceError that a launch was refused. Arrays
// may be empty. Elements and rows may begin wherever their type may; on a GPU multiples of 16 bytes are fastest. What
// takes arrays takes matrices, too, parts of larger ones among them: a matrix whose rows touch is computed as one
// array.
//
// Integers wrap around, in sums and in products. How far a float may be off is what the operations verify:
// `lanework info matmul` and the others say it, with the reason.
#pragma once

#include <cstddef>
#include <lanework/array_view.hpp>
#include <lanework/epilogue.hpp>
#include <lanework/error.hpp>
#include <lanework/half.hpp>
#include <lanework/narrow.hpp>
#include <lanework/target.hpp>

namespace lanework {

/// z[i] = x[i] + y[i]; three arrays of one length. Floats are rounded once. z may be x or y, and overlaps them in no
/// other way.
void add(const ArrayView<const float>& x, const ArrayView<const float>& y, const ArrayView<float>& z, Target target);
void add(const ArrayView<const double>& x, const ArrayView<const double>& y, const ArrayView<double>& z, Target target);
void add(const ArrayView<const std::int32_t>& x, const ArrayView<const std::int32_t>& y,
         const ArrayView<std::int32_t>& z, Target target);
void add(const ArrayView<const float16>& x, const ArrayView<const float16>& y, const ArrayView<float16>& z,
         Target target);
void add(const ArrayView<const bfloat16>& x, const ArrayView<const bfloat16>& y, const ArrayView<bfloat16>& z,
         Target target);
/// The same of three matrices of one shape, each with a pitch of its own but where z is x or y.
void add(const MatrixView<const float>& x, const MatrixView<const float>& y, const MatrixView<float>& z, Target target);
void add(const MatrixView<const double>& x, const MatrixView<const double>& y, const MatrixView<double>& z,
         Target target);
void add(const MatrixView<const std::int32_t>& x, const MatrixView<const std::int32_t>& y,
         const MatrixView<std::int32_t>& z, Target target);
void add(const MatrixView<const float16>& x, const MatrixView<const float16>& y, const MatrixView<float16>& z,
         Target target);
void add(const MatrixView<const bfloat16>& x, const MatrixView<const bfloat16>& y, const MatrixView<bfloat16>& z,
         Target target);

/// out[i] = x·Φ(x) of x = in[i], in float, rounded to the type. out may be in, and overlaps it in no other way.
void gelu(const ArrayView<const float>& in, const ArrayView<float>& out, GeluForm form, Target target);
void gelu(const ArrayView<const float16>& in, const ArrayView<float16>& out, GeluForm form, Target target);
void gelu(const ArrayView<const bfloat16>& in, const ArrayView<bfloat16>& out, GeluForm form, Target target);
/// The same of two matrices of one shape.
void gelu(const MatrixView<const float>& in, const MatrixView<float>& out, GeluForm form, Target target);
void gelu(const MatrixView<const float16>& in, const MatrixView<float16>& out, GeluForm form, Target target);
void gelu(const MatrixView<const bfloat16>& in, const MatrixView<bfloat16>& out, GeluForm form, Target target);

/// How often each byte occurs: counts[v] of v = 0 … 255, which are written whole.
void histogram(const ArrayView<const std::uint8_t>& in, std::uint64_t* counts, Target target);
void histogram(const MatrixView<const std::uint8_t>& in, std::uint64_t* counts, Target target);

/// out[c][r] = in[r][c]. Elements are moved as they are, bit by bit.
void transpose(const MatrixView<const std::uint8_t>& in, const MatrixView<std::uint8_t>& out, Target target);
void transpose(const MatrixView<const std::int8_t>& in, const MatrixView<std::int8_t>& out, Target target);
void transpose(const MatrixView<const std::uint16_t>& in, const MatrixView<std::uint16_t>& out, Target target);
void transpose(const MatrixView<const std::int16_t>& in, const MatrixView<std::int16_t>& out, Target target);
void transpose(const MatrixView<const float16>& in, const MatrixView<float16>& out, Target target);
void transpose(const MatrixView<const bfloat16>& in, const MatrixView<bfloat16>& out, Target target);
void transpose(const MatrixView<const std::uint32_t>& in, const MatrixView<std::uint32_t>& out, Target target);
void transpose(const MatrixView<const std::int32_t>& in, const MatrixView<std::int32_t>& out, Target target);
void transpose(const MatrixView<const float>& in, const MatrixView<float>& out, Target target);
void transpose(const MatrixView<const std::uint64_t>& in, const MatrixView<std::uint64_t>& out, Target target);
void transpose(const MatrixView<const std::int64_t>& in, const MatrixView<std::int64_t>& out, Target target);
void transpose(const MatrixView<const double>& in, const MatrixView<double>& out, Target target);

/// Scratch memory that the caller lends to a call, in the memory of the target: it begins at a multiple of 64 bytes, as
/// every DeviceArray does, and no other call uses it until this one is done.
struct Workspace {
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// Bytes that matmul of an m×n by an n×k matrix of the type needs there: what the rung that is chosen asks for and, of
/// large products of float32 by columns on a GPU, room for b by rows. Throws UsageError for a type that is not
/// computed.
std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, MatmulForm form,
                             Target target);
/// Of b by rows.
std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, Target target);
/// With an epilogue of this kind.
std::size_t matmul_workspace(std::int64_t m, std::int64_t n, std::int64_t k, DType type, MatmulForm form,
                             MatmulEpilogue epilogue, Target target);

/// c = a·b. Of the form nn b is n×k, of nt its view has k rows of n elements: its columns. With no columns in a, c is
/// zero. int8 is summed in int32, which c is made of; 16-bit floats in float, and rounded to their type; float8_e4m3 in
/// float, or on tensor cores with 13 bits below the largest product, and rounded to bfloat16; of tfloat32, which is a
/// float in memory, tensor cores read the leading 11 bits.
void matmul(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
            MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const float16>& a, const MatrixView<const float16>& b, const MatrixView<float16>& c,
            MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const bfloat16>& a, const MatrixView<const bfloat16>& b, const MatrixView<bfloat16>& c,
            MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const std::int32_t>& a, const MatrixView<const std::int32_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const std::int8_t>& a, const MatrixView<const std::int8_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const float8_e4m3>& a, const MatrixView<const float8_e4m3>& b,
            const MatrixView<bfloat16>& c, MatmulForm form, const Workspace& workspace, Target target);
void matmul(const MatrixView<const tfloat32>& a, const MatrixView<const tfloat32>& b, const MatrixView<float>& c,
            MatmulForm form, const Workspace& workspace, Target target);
/// The same of b by rows.
template <class A, class B, class C>
void matmul(const A& a, const B& b, const C& c, const Workspace& workspace, Target target) {
    matmul(a, b, c, MatmulForm::nn, workspace, target);
}

/// c[i] = a[i]·b[i] of as many matrices in each batch, in one launch: what a program would do of them in a loop. An
/// operand whose matrices are all the first is that of every product. No workspace is needed.
void batched_matmul(const MatrixBatchView<const float>& a, const MatrixBatchView<const float>& b,
                    const MatrixBatchView<float>& c, MatmulForm form, Target target);
void batched_matmul(const MatrixBatchView<const float16>& a, const MatrixBatchView<const float16>& b,
                    const MatrixBatchView<float16>& c, MatmulForm form, Target target);
void batched_matmul(const MatrixBatchView<const bfloat16>& a, const MatrixBatchView<const bfloat16>& b,
                    const MatrixBatchView<bfloat16>& c, MatmulForm form, Target target);

/// c = activation(alpha·a·b + beta·c + bias), in the kernel of the product wherever the chosen rung has it: one pass
/// over c. Computed in the type of the sums and rounded once. Throws UsageError too for a bias that has not an element
/// for each column or overlaps c, and for GELU of integers.
void matmul(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
            MatmulForm form, const Epilogue<float>& epilogue, const Workspace& workspace, Target target);
void matmul(const MatrixView<const float16>& a, const MatrixView<const float16>& b, const MatrixView<float16>& c,
            MatmulForm form, const Epilogue<float16>& epilogue, const Workspace& workspace, Target target);
void matmul(const MatrixView<const bfloat16>& a, const MatrixView<const bfloat16>& b, const MatrixView<bfloat16>& c,
            MatmulForm form, const Epilogue<bfloat16>& epilogue, const Workspace& workspace, Target target);
void matmul(const MatrixView<const std::int32_t>& a, const MatrixView<const std::int32_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Epilogue<std::int32_t>& epilogue,
            const Workspace& workspace, Target target);
void matmul(const MatrixView<const std::int8_t>& a, const MatrixView<const std::int8_t>& b,
            const MatrixView<std::int32_t>& c, MatmulForm form, const Epilogue<std::int32_t>& epilogue,
            const Workspace& workspace, Target target);
void matmul(const MatrixView<const float8_e4m3>& a, const MatrixView<const float8_e4m3>& b,
            const MatrixView<bfloat16>& c, MatmulForm form, const Epilogue<bfloat16>& epilogue,
            const Workspace& workspace, Target target);
void matmul(const MatrixView<const tfloat32>& a, const MatrixView<const tfloat32>& b, const MatrixView<float>& c,
            MatmulForm form, const Epilogue<float>& epilogue, const Workspace& workspace, Target target);

/// Bytes that reduce, or reproducible_sum, of so many elements needs there.
std::size_t reduce_workspace(std::int64_t count, DType type, ReduceForm form, Target target);
std::size_t reproducible_sum_workspace(std::int64_t count, DType type, Target target);
/// Bytes that reduce of a matrix needs there, whatever its pitch. reproducible_sum needs those of its elements' number.
std::size_t reduce_workspace(std::int64_t rows, std::int64_t cols, DType type, ReduceForm form, Target target);

/// The sum, the smallest or the largest element, in *out: form is sum, min or max. Of no elements the sum is 0 and an
/// extreme the identity: of min the largest number or +∞. NaN is never an extreme, and makes a sum NaN.
void reduce(const ArrayView<const std::int32_t>& in, std::int32_t* out, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const ArrayView<const float>& in, float* out, ReduceForm form, const Workspace& workspace, Target target);
void reduce(const ArrayView<const double>& in, double* out, ReduceForm form, const Workspace& workspace, Target target);
/// Where the extreme is, in *place: form is argmin or argmax. Of equal elements the first; −1 where there is none.
void reduce(const ArrayView<const std::int32_t>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const ArrayView<const float>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const ArrayView<const double>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);
/// The same of a matrix, whose elements are counted row by row: element (r, c) is at place r·cols + c.
void reduce(const MatrixView<const std::int32_t>& in, std::int32_t* out, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const MatrixView<const float>& in, float* out, ReduceForm form, const Workspace& workspace, Target target);
void reduce(const MatrixView<const double>& in, double* out, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const MatrixView<const std::int32_t>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const MatrixView<const float>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);
void reduce(const MatrixView<const double>& in, std::int64_t* place, ReduceForm form, const Workspace& workspace,
            Target target);

/// The sum by a tree that depends on the count alone: the same bits on every device, with any number of threads,
/// wherever the array begins, and whatever lies between a matrix's rows.
void reproducible_sum(const ArrayView<const std::int32_t>& in, std::int32_t* out, const Workspace& workspace,
                      Target target);
void reproducible_sum(const ArrayView<const float>& in, float* out, const Workspace& workspace, Target target);
void reproducible_sum(const ArrayView<const double>& in, double* out, const Workspace& workspace, Target target);
void reproducible_sum(const MatrixView<const std::int32_t>& in, std::int32_t* out, const Workspace& workspace,
                      Target target);
void reproducible_sum(const MatrixView<const float>& in, float* out, const Workspace& workspace, Target target);
void reproducible_sum(const MatrixView<const double>& in, double* out, const Workspace& workspace, Target target);

}  // namespace lanework
