// Comparing launches by what they read, and keeping them within bounds.
#include "src/trace/record/repeated_launches.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <lanework_simt/launch.hpp>
#include <utility>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

/// Of one key: more would take longer to compare than they are worth.
constexpr std::size_t kMostOfKey = 128;
/// Launches in a row of one kernel that were like no earlier one: its next ones will hardly be, and need not be kept.
constexpr unsigned kMostUnlike = 32;

template <class T>
void append_bytes(std::string& text, const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Each place that launches a kernel has a function of its own that runs it.
const void* kernel_of(const lanework_simt::Launch& launch) {
    return launch.address ? launch.address : reinterpret_cast<const void*>(launch.run);
}

/// The launch's code, shape and arguments; nothing where not all of them are known.
std::optional<std::string> key_of(const lanework_simt::Launch& launch) {
    if (!launch.arguments || !launch.kernel_known) return {};
    std::string key;
    append_bytes(key, kernel_of(launch));
    for (const dim3& shape : {launch.grid, launch.block})
        for (const unsigned extent : {shape.x, shape.y, shape.z}) append_bytes(key, extent);
    append_bytes(key, launch.shared_bytes);
    append_bytes(key, launch.cooperative);
    launch.arguments(
        launch.closure,
        [](void* to, const lanework_simt::Argument& argument) {
            auto& text = *static_cast<std::string*>(to);
            append_bytes(text, argument.type->hash_code());
            text.append(static_cast<const char*>(argument.data), argument.bytes);
        },
        &key);
    return key;
}

/// The allocation that the span lies in, an empty one for variables of the program: nobody but the kernel changes the
/// span while it runs, and it stays there until that is told. Nothing where that is not so. `polled`: a kernel that
/// waits for the host would see what that writes.
std::optional<AddressSpan> settled_in(AddressSpan span, bool polled) {
    const auto* const first = reinterpret_cast<const void*>(span.address);
    const auto* const last = reinterpret_cast<const void*>(span.end() - 1);
    if (constant_variables(span.address).high != 0) return AddressSpan{};
    const bool of_program = lanework_simt::is_program_data(first) && lanework_simt::is_program_data(last);
    if (of_program && !polled) return AddressSpan{};
    const auto known = lanework_simt::memory_map().find(first);
    if (!known || known->origin == lanework_simt::Origin::registered) return {};
    if (polled && !known->device_only()) return {};
    const AddressSpan allocation{reinterpret_cast<std::uint64_t>(known->base), known->bytes};
    // What fills the last word of an allocation is nobody's.
    if (span.end() >= allocation.end() + kTouchedWordBytes) return {};
    return allocation;
}

void append_runs(AddressSpans& spans, const TouchedPiece& piece, const WordBits& bits) {
    bits.each_run([&](std::size_t first, std::size_t count) {
        append_span(spans, {piece.address + first * kTouchedWordBytes, count * kTouchedWordBytes});
    });
}

}  // namespace

std::uint64_t RepeatedLaunches::Earlier::bytes() const {
    std::uint64_t all = sizeof(Earlier) + 2 * key.size() + allocations.size() * sizeof(AddressSpan);
    for (const WordValues* const values : {&read, &updated, &stored}) all += values->bytes();
    return stored_over ? all + stored_over->bytes() : all;
}

/// How often bytes were read that nobody had written is the same only while nobody writes. A store to a bit-field keeps
/// the bits beside it, and is not told from one of the whole word: what was stored, then, is the earlier launch's only
/// where that stored over the same, or where it has stored already.
bool RepeatedLaunches::is_as_before(Earlier& earlier) const {
    if (earlier.incomplete) return false;
    if (earlier.changes != changes_ && hazards_.counts_unwritten(earlier.hazards)) return false;
    if (!earlier.read.hold()) return false;
    return earlier.stored.hold() || (earlier.stored_over && earlier.stored_over->hold());
}

void RepeatedLaunches::prepare(const lanework_simt::Launch& launch) {
    kernel_ = kernel_of(launch);
    key_.reset();
    if (unlike_[kernel_] <= kMostUnlike) key_ = key_of(launch);
}

bool RepeatedLaunches::repeats(bool counts) {
    if (!key_) return false;
    const auto known = by_key_.find(*key_);
    if (known == by_key_.end()) return false;
    for (auto each = known->second.rbegin(); each != known->second.rend(); ++each) {
        if (!is_as_before(**each)) continue;
        (*each)->updated.put_back();
        (*each)->stored.put_back();
        if (counts) hazards_.count_again((*each)->hazards);
        earlier_.splice(earlier_.begin(), earlier_, *each);
        unlike_[kernel_] = 0;
        key_.reset();
        return true;
    }
    return false;
}

/// What it keeps is of no use.
void RepeatedLaunches::give_up_kernel() {
    give_up();
    for (auto each = earlier_.begin(); each != earlier_.end();)
        if (const auto here = each++; here->kernel == kernel_) drop(here);
}

void RepeatedLaunches::launch_begins(const LaunchShape&) {
    touched_.clear();
    over_ = {};
    if (!key_) return;
    if (++unlike_[kernel_] > kMostUnlike) return give_up_kernel();
    if (const auto known = by_key_.find(*key_); known != by_key_.end()) {
        const Earlier& last = *known->second.back();
        over_ = WordValues(united(last.updated.spans(), last.stored.spans()));
    }
}

void RepeatedLaunches::request(const Request& request) {
    if (!key_) return;
    const Space space = request.site->space;
    if (space == Space::global || space == Space::constant)
        touched_.add(request);
    else
        give_up();
}

/// The launch that is watched, as it can be repeated; nothing where it cannot be.
std::optional<RepeatedLaunches::Earlier> RepeatedLaunches::finished() {
    AddressSpans read, updated, stored, allocations;
    for (const TouchedPiece* const piece : touched_.pieces()) {
        AddressSpans touched;
        append_runs(touched, *piece, piece->read | piece->written);
        for (const AddressSpan& span : touched) {
            const std::optional<AddressSpan> allocation = settled_in(span, piece->polled);
            if (!allocation) return {};
            if (allocation->bytes != 0 && (allocations.empty() || allocations.back().address != allocation->address))
                allocations.push_back(*allocation);
        }
        append_runs(read, *piece, piece->read);
        append_runs(updated, *piece, piece->read & piece->written);
        append_runs(stored, *piece, piece->written.without(piece->read));
    }
    const std::uint64_t written = bytes_in(updated) + bytes_in(stored);
    // One that writes nothing may be code that nobody sees.
    if (written == 0 || bytes_in(read) + 2 * written > most_bytes_) return {};
    Earlier made{.key = std::move(*key_),
                 .kernel = kernel_,
                 .read = WordValues(std::move(read)),
                 .updated = WordValues(std::move(updated)),
                 .stored = WordValues(std::move(stored)),
                 .allocations = std::move(allocations),
                 .hazards = hazards_.counts_of_launch(),
                 .changes = changes_};
    made.incomplete = !made.read.take_from(over_, made.updated.spans());
    if (made.incomplete) {
        made.read = {};
    } else if (WordValues before = made.stored; before.take_from(over_, made.stored.spans())) {
        made.stored_over = std::move(before);
    }
    return made;
}

void RepeatedLaunches::launch_ends(const LaunchShape&) {
    ++changes_;
    if (!key_) return;
    if (!hazards_.used_leftovers())
        if (std::optional<Earlier> made = finished()) keep(std::move(*made));
    key_.reset();
}

void RepeatedLaunches::keep(Earlier made) {
    std::vector<List::iterator>& same = by_key_[made.key];
    const auto useless = std::ranges::find_if(same, [](const auto& each) { return each->incomplete; });
    if (useless != same.end())
        drop(*useless);
    else if (same.size() == kMostOfKey)
        drop(same.front());
    kept_bytes_ += made.bytes();
    earlier_.push_front(std::move(made));
    Earlier& kept = earlier_.front();
    kept.place = earlier_.begin();
    by_key_[kept.key].push_back(kept.place);
    for (const AddressSpan& allocation : kept.allocations) by_memory_.add(allocation, &kept);
    while (kept_bytes_ > most_bytes_) drop(std::prev(earlier_.end()));
}

void RepeatedLaunches::drop(List::iterator earlier) {
    kept_bytes_ -= earlier->bytes();
    for (const AddressSpan& allocation : earlier->allocations) by_memory_.remove(allocation, &*earlier);
    const auto same = by_key_.find(earlier->key);
    std::erase(same->second, earlier);
    if (same->second.empty()) by_key_.erase(same);
    earlier_.erase(earlier);
}

/// Memory came or went: what launches did there is nothing that comes again.
void RepeatedLaunches::forget(const MemoryRange& range) {
    give_up();
    for (Earlier* const user : by_memory_.of({reinterpret_cast<std::uint64_t>(range.base), range.bytes}))
        drop(user->place);
}

}  // namespace lanework
