// The contents of some words of memory, as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanework {

struct AddressSpan {
    std::uint64_t address, bytes;
    std::uint64_t end() const { return address + bytes; }
};

/// Spans that rise and do not touch each other.
using AddressSpans = std::vector<AddressSpan>;
/// Adds one that lies behind all others.
void append_span(AddressSpans& spans, AddressSpan more);
AddressSpans united(const AddressSpans& one, const AddressSpans& other);
std::uint64_t bytes_in(const AddressSpans& spans);

class WordValues {
public:
    WordValues() = default;
    /// As they are now.
    explicit WordValues(AddressSpans spans);

    const AddressSpans& spans() const { return spans_; }
    /// With what says where they belong.
    std::uint64_t bytes() const {
        return bytes_.size() + spans_.size() * (sizeof(AddressSpan) + sizeof(std::uint64_t));
    }
    /// Replaces what it holds of the spans by what `other` does; false where that does not hold all of them.
    bool take_from(const WordValues& other, const AddressSpans& spans);
    /// Whether memory is as it was. Where it was not is looked at first the next time.
    bool hold();
    /// Makes memory what it was.
    void put_back() const;

private:
    /// Where the bytes of the span begin, which is a part of one of these; null where it is none.
    const std::byte* at(AddressSpan span) const;
    bool holds(std::size_t span) const;

    AddressSpans spans_;
    /// Of each span.
    std::vector<std::uint64_t> starts_;
    std::vector<std::byte> bytes_;
    std::size_t differed_ = 0;
};

}  // namespace lanework
