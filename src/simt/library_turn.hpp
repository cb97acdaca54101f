// A function of the host that does a library's work on the device, cuBLAS's or cuRAND's, at its turn in a stream: what
// it reads and writes is gathered, and told when it is done.
#pragma once

#include <cstddef>
#include <span>

#include "src/simt/api_capture.hpp"
#include "src/simt/observer.hpp"

namespace lanework_simt {

/// Runs of as many bytes each, equally far apart.
struct StridedBytes {
    const std::byte* first;
    std::size_t bytes, runs = 1, apart = 0;

    /// `columns` of `rows` elements each, so many elements apart; those that touch are one run.
    template <class T>
    static StridedBytes of(const T* first, std::size_t rows, std::size_t columns = 1, std::size_t elements_apart = 0) {
        const auto* const at = reinterpret_cast<const std::byte*>(first);
        if (columns == 1 || elements_apart == rows) return {at, rows * columns * sizeof(T)};
        return {at, rows * sizeof(T), columns, elements_apart * sizeof(T)};
    }

    template <class See>
    void each(const See& see) const {
        for (std::size_t run = 0; run < runs && bytes != 0; ++run)
            see(std::span<const std::byte>(first + run * apart, bytes));
    }
};

/// While it lives, what this thread notes below is this call's. One at a time in a thread.
class LibraryTurn {
public:
    explicit LibraryTurn(const LibraryCall& call);
    LibraryTurn(const LibraryTurn&) = delete;
    LibraryTurn& operator=(const LibraryTurn&) = delete;
    ~LibraryTurn();

    /// The work is done: tells the observer, unless no memory was touched.
    void tell() const;

private:
    LibraryCall call_;
};

/// Does a function's work at its turn in `call.stream`, and returns the status that the work ends with, 0 for success;
/// in a stream that is captured the work becomes a step of the graph, and a status that is not 0 an error of the
/// graph's launch. So it must hold everything that it needs.
template <class Work>
auto at_turn(const LibraryCall& call, const Work& work) {
    using Status = decltype(work());
    if (!capturing(call.stream)) {
        const LibraryTurn turn(call);
        const Status status = work();
        turn.tell();
        return status;
    }
    LibraryCall later = call;
    later.stream = nullptr;  // graphs are launched where everything is done in order
    keep_step(call.stream, [later, work] {
        if (sticky_error() != cudaSuccess) return sticky_error();
        return at_turn(later, work) == Status{} ? cudaSuccess : cudaErrorInvalidValue;
    });
    return Status{};
}

/// The work that this thread does reads these bytes, …
void note_read(const StridedBytes& from);
/// … writes them, …
void note_written(const StridedBytes& to);
/// … or is about to change them by what they hold.
void note_changed(const StridedBytes& to);
/// The host writes them, outside of any stream.
void note_written_by_host(const StridedBytes& to);

}  // namespace lanework_simt
