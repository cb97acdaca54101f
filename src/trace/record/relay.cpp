// Events lie in a piece one behind the other, each with its data; nothing in them is changed once a piece is handed
// over, so that several threads read it.
#include "src/trace/record/relay.hpp"

#include <signal.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <system_error>
#include <type_traits>

#include "src/simt/api_memory_map.hpp"
#include "src/simt/observer.hpp"

namespace lanework {
namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// While it lives, threads that are started take no signals: those are the program's.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

private:
    sigset_t before_;
};

}  // namespace

Relay::~Relay() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    more_.notify_all();
    join_threads();
}

void Relay::Listeners::add(Analyser& analyser) {
    all.push_back(&analyser);
    if (analyser.sees_steps()) steps.push_back(&analyser);
    for (std::size_t space = 0; space < kSpaces; ++space)
        if (analyser.sees_requests(static_cast<Space>(space))) requests[space].push_back(&analyser);
}

void Relay::start(const std::vector<Group>& groups, std::size_t most_threads) {
    listeners_.clear();
    listeners_.resize(std::min(groups.size(), most_threads));
    reads_values_ = false;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (Analyser* const analyser : groups[i]) {
            listeners_[i % listeners_.size()].add(*analyser);
            reads_values_ = reads_values_ || analyser->reads_values();
        }
    handed_over_ = 0;
    finished_ = alone_ = false;
    readable_low_ = readable_high_ = 0;
    piece_ = &pieces_.front();
    piece_->used = 0;
}

void Relay::finish() {
    put_waiting();
    if (threads_.empty()) {
        for (const Listeners& listeners : listeners_) tell_guarded(listeners, *piece_);
        piece_->used = 0;
    } else {
        {
            const std::lock_guard lock(mutex_);
            ++handed_over_;
            finished_ = true;
        }
        more_.notify_all();
        join_threads();
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

bool Relay::sees_requests(Space space) const {
    return std::ranges::any_of(listeners_, [space](const Listeners& listeners) {
        return !listeners.requests[static_cast<std::size_t>(space)].empty();
    });
}

bool Relay::sees_steps() const {
    return std::ranges::any_of(listeners_, [](const Listeners& listeners) { return !listeners.steps.empty(); });
}

/// Writes down an event, with `further` bytes behind its data.
template <class Data>
Data& Relay::write(What what, const Data& data, std::size_t further) {
    static_assert(std::is_trivially_copyable_v<Data> && alignof(Data) <= kAlignment);
    const std::size_t bytes = aligned(sizeof(Data) + further);
    if (!piece_->memory) piece_->memory = std::make_unique_for_overwrite<std::byte[]>(Piece::kBytes);
    if (piece_->used + sizeof(Head) + bytes > Piece::kBytes) {
        hand_over();
        if (!piece_->memory) piece_->memory = std::make_unique_for_overwrite<std::byte[]>(Piece::kBytes);
    }
    std::byte* const at = piece_->memory.get() + piece_->used;
    new (at) Head{what, static_cast<std::uint32_t>(bytes)};
    piece_->used += sizeof(Head) + bytes;
    return *new (at + sizeof(Head)) Data(data);
}

template <class Data>
Data& Relay::put(What what, const Data& data, std::size_t further) {
    if (any_waiting_.load(std::memory_order_relaxed)) put_waiting();
    return write(what, data, further);
}

void Relay::put_later(What what, const MemoryRange& range) {
    const std::lock_guard lock(waiting_mutex_);
    waiting_.emplace_back(what, range);
    any_waiting_ = true;
}

std::vector<std::pair<Relay::What, MemoryRange>> Relay::take_waiting() {
    const std::lock_guard lock(waiting_mutex_);
    any_waiting_ = false;
    return std::exchange(waiting_, {});
}

void Relay::tell_waiting(std::span<Analyser* const> analysers) {
    for (const auto& [what, range] : take_waiting())
        for (Analyser* const each : analysers) {
            if (what == What::allocated) each->memory_allocated(range);
            if (what == What::released) each->memory_released(range);
            if (what == What::written) each->memory_written(range);
        }
}

void Relay::put_waiting() {
    const std::vector<std::pair<What, MemoryRange>> all = take_waiting();
    readable_low_ = readable_high_ = 0;  // may be released
    for (const auto& [what, range] : all) write(what, range);
}

void Relay::request(const Request& request) {
    const Site& site = *request.site;
    const bool to_read = reads_values_ && site.space == Space::global && site.kind != EventKind::load;
    if (!to_read) {
        put(What::request, request);
        return;
    }
    const std::size_t further = kLanes * Request::values_of(site.bytes) * Request::kValueBytes;
    Request& kept = put(What::request, request, further);
    auto* const values = reinterpret_cast<std::uint32_t*>(&kept + 1);
    read_values(kept, values);
    kept.values = values;
}

/// Whether all of these bytes can be read: a kernel may have failed at its access to them.
bool Relay::readable(std::uint64_t address, std::uint64_t bytes) {
    if (address >= readable_low_ && address + bytes <= readable_high_) return true;
    const auto* const pointer = reinterpret_cast<const void*>(address);
    if (const auto known = lanework_simt::memory_map().find(pointer)) {
        readable_low_ = reinterpret_cast<std::uint64_t>(known->base);
        readable_high_ = readable_low_ + known->bytes;
    } else if (lanework_simt::is_program_data(pointer)) {
        constexpr std::uint64_t kMapped = 4096;
        readable_low_ = address / kMapped * kMapped;
        readable_high_ = readable_low_ + kMapped;
    } else {
        return false;
    }
    return address >= readable_low_ && address + bytes <= readable_high_;
}

void Relay::read_values(Request& kept, std::uint32_t* values) {
    const std::size_t count = Request::values_of(kept.site->bytes);
    for (std::uint32_t left = kept.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        const std::uint64_t first = kept.address[lane] / Request::kValueBytes * Request::kValueBytes;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t word = first + i * Request::kValueBytes;
            std::uint32_t& value = values[lane * count + i];
            value = 0;
            if (readable(word, sizeof value)) std::memcpy(&value, reinterpret_cast<const void*>(word), sizeof value);
        }
    }
}

void Relay::hand_over() {
    if (threads_.empty() && !alone_) start_threads();
    if (alone_) {
        for (const Listeners& listeners : listeners_) tell_guarded(listeners, *piece_);
        piece_->used = 0;
        return;
    }
    std::unique_lock lock(mutex_);
    ++handed_over_;
    more_.notify_all();
    room_.wait(lock, [this] {
        return std::ranges::all_of(listeners_,
                                   [this](const Listeners& each) { return each.done + kAhead > handed_over_; });
    });
    piece_ = &pieces_[handed_over_ % kAhead];
    piece_->used = 0;
}

void Relay::join_threads() {
    for (std::thread& thread : threads_) thread.join();
    lanework_simt::count_observing_threads(-static_cast<int>(threads_.size()));
    threads_.clear();
}

/// Where the system gives none, or not all, this thread does the work.
void Relay::start_threads() {
    const NoSignals quiet;
    try {
        for (Listeners& listeners : listeners_) {
            threads_.emplace_back([this, &listeners] { tell_pieces(listeners); });
            lanework_simt::count_observing_threads(1);
        }
    } catch (const std::system_error&) {
        {
            const std::lock_guard lock(mutex_);
            finished_ = true;
        }
        more_.notify_all();
        join_threads();
        finished_ = false;
        alone_ = true;
    }
}

void Relay::tell_pieces(Listeners& listeners) {
    for (std::unique_lock lock(mutex_);;) {
        more_.wait(lock, [&] { return finished_ || handed_over_ > listeners.done; });
        if (handed_over_ == listeners.done) return;
        const Piece& piece = pieces_[listeners.done % kAhead];
        lock.unlock();
        tell_guarded(listeners, piece);
        lock.lock();
        ++listeners.done;
        room_.notify_one();
    }
}

/// Behind an error nothing more is told.
void Relay::tell_guarded(const Listeners& listeners, const Piece& piece) {
    {
        const std::lock_guard lock(mutex_);
        if (error_) return;
    }
    try {
        listeners.tell(piece);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
    }
}

void Relay::Listeners::tell(const Piece& piece) const {
    for (std::size_t at = 0; at < piece.used;) {
        const Head& head = *reinterpret_cast<const Head*>(piece.memory.get() + at);
        const std::byte* const data = piece.memory.get() + at + sizeof(Head);
        at += sizeof(Head) + head.bytes;
        const auto to_all = [this](auto&& body) {
            for (Analyser* const analyser : all) body(*analyser);
        };
        const auto range = [data]() -> const MemoryRange& { return *reinterpret_cast<const MemoryRange*>(data); };
        const auto block = [data] { return *reinterpret_cast<const std::uint64_t*>(data); };
        const auto meeting = [data]() -> const Meeting& { return *reinterpret_cast<const Meeting*>(data); };
        switch (head.what) {
            case What::request: {
                const auto& request = *reinterpret_cast<const Request*>(data);
                for (Analyser* const each : requests[static_cast<std::size_t>(request.site->space)])
                    each->request(request);
                break;
            }
            case What::step:
                for (Analyser* const each : steps) each->step(*reinterpret_cast<const Step*>(data));
                break;
            case What::meeting: to_all([&](Analyser& each) { each.meeting(meeting()); }); break;
            case What::fence: to_all([&](Analyser& each) { each.fence(meeting()); }); break;
            case What::barrier: to_all([&](Analyser& each) { each.barrier(block()); }); break;
            case What::block_begins: to_all([&](Analyser& each) { each.block_begins(block()); }); break;
            case What::block_ends: to_all([&](Analyser& each) { each.block_ends(block()); }); break;
            case What::grid_barrier: to_all([](Analyser& each) { each.grid_barrier(); }); break;
            case What::launch_cut_short: to_all([](Analyser& each) { each.launch_cut_short(); }); break;
            case What::allocated: to_all([&](Analyser& each) { each.memory_allocated(range()); }); break;
            case What::released: to_all([&](Analyser& each) { each.memory_released(range()); }); break;
            case What::written: to_all([&](Analyser& each) { each.memory_written(range()); }); break;
            case What::bad_index:
                to_all([&](Analyser& each) { each.index_out_of_bounds(*reinterpret_cast<const BadIndex*>(data)); });
                break;
        }
    }
}

}  // namespace lanework
