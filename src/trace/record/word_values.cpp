// Spans are compared and copied whole.
#include "src/trace/record/word_values.hpp"

#include <algorithm>
#include <cstring>

namespace lanework {
namespace {

std::byte* memory(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

}  // namespace

void append_span(AddressSpans& spans, AddressSpan more) {
    if (!spans.empty() && spans.back().end() >= more.address)
        spans.back().bytes = std::max(spans.back().end(), more.end()) - spans.back().address;
    else
        spans.push_back(more);
}

AddressSpans united(const AddressSpans& one, const AddressSpans& other) {
    AddressSpans all;
    for (auto first = one.begin(), second = other.begin(); first != one.end() || second != other.end();) {
        const bool from_first = second == other.end() || (first != one.end() && first->address < second->address);
        append_span(all, from_first ? *first++ : *second++);
    }
    return all;
}

std::uint64_t bytes_in(const AddressSpans& spans) {
    std::uint64_t all = 0;
    for (const AddressSpan& span : spans) all += span.bytes;
    return all;
}

WordValues::WordValues(AddressSpans spans) : spans_(std::move(spans)) {
    bytes_.resize(bytes_in(spans_));
    std::uint64_t start = 0;
    for (const AddressSpan& span : spans_) {
        starts_.push_back(start);
        std::memcpy(bytes_.data() + start, memory(span.address), span.bytes);
        start += span.bytes;
    }
}

const std::byte* WordValues::at(AddressSpan span) const {
    const auto behind = std::ranges::upper_bound(spans_, span.address, {}, &AddressSpan::end);
    if (behind == spans_.end() || behind->address > span.address || behind->end() < span.end()) return nullptr;
    return bytes_.data() + starts_[static_cast<std::size_t>(behind - spans_.begin())] +
           (span.address - behind->address);
}

bool WordValues::take_from(const WordValues& other, const AddressSpans& spans) {
    for (const AddressSpan& span : spans) {
        const std::byte* const from = other.at(span);
        const std::byte* const to = at(span);
        if (!from || !to) return false;
        std::memcpy(bytes_.data() + (to - bytes_.data()), from, span.bytes);
    }
    return true;
}

bool WordValues::holds(std::size_t span) const {
    return std::memcmp(bytes_.data() + starts_[span], memory(spans_[span].address), spans_[span].bytes) == 0;
}

bool WordValues::hold() {
    if (differed_ < spans_.size() && !holds(differed_)) return false;
    for (std::size_t span = 0; span < spans_.size(); ++span)
        if (!holds(span)) {
            differed_ = span;
            return false;
        }
    return true;
}

void WordValues::put_back() const {
    for (std::size_t span = 0; span < spans_.size(); ++span)
        if (!holds(span)) std::memcpy(memory(spans_[span].address), bytes_.data() + starts_[span], spans_[span].bytes);
}

}  // namespace lanework
