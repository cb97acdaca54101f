#include "src/simt/standstill.hpp"

#include <cxxabi.h>
#include <dirent.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/heap.hpp"
#include "src/simt/module_symbols.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt {
namespace engine {

std::atomic<std::size_t> working_threads{1};
std::atomic<std::uint64_t> clock_reads{0};

void count_clock_read() {
    clock_reads.fetch_add(1, std::memory_order_relaxed);
    reach_beyond_memory();
}

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Of nothing but waiting, until states are compared, and until the program's user hears of it.
constexpr seconds kPatience{1}, kLong{5};
/// Between two looks at memory, and how much longer than the look itself.
constexpr milliseconds kBetweenLooks{100};
constexpr int kLooksShare = 10;
/// Looks at which nothing had changed.
constexpr unsigned kAlike = 4, kTogether = 2;
/// More is not compared: it would take seconds.
constexpr std::size_t kMostBytes = std::size_t{4} << 30;

std::atomic<bool> told{false};

std::size_t threads_of_process() {
    DIR* const tasks = opendir("/proc/self/task");
    if (!tasks) return SIZE_MAX;
    std::size_t count = 0;
    while (const dirent* const entry = readdir(tasks)) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

using Ranges = std::vector<std::span<const std::byte>>;

/// Whether the address lies in one of the object's segments.
bool contains(const dl_phdr_info& object, std::uintptr_t address) {
    return std::any_of(object.dlpi_phdr, object.dlpi_phdr + object.dlpi_phnum, [&](const auto& segment) {
        return segment.p_type == PT_LOAD && address - (object.dlpi_addr + segment.p_vaddr) < segment.p_memsz;
    });
}

/// What the program and its libraries can write of their own, but for the C library: its lists of free memory change
/// while threads of ours look at what the kernel did, and no kernel reads them.
int add_variables(dl_phdr_info* object, std::size_t, void* to) {
    const bool is_program = *object->dlpi_name == '\0';
    if (!is_program && contains(*object, reinterpret_cast<std::uintptr_t>(&gnu_get_libc_version))) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
        static_cast<Ranges*>(to)->emplace_back(reinterpret_cast<const std::byte*>(object->dlpi_addr + segment.p_vaddr),
                                               segment.p_memsz);
    }
    return 0;
}

Ranges memory_of(const std::vector<Block*>& residents, std::size_t shared_bytes) {
    Ranges ranges;
    dl_iterate_phdr(&add_variables, &ranges);
    for (const Allocation& known : memory_map().all()) ranges.emplace_back(known.base, known.bytes);
    for (const Block* block : residents) ranges.emplace_back(block->shared.get(), shared_bytes);
    return ranges;
}

/// Whether nobody but the grid's threads can change what they wait for, and all that they write is known.
bool closed(const Ranges& ranges) {
    std::size_t bytes = 0;
    for (const auto& range : ranges) bytes += range.size();
    return bytes <= kMostBytes && device_heap_bytes() == 0 && !has_host_threads();
}

}  // namespace

bool has_host_threads() { return threads_of_process() > working_threads; }

std::uint64_t digest_of(const void* from, std::size_t bytes, std::uint64_t before) {
    // Four sums that do not wait for one another; each step is one-to-one in what it had and in what it reads.
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
    constexpr std::size_t kSums = 4;
    const auto* at = static_cast<const std::byte*>(from);
    std::uint64_t sums[kSums] = {before, before + 1, before + 2, before + 3}, words[kSums];
    for (; bytes >= sizeof words; bytes -= sizeof words, at += sizeof words) {
        std::memcpy(words, at, sizeof words);
        for (std::size_t i = 0; i < kSums; ++i) {
            sums[i] = (sums[i] ^ words[i]) * kFactor;
            sums[i] ^= sums[i] >> 29;
        }
    }
    std::memset(words, 0, sizeof words);
    std::memcpy(words, at, bytes);
    std::uint64_t all = bytes;
    for (std::size_t i = 0; i < kSums; ++i) {
        all = (all ^ ((sums[i] ^ words[i]) * kFactor)) * kFactor;
        all ^= all >> 29;
    }
    return all;
}

void Standstill::reset(Grid& grid) {
    grid_ = &grid;
    watching_ = published_ = false;
    expected_ = 0;
}

bool Standstill::stands(std::size_t idle, std::size_t runnable, const std::vector<Block*>& residents,
                        std::size_t shared_bytes) {
    const auto now = Clock::now();
    if (idle != expected_ || expected_ == 0) {
        watching_ = false;
        publish(false);
        since_ = next_ = now;
    }
    expected_ = idle + kLook;
    if (now - since_ < kPatience || now < next_) return false;
    const Ranges ranges = memory_of(residents, shared_bytes);
    if (!closed(ranges)) {
        watching_ = false;
        publish(false);
        next_ = now + kPatience;
        return false;
    }
    std::uint64_t memory = 0;
    for (const auto& range : ranges) memory = digest_of(range.data(), range.size(), memory);
    const auto after = Clock::now();
    next_ = after + std::max<Clock::duration>(kBetweenLooks, (after - now) * kLooksShare);
    const bool changed = !watching_ || memory != memory_ || clocks_ != clock_reads;
    if (changed) open(memory);
    alike_ = returned_ == seen_ && seen_ >= runnable ? alike_ + 1 : 0;
    publish(alike_ >= kAlike);
    together_ = published_ && grid_->all_stand() ? together_ + 1 : 0;
    return together_ >= kTogether;
}

void Standstill::open(std::uint64_t memory) {
    watching_ = true;
    memory_ = memory;
    clocks_ = clock_reads;
    ++window_;
    seen_ = returned_ = 0;
    alike_ = together_ = 0;
}

void Standstill::saw(Fiber& fiber, std::uint64_t state) {
    Circle& circle = fiber.circle;
    if (circle.window != window_) {
        circle = {.window = window_, .anchor = state, .age = 0, .span = 1, .closed = false};
        ++seen_;
        return;
    }
    if (circle.closed) return;
    if (state == circle.anchor) {
        circle.closed = true;
        ++returned_;
    } else if (++circle.age == circle.span) {  // a circle of any length is found in three times its length (Brent 1980)
        circle.anchor = state;
        circle.age = 0;
        circle.span *= 2;
    }
}

void Standstill::publish(bool stands) {
    if (stands == published_) return;
    published_ = stands;
    grid_->stand(stands);
}

bool Standstill::to_tell() const { return Clock::now() - since_ > kLong && !told.exchange(true); }

long Standstill::seconds() const {
    return static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count());
}

namespace {

/// As it is written in the source.
std::string name_of_symbol(const std::string& symbol) {
    int status = 0;
    char* const plain = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    const std::string name = status == 0 && plain ? plain : symbol;
    std::free(plain);
    return name;
}

std::string behind(std::size_t bytes, std::size_t of, const char* what) {
    if (bytes == 0) return fmt::format("the start of {} bytes of {} memory", of, what);
    return fmt::format("byte {} of {} of {} memory", bytes, of, what);
}

}  // namespace

std::string describe_address(const volatile void* address, const Block& block, const void* in) {
    const auto* const at = const_cast<const std::byte*>(static_cast<const volatile std::byte*>(address));
    if (!at) return {};
    const auto in_shared = static_cast<std::size_t>(at - block.shared.get());
    if (in_shared < kArenaBytes) return fmt::format("byte {} of the block's shared memory", in_shared);
    for (const ModuleVariable& variable : module_variables(in)) {
        const auto offset = static_cast<std::size_t>(at - variable.address);
        if (offset >= variable.bytes) continue;
        const std::string name = name_of_symbol(variable.symbol);
        return offset == 0 ? fmt::format("`{}`", name) : fmt::format("byte {} of `{}`", offset, name);
    }
    const auto known = memory_map().find(at);
    if (!known) return {};
    const auto offset = static_cast<std::size_t>(at - known->base);
    switch (known->origin) {
        case Origin::host:
        case Origin::registered: return behind(offset, known->bytes, "pinned");
        case Origin::managed: return behind(offset, known->bytes, "managed");
        default: return behind(offset, known->bytes, "device");
    }
}

bool is_of_host(const volatile void* address) {
    const auto known = memory_map().find(const_cast<const void*>(address));
    return known && !known->device_only();
}

}  // namespace engine
}  // namespace lanework_simt
