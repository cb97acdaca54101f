// Zip archives by PKWARE's APPNOTE 6.3.4, from the directory at their end: members that are stored or deflated, with
// lengths of 32 or 64 bits. Every length is held against the file before it is believed.
#include <fmt/format.h>
#include <zlib.h>

#include <cstring>
#include <lanework/error.hpp>
#include <new>

#include "src/core/printable.hpp"
#include "src/io/npz.hpp"

namespace lanework {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// A member as the directory has it.
struct Entry {
    std::string name;
    unsigned flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, unpacked = 0, offset = 0;
};

class Archive {
public:
    Archive(Bytes file, std::string_view name) : file_(file), name_(name) {}

    std::vector<NpzMember> members() const {
        std::vector<NpzMember> found;
        std::uint64_t room = kMostGrowth * file_.size();  // each byte of the file is unpacked once
        auto [count, at] = directory();
        for (; count > 0; --count) {
            const Entry entry = entry_at(at);
            if (entry.unpacked > room) refuse("says that it holds more than its bytes can");
            room -= entry.unpacked;
            found.push_back({array_name(entry), contents(entry)});
        }
        return found;
    }

private:
    static constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50, kDirectoryEnd = 0x06054b50,
                                   kDirectoryEnd64 = 0x06064b50, kDirectoryLocator64 = 0x07064b50, kIn64 = 0xFFFFFFFF;
    static constexpr std::size_t kEndBytes = 22, kLocatorBytes = 20, kLongestComment = 0xFFFF;
    static constexpr std::uint64_t kMostGrowth = 1032;  // of a byte that deflate packed

    [[noreturn]] void refuse(std::string_view what) const {
        throw FileError(fmt::format("{}: {}", printable(name_), what));
    }

    std::uint64_t number(std::uint64_t at, unsigned bytes) const {
        if (at > file_.size() || bytes > file_.size() - at) refuse("the archive ends in its directory");
        std::uint64_t value = 0;
        for (unsigned byte = bytes; byte-- > 0;) value = value << 8 | file_[at + byte];
        return value;
    }
    Bytes part(std::uint64_t at, std::uint64_t bytes) const {
        if (at > file_.size() || bytes > file_.size() - at) refuse("the archive is cut off");
        return file_.subspan(at, bytes);
    }
    bool has(std::uint64_t at, std::uint32_t signature) const { return number(at, 4) == signature; }

    /// How many members there are, and where the first stands in the directory.
    std::pair<std::uint64_t, std::uint64_t> directory() const {
        if (file_.size() < kEndBytes || !has(0, kLocalHeader)) refuse("this is no .npz file with arrays in it");
        std::uint64_t end = file_.size() - kEndBytes;
        const std::uint64_t first = end > kLongestComment ? end - kLongestComment : 0;
        while (!has(end, kDirectoryEnd)) {
            if (end == first) refuse("the archive has no directory: it is cut off");
            --end;
        }
        const std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
        if ((count != 0xFFFF && at != kIn64) || end < kLocatorBytes || !has(end - kLocatorBytes, kDirectoryLocator64))
            return {count, at};
        const std::uint64_t wide = number(end - kLocatorBytes + 8, 8);
        if (!has(wide, kDirectoryEnd64)) refuse("the archive's directory is damaged");
        return {number(wide + 32, 8), number(wide + 48, 8)};
    }

    /// The one that stands at `at`, which becomes the place of the next.
    Entry entry_at(std::uint64_t& at) const {
        if (!has(at, kDirectoryHeader)) refuse("the archive's directory is damaged");
        Entry entry{.name = {},
                    .flags = static_cast<unsigned>(number(at + 8, 2)),
                    .method = static_cast<unsigned>(number(at + 10, 2)),
                    .crc = static_cast<std::uint32_t>(number(at + 16, 4)),
                    .packed = number(at + 20, 4),
                    .unpacked = number(at + 24, 4),
                    .offset = number(at + 42, 4)};
        const std::uint64_t name = number(at + 28, 2), extra = number(at + 30, 2), comment = number(at + 32, 2);
        const Bytes letters = part(at + 46, name);
        entry.name.assign(letters.begin(), letters.end());
        widen(entry, at + 46 + name, extra);
        at += 46 + name + extra + comment;
        return entry;
    }
    /// Lengths that did not fit stand behind the name, in this order.
    void widen(Entry& entry, std::uint64_t at, std::uint64_t bytes) const {
        for (const std::uint64_t end = at + bytes; at + 4 <= end;) {
            const std::uint64_t kind = number(at, 2), next = at + 4 + number(at + 2, 2);
            if (kind == 1) {
                std::uint64_t field = at + 4;
                for (std::uint64_t* value : {&entry.unpacked, &entry.packed, &entry.offset}) {
                    if (*value != kIn64) continue;
                    *value = number(field, 8);
                    field += 8;
                }
            }
            at = next;
        }
    }

    std::string array_name(const Entry& entry) const {
        if (!entry.name.ends_with(".npy"))
            refuse(fmt::format("it holds {}, which is no .npy file", printable(entry.name)));
        return entry.name.substr(0, entry.name.size() - 4);
    }

    std::vector<std::uint8_t> contents(const Entry& entry) const {
        if (entry.flags & 1U) refuse(fmt::format("{} is encrypted", printable(entry.name)));
        if (!has(entry.offset, kLocalHeader)) refuse("the archive's directory is damaged");
        const std::uint64_t begin = entry.offset + 30 + number(entry.offset + 26, 2) + number(entry.offset + 28, 2);
        const Bytes packed = part(begin, entry.packed);
        std::vector<std::uint8_t> bytes;
        if (entry.method == 0)
            bytes.assign(packed.begin(), packed.end());
        else if (entry.method == Z_DEFLATED)
            bytes = inflated(packed, entry);
        else
            refuse(fmt::format("{} is packed in a way that numpy.savez does not use", printable(entry.name)));
        const auto crc = bytes.empty() ? 0U : crc32_z(0, bytes.data(), bytes.size());
        if (bytes.size() != entry.unpacked || crc != entry.crc)
            refuse(fmt::format("{} is damaged", printable(entry.name)));
        return bytes;
    }

    std::vector<std::uint8_t> inflated(Bytes packed, const Entry& entry) const {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
        if (entry.unpacked > kMost) refuse(fmt::format("{} is larger than 2 GiB", printable(entry.name)));
        std::vector<std::uint8_t> bytes(entry.unpacked + 1);  // one more, which stays where the length is right
        z_stream stream{};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
        stream.next_in = const_cast<Bytef*>(packed.data());
        stream.avail_in = static_cast<uInt>(packed.size());
        stream.next_out = bytes.data();
        stream.avail_out = static_cast<uInt>(bytes.size());
        const int result = inflate(&stream, Z_FINISH);
        const std::size_t made = bytes.size() - stream.avail_out;
        inflateEnd(&stream);
        if (result != Z_STREAM_END) refuse(fmt::format("{} is damaged", printable(entry.name)));
        bytes.resize(made);
        return bytes;
    }

    Bytes file_;
    std::string_view name_;
};

}  // namespace

std::vector<NpzMember> parse_npz(std::span<const std::uint8_t> file, std::string_view name) {
    return Archive(file, name).members();
}

}  // namespace lanework
