// Follows copies, launches and what the host reads, by the addresses of words.
#include "src/trace/record/gpu_memory.hpp"

#include <algorithm>
#include <lanework_simt/launch.hpp>
#include <span>
#include <utility>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"
#include "src/trace/analyse/function_name.hpp"

namespace lanework {
namespace {

// What the host decides by is a number or a few; longer arrays are results, of which some word nearly always all but
// cancelled out.
constexpr std::uint64_t kMostDecidedBy = 64;

// Addresses of this processor's programs have so many bits; those above may hold marks.
constexpr std::uint64_t kAddressBits = (std::uint64_t{1} << 48) - 1;
// So near to an array an address is of it: past its end, and before its first element where that is counted from 1.
constexpr std::uint64_t kBeside = 4096;
// Nothing but an address is a number so near to one.
constexpr std::uint64_t kNearMemory = std::uint64_t{1} << 32;

using Allocations = std::vector<lanework_simt::Allocation>;

MachineArray array_of(const lanework_simt::Allocation& range) {
    return {reinterpret_cast<std::uint64_t>(range.base), range.bytes};
}

/// Calls see(array) for each of `all`, by address, that the word may be an address of; returns whether it is one of
/// any.
template <class See>
bool for_arrays_named_by(std::uint64_t word, const Allocations& all, See see) {
    word &= kAddressBits;
    const auto end_of = [](const lanework_simt::Allocation& range) {
        return reinterpret_cast<std::uint64_t>(range.base) + range.bytes + kBeside;
    };
    const auto first = std::ranges::lower_bound(all, word, {}, end_of);
    auto at = first;
    for (; at != all.end() && array_of(*at).base <= word + kBeside; ++at) see(array_of(*at));
    return at != first;
}

/// Whether a word that is no array's address looks like an address all the same.
bool looks_like_address(std::uint64_t word, const Allocations& all) {
    word &= kAddressBits;
    return std::ranges::any_of(all, [&](const lanework_simt::Allocation& range) {
        const MachineArray array = array_of(range);
        return word + kNearMemory >= array.base && word <= array.base + array.bytes + kNearMemory;
    });
}

/// The arrays that arguments may name, in their order; nothing where one of them may be an address of any memory.
std::optional<std::vector<MachineArray>> arrays_of(const std::vector<KeptArgument>& arguments, const Allocations& all) {
    constexpr std::size_t kAligned = 4;
    std::vector<MachineArray> arrays;
    for (const KeptArgument& argument : arguments)
        for (std::size_t at = 0; at + sizeof(void*) <= argument.bytes.size(); at += kAligned) {
            const auto word = value_at<std::uint64_t>(&argument.bytes[at]);
            const bool named =
                for_arrays_named_by(word, all, [&](const MachineArray& array) { arrays.push_back(array); });
            if (!named && looks_like_address(word, all)) return {};
        }
    return arrays;
}

/// Calls see(array) for each of `all`, by address, that a word of 8 bytes may be an address of which `bytes` hold, a
/// copy of what lies at `base` or that itself.
template <class See>
void for_arrays_named_in(std::span<const std::byte> bytes, std::uint64_t base, const Allocations& all, See see) {
    constexpr std::uint64_t kPointer = sizeof(void*);
    if (all.empty()) return;
    const std::uint64_t lowest = array_of(all.front()).base - kBeside,
                        highest = array_of(all.back()).base + all.back().bytes + kBeside;
    for (std::uint64_t at = (kPointer - base % kPointer) % kPointer; at + kPointer <= bytes.size(); at += kPointer) {
        const auto word = value_at<std::uint64_t>(&bytes[at]);
        if ((word & kAddressBits) >= lowest && (word & kAddressBits) <= highest) for_arrays_named_by(word, all, see);
    }
}

}  // namespace

void GpuMemory::doubt_reached(unsigned why, Reach reach, const std::vector<KeptArgument>& arguments,
                              const MemorySnapshot* before) {
    const Allocations all = lanework_simt::memory_map().all();
    const auto named = arrays_of(arguments, all);
    if (reach == Reach::everything || !named) return doubt_everything(why);
    std::vector<MachineArray> reached = *named;
    for (const MachineVariables* const variables : variables_)
        for (const std::span<std::byte> range : variables->memory())
            reached.push_back({reinterpret_cast<std::uint64_t>(range.data()), range.size()});
    bool strays = false;
    for (std::size_t i = 0; i < reached.size() && !strays; ++i) {
        const MachineArray from = reached[i];
        const auto see = [&](const MachineArray& array) {
            // Another pointer may lie there on a GPU.
            strays = strays || doubtful_.why(from.base, from.bytes) != 0;
            if (std::ranges::find(reached, array.base, &MachineArray::base) == reached.end()) reached.push_back(array);
        };
        const std::span now(reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(from.base)), from.bytes);
        for_arrays_named_in(now, from.base, all, see);
        if (before == nullptr) continue;
        // The launch may have followed an address and then have written something else there.
        const std::span<const std::byte> then = before->at(from.base);
        if (then.size() < from.bytes) return doubt_everything(why);
        if (!std::ranges::equal(now, then.first(from.bytes)))
            for_arrays_named_in(then.first(from.bytes), from.base, all, see);
    }
    if (strays) return doubt_everything(why);
    for (const MachineArray& array : reached) doubtful_.add(why, array.base, array.bytes);
    doubt_variables(why);
}

void GpuMemory::doubt_everything(unsigned why) {
    if (why == 0) return;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        doubtful_.add(why, reinterpret_cast<std::uint64_t>(range.base), range.bytes);
    doubt_variables(why);
}

void GpuMemory::doubt_variables(unsigned why) {
    for (const MachineVariables* const variables : variables_)
        for (const auto& each : {variables->memory(), variables->left_out()})
            for (const std::span<std::byte> range : each)
                doubtful_.add(why, reinterpret_cast<std::uint64_t>(range.data()), range.size());
}

void GpuMemory::doubt_carried(std::uint64_t address, std::uint64_t bytes) {
    doubtful_.add(carried_.why(address, bytes), address, bytes);
    carried_.erase(address, bytes);
}

void GpuMemory::doubt_carried() {
    if (carried_.empty()) return;
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all()) {
        const auto base = reinterpret_cast<std::uint64_t>(range.base);
        doubtful_.add(carried_.why(base, range.bytes), base, range.bytes);
    }
    carried_.clear();
}

const LeftByLaunch* GpuMemory::stores_of(std::string_view kernel) const {
    const auto known = first_launches_.find(base_name(kernel));
    return known == first_launches_.end() || !known->second.left ? nullptr : &*known->second.left;
}

void GpuMemory::launch_unseen(std::string_view kernel, const std::vector<KeptArgument>& arguments) {
    doubt_carried();
    const LeftByLaunch* const known = stores_of(kernel);
    const unsigned why = doubtful_.why() | (known ? known->why : DoubtfulMemory::kAll);
    if (why == 0) return;
    if (!known) {
        const auto first = first_launches_.find(base_name(kernel));
        // It has not run: what memory holds is what it begins with.
        return doubt_reached(why, first == first_launches_.end() ? Reach::everything : first->second.reach, arguments,
                             nullptr);
    }
    std::vector<MachineArray> arrays = known->stored;
    std::vector<KeptArgument> stored_through;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (i >= known->through.parameters.size() || known->through.parameters[i])
            stored_through.push_back(arguments[i]);
    const auto named = arrays_of(stored_through, lanework_simt::memory_map().all());
    if (!named) return doubt_everything(why);
    arrays.insert(arrays.end(), named->begin(), named->end());
    if (known->through.variables) doubt_variables(why);
    if (known->through.memory) doubt_reached(why, Reach::arguments, arguments, nullptr);
    for (const MachineArray& array : arrays) doubtful_.add(why, array.base, array.bytes);
}

void GpuMemory::allocated(const void* base, std::size_t bytes) {
    doubtful_.remove(reinterpret_cast<std::uint64_t>(base), bytes);
    carried_.erase(reinterpret_cast<std::uint64_t>(base), bytes);
}

void GpuMemory::let_host_see(std::uint64_t address, std::uint64_t bytes) {
    unsigned why = doubtful_.why(address, bytes) & DoubtfulMemory::order;
    if (bytes <= kMostDecidedBy)
        why |= (doubtful_.why(address, bytes) | carried_.why(address, bytes)) & DoubtfulMemory::size;
    host_saw_ = host_saw_ || why != 0;
}

void GpuMemory::copied(const lanework_simt::StreamCopy& copy) {
    using Way = lanework_simt::StreamCopy::Way;
    const auto from = reinterpret_cast<std::uint64_t>(copy.from), to = reinterpret_cast<std::uint64_t>(copy.to);
    if (copy.prefetches) return;
    if (copy.way == Way::download || copy.way == Way::on_host) let_host_see(from, copy.span);
    if (copy.way == Way::download || copy.way == Way::on_host) return;
    constexpr std::uint64_t kWord = 4;
    const bool on_device = copy.way == Way::on_device;
    const bool whole_words = copy.span == copy.bytes && (to | copy.span | (on_device ? from : 0)) % kWord == 0;
    unsigned why = on_device ? doubtful_.why(from, copy.span) : host_saw_ ? DoubtfulMemory::order : 0;
    if (!whole_words) {
        why |= on_device ? carried_.why(from, copy.span) : 0;
        doubt_carried(to, copy.span);
    } else if (on_device) {
        carried_.copy(from, to, copy.span);
    } else {
        carried_.erase(to, copy.span);
    }
    if (copy.span == copy.bytes) doubtful_.remove(to, copy.span);
    if (why != 0) doubtful_.add(why, to, copy.span);
}

void GpuMemory::launch_begins(const MemorySnapshot& before) {
    const auto changed = [&](const CarriedWord& word) {
        return before.range_of(word.address).bytes != 0 &&
               value_at<std::uint32_t>(reinterpret_cast<const std::byte*>(word.address)) != word.theirs;
    };
    if (std::ranges::any_of(carried_.all(), changed)) {
        doubt_everything(DoubtfulMemory::rounding | DoubtfulMemory::size);
        carried_.clear();
    }
}

void GpuMemory::launch_ended(std::string_view kernel, std::optional<LeftByLaunch> left, bool unclear, Reach reach,
                             const std::vector<KeptArgument>& arguments, const MemorySnapshot* before) {
    if (left) doubtful_ = left->doubtful;
    carried_ = left ? std::exchange(left->carried, {}) : CarriedWords();
    if (!left || unclear)
        doubt_reached(left ? doubtful_.why() : DoubtfulMemory::kAll, before ? reach : Reach::everything, arguments,
                      before);
    first_launches_.emplace(base_name(kernel), FirstLaunch{std::move(left), reach});
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        if (range.host_reaches()) let_host_see(reinterpret_cast<std::uint64_t>(range.base), range.bytes);
    if (host_saw_) doubt_everything(DoubtfulMemory::order);
}

MemorySnapshot GpuMemory::on_gpu(const MemorySnapshot& before) const {
    MemorySnapshot memory = before;
    for (const CarriedWord& word : carried_.all()) memory.set(word.address, word.mine);
    return memory;
}

CarriedWords carried_from(const MemorySnapshot& memory, const MemorySnapshot& before, Fractions fractions,
                          DoubtfulMemory& doubted) {
    constexpr std::size_t kMostWords = std::size_t{1} << 22;
    CarriedWords carried;
    const auto words = memory.what_memory_differs_in(before, fractions, kMostWords, doubted);
    if (!words) {
        memory.add_what_memory_differs_in(before, fractions, doubted);
        return carried;
    }
    for (const CarriedWord& word : *words) {
        if (doubted.why(word.address, sizeof word.mine) != 0) continue;
        const auto range = lanework_simt::memory_map().find(reinterpret_cast<const void*>(word.address));
        if (range && !range->host_reaches()) {
            carried.add(word);
        } else {
            const MachineArray array = memory.range_of(word.address);
            doubted.add(word.why, array.base, array.bytes);
        }
    }
    return carried;
}

}  // namespace lanework
