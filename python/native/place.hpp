// Where a call from another language computes: on threads of the processor, or on a stream of a GPU whose memory it is
// given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lanework/array.hpp>
#include <lanework/image_view.hpp>
#include <lanework/target.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "python/native/call_place.hpp"
#include "python/native/neighbor_request.hpp"

namespace lanework::native {

/// While it lives, what this thread uses of GPUs for the first time may be loaded although a stream is captured.
class FirstUses {
public:
    FirstUses() noexcept;
    FirstUses(const FirstUses&) = delete;
    FirstUses& operator=(const FirstUses&) = delete;
    ~FirstUses();

private:
    [[maybe_unused]] int mode_before_ = 0;
};

/// A stream of a GPU. The calling thread's current device is that GPU until this ends, and then the one before.
class GpuStream {
public:
    /// Throws UnavailableError where this build computes on no GPU, or this machine has none of that number.
    GpuStream(int device, void* stream);
    GpuStream(const GpuStream&) = delete;
    GpuStream& operator=(const GpuStream&) = delete;
    ~GpuStream();

    Target target() { return {*device_, stream()}; }
    Device& device() { return *device_; }
    Stream stream() const { return Stream(static_cast<::CUstream_st*>(stream_)); }
    bool is_captured() const;
    /// Throws UsageError where the stream is being captured: "…, and this waits for `what`".
    void require_no_capture(std::string_view what) const;
    /// Memory of the GPU that is taken and, when this ends, given back in the order of the stream; a capture of the
    /// stream takes that along.
    void* allocate(std::size_t bytes);
    /// These values in memory of the GPU, written in the order of the stream; a capture keeps what they are now.
    template <class T>
    T* copy(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        void* const copies = allocate(values.size_bytes());
        write(copies, values.data(), values.size_bytes());
        return static_cast<T*>(copies);
    }
    /// The same, to memory that begins at a multiple of 8 bytes and has whole such words.
    void write(void* gpu, const void* values, std::size_t bytes);
    /// Waits, and copies to the host.
    void read(void* host, const void* gpu, std::size_t bytes) const;
    /// Writes the box of a cell in memory of the GPU, as the request names it.
    void write_box_of_cell(const lanework_neighbor_request& request, PeriodicBox* box);

private:
    const FirstUses first_uses_;
    Device* device_ = nullptr;
    void* stream_;
    [[maybe_unused]] int current_before_ = -1;  ///< −1: the same; no build without CUDA looks
    std::vector<void*> memory_;
};

/// Calls that share memory, in the order in which they are made, whatever streams they are made on.
class StreamOrder {
public:
    StreamOrder();
    StreamOrder(const StreamOrder&) = delete;
    StreamOrder& operator=(const StreamOrder&) = delete;
    ~StreamOrder();

    /// The stream goes on when what was enqueued before the last leave() is done.
    void enter(Stream stream);
    void leave(Stream stream);

private:
    [[maybe_unused]] void* event_ = nullptr;  ///< no build without CUDA looks
};

/// How many GPUs this build can compute on; −1: it is built for none.
int gpu_count();

/// So many threads, or for 0 all that there are; one in a process that was forked. Such a process has none of its
/// parent's threads, but the runtime of OpenMP waits for them: it may use only the one it has.
int team_of(int wanted);

/// The target of one call, with what it needs until the call returns.
class Place {
public:
    explicit Place(const lanework_place& place);

    Target target() { return gpu_ ? gpu_->target() : Target(team_); }
    bool on_gpu() const { return gpu_.has_value(); }
    /// Scratch memory of the target.
    Workspace scratch(std::size_t bytes);
    /// Values where the target reads them; valid as long as the span's for the processor.
    template <class T>
    const T* copy(std::span<const T> values) {
        return gpu_ ? gpu_->copy(values) : values.data();
    }
    /// Throws UnavailableError on the processor.
    GpuStream& gpu();

private:
    struct alignas(64) Unit {
        std::byte bytes[64];
    };
    std::optional<GpuStream> gpu_;
    Team team_{1};
    std::vector<std::vector<Unit>> scratch_;
};

}  // namespace lanework::native
