// A function of the host that does a library's work on the device, cuBLAS's or cuRAND's, at its turn in a stream: what
// it reads and writes is gathered, and told when it is done.
#pragma once

#include <cstddef>

#include "src/simt/observer.hpp"

namespace lanework_simt {

/// While it lives, what the thread notes by note_read, note_written, note_changed and note_result is this call's; of a
/// function that calls another one, the outer one's. Nothing is gathered without an observer.
class LibraryTurn {
public:
    enum class Results { in_memory, to_host };

    /// `results`: where what note_result notes goes; a function that returns some to the host waits for them.
    LibraryTurn(const char* name, const void* stream, Results results = Results::in_memory);
    LibraryTurn(const LibraryTurn&) = delete;
    LibraryTurn& operator=(const LibraryTurn&) = delete;
    ~LibraryTurn();

    /// The thread's; null for none.
    static LibraryTurn* current();

    void reads(const void* from, std::size_t bytes);
    void writes(const void* to, std::size_t bytes);
    void gives_result(const void* to, std::size_t bytes);

private:
    LibraryCall call_;
    Results results_;
    bool is_outer_;
};

/// A function of the host that stands for a library's on the device, of cuBLAS say, reads so many bytes there, …
void note_read(const void* from, std::size_t bytes);
/// … writes them, …
void note_written(const void* to, std::size_t bytes);
/// … is about to change them by what they hold, …
void note_changed(const void* to, std::size_t bytes);
/// … or writes a number that the host may have asked for.
void note_result(const void* to, std::size_t bytes);

}  // namespace lanework_simt
