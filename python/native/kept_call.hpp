// A call as it is kept: what its function of C was given, and what it is made with again.
#pragma once

#include "python/native/call_place.hpp"
#include "python/native/likeness.hpp"

namespace lanework::repeated {

/// A call but for the addresses of its arrays, and the stream.
struct Kept {
    static constexpr const char* kName = "lanework._repeated.Kept";
    using Arrays = std::pmr::vector<Likeness::Array>;
    using Words = std::pmr::vector<std::uint64_t>;

    /// How its function takes the blocks, as repeated.py counts: arrays and images by their descriptions, a request, a
    /// request and what it is for.
    enum class Form : std::int32_t { arrays, images, request, request_and_list };
    /// A word of the memory that is an array's address.
    struct Slot {
        std::size_t word, array;
        std::int64_t offset;  ///< bytes from its first
    };
    /// A word that is the address of another.
    struct Inner {
        std::size_t word, to;
    };
    /// Where the first function says how long more arrays are that the second fills.
    struct Sized {
        std::uint64_t function = 0;  ///< 0: there are none
        std::size_t length, capacity;
        std::vector<std::size_t> words;  ///< of their addresses
        Object like;                     ///< of each: how long its rows are, 0 for single elements, and what it holds
    };
    /// An output that is new.
    struct Made {
        Object shape;    ///< lengths and steps
        Object options;  ///< what it holds, and where
        bool is_given;   ///< else it is the call's own
    };

    std::uint64_t function;
    Form call;
    std::string operation;  ///< of arrays and images
    std::vector<std::uint64_t> memory;
    std::vector<std::size_t> blocks;  ///< where they begin in it
    std::vector<Slot> slots;
    std::vector<Inner> inner;
    std::int64_t number;  ///< the form of arrays; of images, how many there are
    std::string options;  ///< of images
    std::int32_t device, threads;
    std::vector<std::uint64_t> spans;  ///< bytes from each array's first to its last
    std::vector<std::size_t> written;  ///< arrays that are outputs, in their order
    std::vector<bool> is_written;
    std::vector<bool> in_place;  ///< arrays × arrays: began at one address
    std::vector<Made> made;
    Object form;  ///< of the result
    Sized sized;
    Py_ssize_t told;  ///< a word that the function writes: how many rows of the outputs, all new, are filled; −1: all
    Object turn;      ///< a Turn, had during the call; null: none

    bool may_overlap(const Arrays& arrays) const {
        for (std::size_t k = 0; k < arrays.size(); ++k)
            for (std::size_t other = 0; other < k; ++other) {
                if (!is_written[k] && !is_written[other]) continue;
                const std::uint64_t here = arrays[k].address, there = arrays[other].address;
                const bool apart = there >= here + spans[k] || here >= there + spans[other];
                const bool same = there == here && in_place[k * spans.size() + other];
                if (!apart && !same) return true;
            }
        return false;
    }

    /// The memory of a call with these arrays, whose function reads and writes it. It must not move.
    void fill(Words& words, const Arrays& arrays) const {
        words.assign(memory.begin(), memory.end());
        for (const Slot& slot : slots)
            words[slot.word] = arrays[slot.array].address + static_cast<std::uint64_t>(slot.offset);
        for (const Inner& one : inner) words[one.word] = reinterpret_cast<std::uintptr_t>(words.data() + one.to);
    }

    /// Of images whose way back is written to an array of the GPU's: its address, in a block of its own.
    void* to_source(const Words& words) const {
        constexpr std::size_t kBlock = 2;
        return blocks.size() > kBlock ? reinterpret_cast<void*>(words[blocks[kBlock]]) : nullptr;
    }

    std::int32_t run(std::uint64_t with, Words& words, void* stream) const {
        using OfArrays = std::int32_t (*)(const char*, const void*, const void*, std::int32_t, const lanework_place*);
        using OfImages = std::int32_t (*)(const char*, const void*, const void*, std::int64_t, const void*, double*,
                                          void*, const lanework_place*);
        using OfRequest = std::int32_t (*)(const void*, const lanework_place*);
        using OfList = std::int32_t (*)(const void*, void*, const lanework_place*);
        const lanework_place place{stream, device, threads};
        const auto block = [&](std::size_t k) { return words.data() + blocks[k]; };
        switch (call) {
            case Form::arrays:
                return reinterpret_cast<OfArrays>(with)(operation.c_str(), block(0), block(1),
                                                        static_cast<std::int32_t>(number), &place);
            case Form::images:
                return reinterpret_cast<OfImages>(with)(operation.c_str(), block(0), block(1), number, options.data(),
                                                        nullptr, to_source(words), &place);
            case Form::request: return reinterpret_cast<OfRequest>(with)(block(0), &place);
            case Form::request_and_list: break;
        }
        return reinterpret_cast<OfList>(with)(block(0), block(1), &place);
    }
};

}  // namespace lanework::repeated
