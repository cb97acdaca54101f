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

/// The arrays that arguments name, in their order.
std::vector<MachineArray> arrays_of(const std::vector<KeptArgument>& arguments) {
    std::vector<MachineArray> arrays;
    for (const KeptArgument& argument : arguments)
        for (std::size_t at = 0; at + sizeof(void*) <= argument.bytes.size(); at += sizeof(void*))
            if (const auto range = lanework_simt::memory_map().find(value_at<const void*>(&argument.bytes[at])))
                arrays.push_back({reinterpret_cast<std::uint64_t>(range->base), range->bytes});
    return arrays;
}

/// Calls see(array) for each of `all`, by address, that a word of 8 bytes in `array` points into.
template <class See>
void for_arrays_named_in(const MachineArray& array, const std::vector<lanework_simt::Allocation>& all, See see) {
    constexpr std::uint64_t kPointer = sizeof(void*);
    if (all.empty()) return;
    const auto* const lowest = all.front().base;
    const auto* const highest = all.back().base + all.back().bytes;
    for (std::uint64_t at = (array.base + kPointer - 1) / kPointer * kPointer;
         at + kPointer <= array.base + array.bytes; at += kPointer) {
        const auto* const pointer =
            value_at<const std::byte*>(reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(at)));
        if (pointer < lowest || pointer >= highest) continue;
        const auto after = std::ranges::upper_bound(all, pointer, {}, &lanework_simt::Allocation::base);
        if (after == all.begin() || !(after - 1)->contains(pointer, 0)) continue;
        see(MachineArray{reinterpret_cast<std::uint64_t>((after - 1)->base), (after - 1)->bytes});
    }
}

}  // namespace

void GpuMemory::doubt_reached(unsigned why, Reach reach, const std::vector<KeptArgument>& arguments) {
    if (reach == Reach::everything) return doubt_everything(why);
    const std::vector<lanework_simt::Allocation> all = lanework_simt::memory_map().all();
    std::vector<MachineArray> reached = arrays_of(arguments);
    for (const MachineVariables* const variables : variables_)
        for (const std::span<std::byte> range : variables->memory())
            reached.push_back({reinterpret_cast<std::uint64_t>(range.data()), range.size()});
    bool strays = false;
    for (std::size_t i = 0; i < reached.size() && !strays; ++i)
        for_arrays_named_in(MachineArray(reached[i]), all, [&](const MachineArray& array) {
            // Another pointer may lie there on a GPU.
            strays = strays || doubtful_.why(reached[i].base, reached[i].bytes) != 0;
            if (std::ranges::find(reached, array.base, &MachineArray::base) == reached.end()) reached.push_back(array);
        });
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
        return doubt_reached(why, first == first_launches_.end() ? Reach::everything : first->second.reach, arguments);
    }
    std::vector<MachineArray> arrays = known->stored;
    const std::vector<MachineArray> named = arrays_of(arguments);
    if (!std::ranges::equal(named, arrays_of(known->arguments), {}, &MachineArray::base, &MachineArray::base))
        arrays.insert(arrays.end(), named.begin(), named.end());
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
                             const std::vector<KeptArgument>& arguments) {
    if (left) doubtful_ = left->doubtful;
    carried_ = left ? std::exchange(left->carried, {}) : CarriedWords();
    if (!left || unclear) doubt_reached(left ? doubtful_.why() : DoubtfulMemory::kAll, reach, arguments);
    first_launches_.emplace(base_name(kernel), FirstLaunch{std::move(left), reach});
    for (const lanework_simt::Allocation& range : lanework_simt::memory_map().all())
        if (!range.device_only()) let_host_see(reinterpret_cast<std::uint64_t>(range.base), range.bytes);
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
        if (range && range->device_only()) {
            carried.add(word);
        } else {
            const MachineArray array = memory.range_of(word.address);
            doubted.add(word.why, array.base, array.bytes);
        }
    }
    return carried;
}

}  // namespace lanework
