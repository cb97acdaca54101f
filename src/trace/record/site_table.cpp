// Finding a site takes one probe where a site always accesses the same array, which is nearly always.
#include "src/trace/record/site_table.hpp"

#include <lanework_simt/launch.hpp>

#include "src/simt/api_memory_map.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

constexpr std::size_t kFirstSlots = 256;

std::size_t hash(lanework_simt::EventCode code) {
    const std::uint64_t value = code.pc() * 8 + static_cast<std::uint64_t>(code.kind());
    return static_cast<std::size_t>(value * 0x9e3779b97f4a7c15u >> 32);
}

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

Region region_of(std::uint64_t address) {
    if (const AddressRange constant = constant_variables(address); constant.high != 0)
        return {constant.low, constant.high, Space::constant};
    const auto* const pointer = reinterpret_cast<const void*>(address);
    if (const auto allocation = lanework_simt::memory_map().find(pointer)) {
        const std::uint64_t base = number(allocation->base);
        return {base, base + allocation->bytes, Space::global};
    }
    if (const auto stacks = lanework_simt::thread_stacks(pointer); !stacks.empty())
        return {number(stacks.data()), number(stacks.data()) + stacks.size(), Space::local};
    if (lanework_simt::is_program_data(pointer)) return {address, address + 1, Space::global};
    return {address, address + 1, Space::unknown};
}

SiteTable::SiteTable() : slots_(kFirstSlots) {}

SiteTable::Entry& SiteTable::entry(EventCode code) {
    const std::size_t last = slots_.size() - 1;
    for (std::size_t slot = hash(code) & last;; slot = (slot + 1) & last) {
        if (!slots_[slot]) {
            entries_.push_back({.code = code, .region = {}, .site = nullptr, .all = {}});
            slots_[slot] = &entries_.back();
            if (entries_.size() * 2 > slots_.size()) rehash();
            return entries_.back();
        }
        if (slots_[slot]->code == code) return *slots_[slot];
    }
}

void SiteTable::rehash() {
    slots_.assign(slots_.size() * 2, nullptr);
    const std::size_t last = slots_.size() - 1;
    for (Entry& entry : entries_) {
        std::size_t slot = hash(entry.code) & last;
        while (slots_[slot]) slot = (slot + 1) & last;
        slots_[slot] = &entry;
    }
}

Site& SiteTable::Entry::site_in(SiteTable& table, EventCode wanted, Space space) {
    for (const Known& known : all)
        if (known.site->space == space) return *known.site;
    Site& made = table.sites_.emplace_back();
    made.id = static_cast<std::uint32_t>(table.sites_.size() - 1);
    made.pc = wanted.pc();
    made.kind = wanted.kind();
    made.space = space;
    made.bytes = wanted.bytes();
    made.is_volatile = wanted.is_volatile();
    made.atomic_access = wanted.is_atomic();
    made.compares = wanted.compares();
    made.block_scope = wanted.of_block_scope();
    all.push_back({&made, {}});
    return made;
}

/// To where one of its sites was before: a reference may lead to a thread's own memory and to an array by turns.
bool SiteTable::Entry::move_to(std::uint64_t address) {
    for (const Known& known : all) {
        if (!known.region.contains(address)) continue;
        region = known.region;
        site = known.site;
        return true;
    }
    return false;
}

void SiteTable::Entry::move_to(SiteTable& table, EventCode wanted, const Region& there) {
    region = there;
    site = &site_in(table, wanted, there.space);
    for (Known& known : all)
        if (known.site == site) known.region = there;
}

Site& SiteTable::outside(EventCode code, std::uint64_t address) {
    Entry& found = entry(code);
    if (!found.region.contains(address) && !found.move_to(address)) found.move_to(*this, code, region_of(address));
    return *found.site;
}

}  // namespace lanework
