// A cell: a child process that runs code which is not trusted, and answers what it is asked for as long as it lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/program/ladder/confine.hpp"

namespace lanework {

/// The memory that both processes see: a question's bytes, then those of its answer.
using CellMemory = std::span<std::byte>;

class Cell {
public:
    enum class Answer {
        given,
        late,  ///< it took longer than it may, and was ended
        none,  ///< it ended
    };

    /// Forks: the child calls begin(), which confines itself, then answer() for each question, and never returns.
    /// What begin() returns both say. No other thread may run. Throws UnavailableError where there is no process to be
    /// had.
    Cell(std::size_t bytes, const std::function<Confinement()>& begin,
         const std::function<void(CellMemory memory)>& answer);
    Cell(const Cell&) = delete;
    Cell& operator=(const Cell&) = delete;
    ~Cell();

    /// Waits until begin() is done.
    Answer wait_for_begin(double seconds);
    /// The question lies in memory().
    Answer ask(double seconds);
    CellMemory memory() const;
    const Confinement& confinement() const { return confinement_; }
    /// How it ended, in words: "a segmentation fault", "it ended by itself, with status 3".
    const std::string& end() const { return end_; }
    /// It wrote to memory that both share and that is not for questions and answers.
    bool tampered() const;
    /// It made a call of the system that it may not make.
    bool forbidden() const { return forbidden_; }

private:
    /// At the start of the memory that both see.
    struct Shared;
    Answer hear(double seconds);
    void reap(bool kill_it);
    [[noreturn]] void live(const std::function<Confinement()>& begin, const std::function<void(CellMemory)>& answer);

    std::byte* memory_ = nullptr;
    /// As it was when begin() was done.
    std::unique_ptr<Shared> begun_;
    std::size_t bytes_ = 0;
    int channel_ = -1;
    int child_ = 0;
    Confinement confinement_;
    std::string end_;
    bool forbidden_ = false;
};

/// For ConfinementWishes::forbidden, in a cell.
void note_forbidden_call(int number);

}  // namespace lanework
