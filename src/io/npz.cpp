// The archive by PKWARE's APPNOTE 6.3.4, with the 64-bit fields always, so that lists of more than 4 GiB need no other
// code; the arrays by NumPy's NPY format 1.0. Both are little-endian.
#include "src/io/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>

namespace lanework {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50, kDirectoryEnd = 0x06054b50,
                        kDirectoryEnd64 = 0x06064b50, kDirectoryLocator64 = 0x07064b50, kIn64 = 0xFFFFFFFF;
constexpr std::uint16_t kNeeds64 = 45, kExtra64 = 1, kDate = 1 << 5 | 1;  // 1 January 1980: the same bytes every day
constexpr std::size_t kAlignment = 64;                                    // of an array's data behind its description

/// Appends little-endian fields.
class Fields {
public:
    Fields& u16(std::uint64_t value) { return bytes(value, 2); }
    Fields& u32(std::uint64_t value) { return bytes(value, 4); }
    Fields& u64(std::uint64_t value) { return bytes(value, 8); }
    Fields& text(std::string_view value) {
        text_ += value;
        return *this;
    }
    std::string take() { return std::move(text_); }

private:
    Fields& bytes(std::uint64_t value, int count) {
        for (int byte = 0; byte < count; ++byte) text_ += static_cast<char>(value >> (8 * byte) & 0xFF);
        return *this;
    }
    std::string text_;
};

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint32_t checksum(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return crc;  // zlib takes a null address for a reset
    return static_cast<std::uint32_t>(crc32_z(crc, bytes.data(), bytes.size()));
}

}  // namespace

std::string npy_header(std::string_view descriptor, std::span<const std::int64_t> shape) {
    std::string lengths;
    for (const std::int64_t length : shape) lengths += fmt::format("{}, ", length);
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor, lengths);
    constexpr std::size_t before = 10;
    text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
    text += '\n';
    return Fields().text("\x93NUMPY\x01").text({"\0", 1}).u16(text.size()).text(text).take();
}

void Npz::put(std::string bytes) {
    owned_.push_back(std::move(bytes));
    pieces_.push_back(bytes_of(owned_.back()));
    written_ += owned_.back().size();
}

void Npz::add(std::string_view name, std::string_view descriptor, std::span<const std::int64_t> shape,
              std::span<const std::uint8_t> bytes) {
    const std::string file = fmt::format("{}.npy", name), header = npy_header(descriptor, shape);
    const std::uint64_t size = header.size() + bytes.size(), offset = written_;
    const std::uint32_t crc = checksum(checksum(0, bytes_of(header)), bytes);
    constexpr std::uint16_t no_flags = 0, stored = 0, time = 0;
    Fields common;
    common.u16(no_flags).u16(stored).u16(time).u16(kDate).u32(crc).u32(kIn64).u32(kIn64).u16(file.size());
    const std::string middle = common.take();
    put(Fields()
            .u32(kLocalHeader)
            .u16(kNeeds64)
            .text(middle)
            .u16(20)
            .text(file)
            .u16(kExtra64)
            .u16(16)
            .u64(size)
            .u64(size)
            .take());
    put(header);
    pieces_.push_back(bytes);
    written_ += bytes.size();
    directory_ += Fields()
                      .u32(kDirectoryHeader)
                      .u16(kNeeds64)
                      .u16(kNeeds64)
                      .text(middle)
                      .u16(28)
                      .u16(0)
                      .u16(0)
                      .u16(0)
                      .u32(0)
                      .u32(kIn64)
                      .text(file)
                      .u16(kExtra64)
                      .u16(24)
                      .u64(size)
                      .u64(size)
                      .u64(offset)
                      .take();
    ++entries_;
}

std::vector<std::span<const std::uint8_t>> Npz::pieces() {
    const std::uint64_t directory = written_, size = directory_.size();
    put(std::move(directory_));
    const std::uint64_t end = written_;
    put(Fields()
            .u32(kDirectoryEnd64)
            .u64(44)
            .u16(kNeeds64)
            .u16(kNeeds64)
            .u32(0)
            .u32(0)
            .u64(entries_)
            .u64(entries_)
            .u64(size)
            .u64(directory)
            .u32(kDirectoryLocator64)
            .u32(0)
            .u64(end)
            .u32(1)
            .u32(kDirectoryEnd)
            .u16(0)
            .u16(0)
            .u16(entries_)
            .u16(entries_)
            .u32(kIn64)
            .u32(kIn64)
            .u16(0)
            .take());
    return pieces_;
}

}  // namespace lanework
