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

template <class T>
void append_bytes(std::string& text, const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The launch's code, shape and arguments; nothing where not all of them are known.
std::optional<std::string> key_of(const lanework_simt::Launch& launch) {
    if (!launch.arguments || !launch.kernel_known) return {};
    std::string key;
    // Each place that launches a kernel has a function of its own that runs it.
    append_bytes(key, launch.address ? launch.address : reinterpret_cast<const void*>(launch.run));
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

/// Whether nobody but the kernel changes the span while it runs, and it stays there until that is told. `polled`: a
/// kernel that waits for the host would see what that writes.
bool is_settled(AddressSpan span, bool polled) {
    const auto* const first = reinterpret_cast<const void*>(span.address);
    const auto* const last = reinterpret_cast<const void*>(span.end() - 1);
    if (constant_variables(span.address).high != 0) return true;
    const bool of_program = lanework_simt::is_program_data(first) && lanework_simt::is_program_data(last);
    if (of_program && !polled) return true;
    const auto known = lanework_simt::memory_map().find(first);
    if (!known || known->origin == lanework_simt::Origin::registered) return false;
    if (polled && !known->device_only()) return false;
    // What fills the last word of an allocation is nobody's.
    const std::uint64_t end = reinterpret_cast<std::uint64_t>(known->base) + known->bytes;
    return span.end() < end + kTouchedWordBytes;
}

void append_runs(AddressSpans& spans, const TouchedPiece& piece, const WordBits& bits) {
    bits.each_run([&](std::size_t first, std::size_t count) {
        append_span(spans, {piece.address + first * kTouchedWordBytes, count * kTouchedWordBytes});
    });
}

}  // namespace

std::uint64_t RepeatedLaunches::Earlier::bytes() const {
    const std::size_t spans = before.spans().size() + after.spans().size() + updated.size();
    return sizeof(Earlier) + 2 * key.size() + bytes_in(before.spans()) + bytes_in(after.spans()) +
           spans * (sizeof(AddressSpan) + sizeof(std::uint64_t));
}

/// How often bytes were read that nobody had written is the same only while nobody writes.
bool RepeatedLaunches::is_as_before(Earlier& earlier) const {
    if (earlier.incomplete) return false;
    if (earlier.changes != changes_ && hazards_.counts_unwritten(earlier.hazards)) return false;
    return earlier.before.hold();
}

void RepeatedLaunches::prepare(const lanework_simt::Launch& launch) { key_ = key_of(launch); }

bool RepeatedLaunches::repeats(bool counts) {
    if (!key_) return false;
    const auto known = by_key_.find(*key_);
    if (known == by_key_.end()) return false;
    for (auto each = known->second.rbegin(); each != known->second.rend(); ++each) {
        if (!is_as_before(**each)) continue;
        (*each)->after.put_back();
        if (counts) hazards_.count_again((*each)->hazards);
        earlier_.splice(earlier_.begin(), earlier_, *each);
        key_.reset();
        return true;
    }
    return false;
}

void RepeatedLaunches::launch_begins(const LaunchShape&) {
    touched_.clear();
    updated_before_ = {};
    if (!key_) return;
    if (const auto known = by_key_.find(*key_); known != by_key_.end())
        updated_before_ = WordValues(known->second.back()->updated);
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
    AddressSpans read, written, updated;
    for (const TouchedPiece* const piece : touched_.pieces()) {
        AddressSpans touched;
        append_runs(touched, *piece, piece->read | piece->written);
        for (const AddressSpan& span : touched)
            if (!is_settled(span, piece->polled)) return {};
        append_runs(read, *piece, piece->read);
        append_runs(written, *piece, piece->written);
        append_runs(updated, *piece, piece->read & piece->written);
    }
    // One that writes nothing may be code that nobody sees.
    if (written.empty() || bytes_in(read) + bytes_in(written) > most_bytes_) return {};
    Earlier made{.key = std::move(*key_),
                 .before = WordValues(std::move(read)),
                 .after = WordValues(std::move(written)),
                 .updated = united(updated_before_.spans(), updated),
                 .hazards = hazards_.counts_of_launch(),
                 .changes = changes_};
    for (const AddressSpan& span : updated)
        made.incomplete = made.incomplete || !made.before.take_from(updated_before_, span);
    if (made.incomplete) made.before = made.after = {};
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
    by_key_[earlier_.front().key].push_back(earlier_.begin());
    while (kept_bytes_ > most_bytes_) drop(std::prev(earlier_.end()));
}

RepeatedLaunches::List::iterator RepeatedLaunches::drop(List::iterator earlier) {
    kept_bytes_ -= earlier->bytes();
    const auto same = by_key_.find(earlier->key);
    std::erase(same->second, earlier);
    if (same->second.empty()) by_key_.erase(same);
    return earlier_.erase(earlier);
}

/// Memory came or went: what launches did there is nothing that comes again.
void RepeatedLaunches::forget(const MemoryRange& range) {
    give_up();
    const AddressSpan gone{reinterpret_cast<std::uint64_t>(range.base), range.bytes};
    for (auto each = earlier_.begin(); each != earlier_.end();) {
        const bool touched =
            overlap(each->before.spans(), gone) || overlap(each->after.spans(), gone) || overlap(each->updated, gone);
        each = touched ? drop(each) : std::next(each);
    }
}

}  // namespace lanework
