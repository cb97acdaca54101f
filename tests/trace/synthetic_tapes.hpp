// A warp that never ran: tests write the tape of each of its lanes, and see what the reader makes of them.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "src/trace/record/warp_reader.hpp"

namespace lanework {

/// An event of a lane, at the place in the code that a letter names: later letters are later code.
struct Happened {
    char place;
    EventKind kind = EventKind::path;
    std::uint64_t address = 0;  ///< of a meeting: its mask
    unsigned log2_bytes = 2;

    lanework_simt::EventCode code() const {
        return {static_cast<std::uint64_t>(place) * 16, kind, kind == EventKind::path ? 0 : log2_bytes};
    }
};

inline Happened load_at(char place, const void* address, unsigned log2_bytes = 2) {
    return {place, EventKind::load, reinterpret_cast<std::uint64_t>(address), log2_bytes};
}
inline Happened meet_at(char place, std::uint32_t mask) { return {place, EventKind::warp_sync, mask, 0}; }

/// The tapes of a block's threads, which a reader reads as if a kernel had written them.
class SyntheticTapes {
public:
    explicit SyntheticTapes(unsigned threads = kLanes) : tapes_(threads), codes_(threads), addresses_(threads) {
        for (lanework_simt::Tape& tape : tapes_) tape.waits = true;
    }

    void happens(unsigned thread, const Happened& event) {
        codes_[thread].push_back(event.code());
        addresses_[thread].push_back(event.address);
    }
    /// Basic blocks that the thread enters, a letter each.
    void walks(unsigned thread, std::string_view blocks) {
        for (const char place : blocks) happens(thread, {place});
    }
    /// The thread's tape is full: it goes on when the tape was read.
    void is_full(unsigned thread) { tapes_[thread].waits = false; }
    /// The thread left, or waits at a barrier.
    void waits(unsigned thread) { tapes_[thread].waits = true; }
    /// What the thread did so far is the start of what another did, whose codes it shares.
    void follows(unsigned thread, unsigned leader) {
        codes_[thread].clear();
        tapes_[thread].leader = &tapes_[leader];
    }
    std::size_t unread(unsigned thread) const { return addresses_[thread].size() - tapes_[thread].read; }

    lanework_simt::ObservedBlock block() {
        for (std::size_t thread = 0; thread < tapes_.size(); ++thread) {
            lanework_simt::Tape& tape = tapes_[thread];
            tape.codes = tape.leader ? nullptr : codes_[thread].data();
            tape.addresses = addresses_[thread].data();
            tape.size = tape.capacity = addresses_[thread].size();
        }
        return {{0, 0, 0}, 0, static_cast<unsigned>(tapes_.size()), shared_, sizeof(shared_), tapes_.data()};
    }
    const std::byte* shared() const { return shared_; }

private:
    std::vector<lanework_simt::Tape> tapes_;
    std::vector<std::vector<lanework_simt::EventCode>> codes_;
    std::vector<std::vector<std::uint64_t>> addresses_;
    alignas(128) std::byte shared_[1024]{};
};

/// Writes down what it is told.
class Notebook final : public Analyser {
public:
    struct Noted {
        Request request;
        Space space;
        EventKind kind;
        unsigned bytes;
    };

    bool sees_requests(Space) const override { return true; }
    bool sees_steps() const override { return true; }
    void step(const Step& step) override { note(*step.site, step.lanes); }
    void meeting(const Meeting& meeting) override { note(*meeting.site, meeting.lanes); }
    void fence(const Meeting& fence) override { note(*fence.site, fence.lanes, "!"); }
    void request(const Request& request) override {
        note(*request.site, request.lanes);
        requests.emplace_back(Noted{request, request.site->space, request.site->kind, request.site->bytes});
    }

    /// "a:ffffffff": the place and the lanes that were there together.
    std::vector<std::string> told;
    std::deque<Noted> requests;

private:
    void note(const Site& site, std::uint32_t lanes, const char* mark = "") {
        constexpr char kDigits[] = "0123456789abcdef";
        std::string text = std::string(1, static_cast<char>(site.pc / 16)) + mark + ":";
        for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[lanes >> shift & 0xf];
        told.push_back(text);
    }
};

}  // namespace lanework
