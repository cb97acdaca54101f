// The observer, the tapes that it reads, and what a thread does whose tape is full.
#include "src/simt/observing.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <utility>

#include "src/simt/worker.hpp"

namespace lanework_simt {

namespace {

Observer* current = nullptr;

/// What can be written of a loaded file: its variables.
struct Variables {
    std::uint64_t low, high;
};

int add_variables(dl_phdr_info* info, std::size_t, void* list) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
        const std::uint64_t low = info->dlpi_addr + segment.p_vaddr;
        static_cast<std::vector<Variables>*>(list)->push_back({low, low + segment.p_memsz});
    }
    return 0;
}

/// The thread-local variables of the thread that the observed launch runs on: library code that a kernel calls has some
/// (errno).
std::vector<std::span<const std::byte>> observed_locals;

int add_locals(dl_phdr_info* info, std::size_t, void*) {
    for (int i = 0; info->dlpi_tls_data && i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            observed_locals.emplace_back(static_cast<const std::byte*>(info->dlpi_tls_data),
                                         info->dlpi_phdr[i].p_memsz);
    return 0;
}

std::span<const std::byte> thread_locals(const void* address) {
    for (const std::span<const std::byte>& all : observed_locals)
        if (static_cast<std::size_t>(static_cast<const std::byte*>(address) - all.data()) < all.size()) return all;
    return {};
}

/// The variables of the program and of the libraries that it has loaded, as they were at the first call.
const std::vector<Variables>& all_variables() {
    static const auto& all = *[] {
        auto* const found = new std::vector<Variables>;
        dl_iterate_phdr(add_variables, found);
        return found;
    }();
    return all;
}

}  // namespace

void set_observer(Observer* observer) {
    // Before a fork who was registered last is asked first: the observer's lock comes before that of the touches.
    [[maybe_unused]] static const int once = [] {
        keep_host_touches_through_forks();
        return pthread_atfork(
            [] {
                if (current) current->fork_begins();
            },
            [] {
                if (current) current->fork_ends(false);
            },
            [] {
                if (current) current->fork_ends(true);
            });
    }();
    current = observer;
}
Observer* observer() { return current; }

std::span<const std::byte> thread_stacks(const void* address) {
    const engine::Worker* const worker = context.worker ? context.worker : engine::observed_worker.load();
    if (!worker) return {};
    const std::span<const std::byte> stacks = worker->fibers().stacks_at(address);
    return stacks.empty() ? thread_locals(address) : stacks;
}

bool is_program_data(const void* address) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    return std::any_of(all_variables().begin(), all_variables().end(),
                       [at](const Variables& each) { return each.low <= at && at < each.high; });
}

namespace engine {

Flag observed;
std::atomic<const Worker*> observed_worker = nullptr;

void begin_observed_launch(const Worker& worker) {
    observed_locals.clear();
    dl_iterate_phdr(add_locals, nullptr);
    observed_worker = &worker;
}
void end_observed_launch() { observed_worker = nullptr; }

std::atomic<bool> beyond_memory{false};

namespace {

Printed printed_so_far;
/// Of each warp that printed, the most that a thread of it did; of each block, the longest that a thread waited.
std::unordered_map<std::uint64_t, std::uint64_t> printed_by_warp;
std::unordered_map<std::uint64_t, long long> waited_by_block;

std::uint64_t number_of_block() {
    const uint3 block = block_index();
    const dim3 blocks = grid_dim();
    return (std::uint64_t{block.z} * blocks.y + block.y) * blocks.x + block.x;
}

/// A tape that is shorter than it was has been emptied.
bool only_jumps_since(const ClockWait& wait, const Tape& tape) {
    for (std::size_t event = tape.size >= wait.events ? wait.events : 0; event < tape.size; ++event)
        if (tape.code(event).kind() != EventKind::path) return false;
    return true;
}

}  // namespace

const Printed& printed() { return printed_so_far; }

ClockWaits clock_waits() {
    ClockWaits all;
    for (const auto& [block, waited] : waited_by_block) {
        all.longest = std::max(all.longest, waited);
        all.of_all_blocks += waited;
    }
    return all;
}

void forget_prints_and_waits() {
    printed_so_far = {};
    printed_by_warp.clear();
    waited_by_block.clear();
}

void note_print() {
    reach_beyond_memory();
    if (!observed || !context.tape) return;
    const uint3 thread = thread_index();
    const dim3 threads = block_dim();
    const std::uint64_t in_block = (std::uint64_t{thread.z} * threads.y + thread.y) * threads.x + thread.x;
    std::uint64_t& of_warp = printed_by_warp[number_of_block() * kWarpLanes + in_block / kWarpLanes];
    ++printed_so_far.by_threads;
    if (++context.tape->printed <= of_warp) return;
    of_warp = context.tape->printed;
    ++printed_so_far.by_warps;
    printed_so_far.most = std::max(printed_so_far.most, of_warp);
}

void note_clock_read(long long clocks, const void* place) {
    constexpr long long kReadingsOfAWait = 64;
    if (!observed || !context.tape) return;
    ClockWait& wait = context.tape->clock_wait;
    if (wait.place != place || !only_jumps_since(wait, *context.tape)) {
        if (wait.readings > kReadingsOfAWait) wait.earlier += wait.last - wait.first;
        wait = {place, clocks, clocks, 1, context.tape->size, wait.earlier};
        return;
    }
    // It had not waited long enough at its last reading; what this one would add may be the turns of other threads.
    if (++wait.readings > kReadingsOfAWait) {
        long long& of_block = waited_by_block[number_of_block()];
        of_block = std::max(of_block, wait.earlier + wait.last - wait.first);
    }
    wait.last = clocks;
    wait.events = context.tape->size;
}

Tapes::~Tapes() {
    for (const Tape& tape : tapes_) std::free(tape.codes);
}

void Tapes::reset(unsigned threads) {
    if (tapes_.size() < threads) tapes_.resize(threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
        Tape& tape = tapes_[thread];
        tape.size = tape.read = 0;
        tape.clock_wait = {};
        tape.printed = 0;
        const Tape& first = tapes_[thread - thread % kWarpLanes];
        tape.leader = &first == &tape ? nullptr : &first;
    }
}

// Codes and addresses are one piece of memory, some cache lines longer than a power of two: the tapes of a warp, which
// are read side by side, must not all fall into the same cache sets.
bool Tapes::grow(Tape& tape) {
    constexpr std::size_t kStagger = 80;
    if (tape.capacity >= kMaxEvents) return false;
    const std::size_t wanted = std::max(kFirstEvents, tape.capacity * 2);
    void* const memory = std::malloc(wanted * (sizeof(EventCode) + sizeof(std::uint64_t)) + kStagger);
    if (!memory) return false;
    auto* const codes = static_cast<EventCode*>(memory);
    auto* const addresses = reinterpret_cast<std::uint64_t*>(codes + wanted);
    if (!tape.leader) std::copy_n(tape.codes, tape.size, codes);
    std::copy_n(tape.addresses, tape.size, addresses);
    std::free(tape.codes);
    tape.codes = codes;
    tape.addresses = addresses;
    tape.capacity = wanted;
    return true;
}

void Tapes::drop_read(Tape& tape) {
    const std::size_t left = tape.size - tape.read;
    std::memmove(tape.codes, tape.codes + tape.read, left * sizeof(EventCode));
    std::memmove(tape.addresses, tape.addresses + tape.read, left * sizeof(std::uint64_t));
    tape.size = left;
    tape.read = 0;
}

namespace {

bool is_full(const Tape& tape) { return tape.size >= Tapes::kMaxEvents; }

/// Marks the lanes of the warp that wait; false while one of the others can still write its tape.
bool warp_is_settled(Block& block, unsigned warp) {
    const Warp& state = block.warps[warp];
    const unsigned gone = state.exited | state.waiting;
    bool settled = true;
    for (unsigned lane = 0; lane < kWarpLanes && state.lanes >> lane & 1; ++lane) {
        Tape& tape = block.tapes.of(warp * kWarpLanes + lane);
        tape.waits = gone >> lane & 1;
        settled = settled && (tape.waits || is_full(tape));
    }
    return settled;
}

/// Gives the tape codes of its own.
void leave_leader(Tape& tape) {
    if (!tape.leader) return;
    std::copy_n(tape.leader->codes, tape.size, tape.codes);
    tape.leader = nullptr;
}

void read_filled(Block& block, unsigned warp) {
    for (unsigned lane = 0; lane < kWarpLanes && block.warps[warp].lanes >> lane & 1; ++lane)
        leave_leader(block.tapes.of(warp * kWarpLanes + lane));
    const Unwatched pause;
    observer()->warp_filled(observed_block(block), warp);
    for (unsigned lane = 0; lane < kWarpLanes && block.warps[warp].lanes >> lane & 1; ++lane)
        Tapes::drop_read(block.tapes.of(warp * kWarpLanes + lane));
}

/// Lets the others of the current thread's warp go on until its tape has room.
void make_room(Tape& tape) {
    if (Tapes::grow(tape)) return;
    if (tape.capacity == 0) throw std::bad_alloc();
    const unsigned warp = context.thread / kWarpLanes;
    Block& block = *context.block;
    const Spin at = spin_at(nullptr, nullptr);
    while (tape.size == tape.capacity) {
        if (warp_is_settled(block, warp)) {
            read_filled(block, warp);
            context.worker->end_slice(at);  // a thread that does so much may wait for another one
        } else {
            context.worker->yield(at);
        }
    }
}

}  // namespace

[[gnu::noinline]] void make_room_and_put(Tape& tape, EventCode code, const volatile void* address) {
    if (tape.size == tape.capacity) make_room(tape);
    if (!goes_with_leader(tape, code)) leave_leader(tape);
    put(tape, code, address);
}

ObservedBlock observed_block(Block& block) {
    const uint3& index = block.index;
    const uint3& grid = context.grid_dim;
    const std::uint64_t linear = index.x + std::uint64_t{grid.x} * (index.y + std::uint64_t{grid.y} * index.z);
    return {index, linear, block.threads, block.shared.get(), context.worker->shared_bytes(), block.tapes.all()};
}

void begin_observed(Block& block) {
    const Unwatched pause;
    block.tapes.reset(block.threads);
    observer()->block_begins(observed_block(block));
}

void synchronize_observed(Block& block) {
    const Unwatched pause;
    for (unsigned thread = 0; thread < block.threads; ++thread) block.tapes.of(thread).waits = true;
    observer()->block_synchronized(observed_block(block));
    block.tapes.reset(block.threads);
}

void synchronize_observed_grid() {
    const Unwatched pause;
    observer()->grid_synchronized();
}

void end_observed(Block& block) {
    synchronize_observed(block);
    const Unwatched pause;
    observer()->block_ends(observed_block(block));
}

}  // namespace engine
}  // namespace lanework_simt
