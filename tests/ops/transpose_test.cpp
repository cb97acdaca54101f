// Transposes of matrices that begin anywhere.
#include <gtest/gtest.h>

#include "ops/transpose/operation.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

struct Shape {
    std::size_t rows, cols;
};

template <class T = std::int32_t>
void expect_transposed(Device& device, const Rung& rung, Shape shape, std::size_t in_shift, std::size_t out_shift,
                       DType dtype = DType::int32) {
    SCOPED_TRACE(testing::Message() << device.info().id << " " << rung.name << " " << name_of(dtype) << " "
                                    << shape.rows << "x" << shape.cols << " shifts " << in_shift << " " << out_shift);
    const std::size_t count = shape.rows * shape.cols;
    ShiftedArrayOf<T> in{std::vector<T>(count), in_shift}, out{std::vector<T>(count, static_cast<T>(-1)), out_shift};
    for (std::size_t i = 0; i < count; ++i) in.host[i] = static_cast<T>(i * 2654435761U >> 7);
    const auto after = run_shifted<T>(device, rung, {extents(shape.rows, shape.cols), dtype}, {in, out});
    for (std::size_t i = 0; i < count; ++i) out.host[i % shape.cols * shape.rows + i / shape.cols] = in.host[i];
    EXPECT_EQ(after[1], out.with_guards());
}

TEST(Transpose, TakesMatricesThatBeginAnywhere) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind)) {
            if (!rung->typed(DType::int32)) continue;
            for (const Shape shape :
                 {Shape{4, 4}, Shape{68, 132}, Shape{65, 128}, Shape{128, 67}, Shape{33, 31}, Shape{301, 69}})
                for (const std::size_t shift : {0, 1, 2}) {
                    expect_transposed(*device, *rung, shape, shift, 0);
                    expect_transposed(*device, *rung, shape, 0, shift);
                }
        }
}

// Tiles in the midst of a matrix, at its edges and of matrices narrower than one, wherever both sides begin.
TEST(Transpose, OfEachElementSizeWritesNothingElse) {
    for (const auto& device : devices_here()) {
        const auto expect = [&](auto zero, DType dtype, const Rung& rung, Shape shape, std::size_t in,
                                std::size_t out) {
            expect_transposed<decltype(zero)>(*device, rung, shape, in, out, dtype);
        };
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind)) {
            if (rung->name != "realigned" && rung->name != "sheared_tile" && rung->name != "small_tile") continue;
            for (const Shape shape : {Shape{577, 273}, Shape{31, 300}, Shape{300, 3}})
                for (const std::size_t shift : {0, 1, 5, 15}) {
                    expect(std::uint8_t{}, DType::uint8, *rung, shape, shift, 15 - shift);
                    expect(std::uint16_t{}, DType::uint16, *rung, shape, shift, 15 - shift);
                    if (rung->typed(DType::int32))
                        expect(std::int32_t{}, DType::int32, *rung, shape, shift, 15 - shift);
                    if (rung->typed(DType::uint64))
                        expect(std::uint64_t{}, DType::uint64, *rung, shape, shift, 15 - shift);
                }
        }
    }
}

// More than one block's part, with a last one that is not full, and matrices smaller than a sector.
TEST(Transpose, OfFewRowsOrColumnsWritesNothingElse) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind)) {
            if (rung->name != "joined_rows") continue;
            for (const Shape shape : {Shape{1, 1}, Shape{3, 2}, Shape{1, 9001}, Shape{9001, 1}, Shape{3, 3001},
                                      Shape{3001, 4}, Shape{16, 601}, Shape{601, 16}, Shape{31, 299}, Shape{299, 31},
                                      Shape{2, 9001}, Shape{3, 9001}, Shape{8, 9001}, Shape{601, 8}, Shape{1201, 6}})
                for (const std::size_t shift : {0, 1, 5, 15}) {
                    expect_transposed<std::uint8_t>(*device, *rung, shape, shift, 15 - shift, DType::uint8);
                    expect_transposed<std::uint16_t>(*device, *rung, shape, shift, 15 - shift, DType::uint16);
                    expect_transposed<std::int32_t>(*device, *rung, shape, shift, 15 - shift, DType::int32);
                    expect_transposed<std::uint64_t>(*device, *rung, shape, shift, 15 - shift, DType::uint64);
                }
        }
}

/// Rows that lie apart, in and out, of one size of elements; what is between them stays.
template <class T>
void expect_transposed_apart(Device& device, const Rung& rung, DType dtype, Shape shape) {
    SCOPED_TRACE(testing::Message() << device.info().id << " " << rung.name << " " << name_of(dtype) << " "
                                    << shape.rows << "x" << shape.cols);
    const auto rows = static_cast<std::int64_t>(shape.rows), cols = static_cast<std::int64_t>(shape.cols);
    const std::int64_t in_pitch = cols + 5, out_pitch = rows + 3;
    std::vector<T> in(static_cast<std::size_t>(rows * in_pitch));
    std::vector<T> out(static_cast<std::size_t>(cols * out_pitch), static_cast<T>(0x5A));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 2654435761U >> 7);
    const std::size_t in_bytes = in.size() * sizeof(T), out_bytes = out.size() * sizeof(T);
    const DeviceMemory from = device.allocate(in_bytes + sizeof(T)), to = device.allocate(out_bytes + sizeof(T));
    T *const from_at = reinterpret_cast<T*>(from.data()) + 1, *const to_at = reinterpret_cast<T*>(to.data()) + 1;
    device.upload(from_at, in.data(), in_bytes);
    device.upload(to_at, out.data(), out_bytes);
    const TransposeArgsOf<T> args{from_at, to_at, rows, cols, in_pitch, out_pitch};
    const Rung::Typed& typed = *rung.typed(dtype);
    ASSERT_TRUE(typed.fits_args(rung.entry, &args));
    typed.launch_args(rung.entry, &args, device.stream());
    device.check_launch();
    device.synchronize();
    std::vector<T> found(out.size());
    device.download(found.data(), to_at, out_bytes);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col)
            out[static_cast<std::size_t>(col * out_pitch + row)] = in[static_cast<std::size_t>(row * in_pitch + col)];
    EXPECT_EQ(found, out);
}

void expect_transposed_apart(std::string_view name, Shape shape) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind)) {
            if (rung->name != name) continue;
            expect_transposed_apart<std::uint8_t>(*device, *rung, DType::uint8, shape);
            expect_transposed_apart<std::uint16_t>(*device, *rung, DType::uint16, shape);
            if (rung->typed(DType::int32)) expect_transposed_apart<std::int32_t>(*device, *rung, DType::int32, shape);
            if (rung->typed(DType::uint64))
                expect_transposed_apart<std::uint64_t>(*device, *rung, DType::uint64, shape);
        }
}

TEST(Transpose, TilesKeepWhatIsBetweenRows) {
    for (const char* name : {"realigned", "sheared_tile", "small_tile"}) expect_transposed_apart(name, {577, 273});
}

TEST(Transpose, JoinedRowsKeepWhatIsBetweenRows) {
    for (const Shape shape : {Shape{1, 5001}, Shape{5001, 1}, Shape{31, 601}, Shape{601, 31}, Shape{4, 2003}})
        expect_transposed_apart("joined_rows", shape);
}

// Large enough for the cpu's streaming stores, in shapes whose output rows are whole lines, and are not.
TEST(Transpose, StreamsLargeMatricesWholeOrRagged) {
    const auto device = open_device("cpu");
    const Rung& rung = find_rung(find_operation("transpose"), "simd", DeviceKind::cpu);
    for (const Shape shape : {Shape{528, 517}, Shape{560, 1000}, Shape{529, 512}, Shape{1 << 18, 1}, Shape{1, 1 << 18}})
        for (const std::size_t shift : {0, 3}) expect_transposed(*device, rung, shape, shift, shift);
}

// A tall matrix has more rows of tiles than a grid is high.
TEST(Transpose, KeepsTheRowsBeyondAGridsHeight) {
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(find_operation("transpose"), device->info().kind))
            if (rung->name == "shared_tile") expect_transposed(*device, *rung, {16 * 65536 + 5, 1}, 0, 0);
}

}  // namespace
}  // namespace lanework
