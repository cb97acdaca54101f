// One run of a rung that is not trusted: what the judge asks of the cell, and what comes back. It lies in the memory
// that both see.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>
#include <string>
#include <vector>

#include "src/program/ladder/cell.hpp"
#include "src/program/ladder/own_rung.hpp"

namespace lanework {

struct RunRequest {
    Problem problem;
    /// Of the guards, the poison in outputs and the noise in workspaces.
    std::uint64_t seed = 1;
    std::uint64_t schedule = 0;
    /// Every access is looked at: what is found and counted comes as an explanation.
    bool traced = false;
    /// Arrays begin behind a page, not at one: no address tells a run from another.
    bool shifted = false;
    /// No array is given and no kernel runs: launches alone are checked.
    bool rehearsed = false;
    /// For the explanation alone.
    std::uint64_t input_seed = 1;
};

struct RunAnswer {
    /// A device's error; empty for a run that ended well.
    std::string failure;
    /// Of a rehearsal: why it did not come to its end; empty where it did.
    std::string unended;
    /// What was written around an array; empty for nothing.
    std::string breach;
    /// Launches of kernels, and those of them on a stream that the rung was not given.
    std::uint64_t launches = 0, launches_elsewhere = 0;
    /// Of the launch that had most.
    std::uint64_t most_blocks = 0;
    /// Copies and fills on the device, and bytes that came from the host's memory: by copies, or, of a traced run, read
    /// by kernels where the host wrote them.
    std::uint64_t device_copies = 0, bytes_uploaded = 0;
    /// Bytes of inputs that were copied to the host, and copies of inputs on the device.
    std::uint64_t inputs_downloaded = 0, input_copies = 0;
    /// Bytes of the device's memory that it holds more than before.
    std::int64_t bytes_kept = 0;
    /// Of a traced run: the first element of an output, counted from 0, that nothing of the device wrote although it
    /// changed; −1 for none, and the output's name.
    std::int64_t written_by_host = -1;
    std::string written_output;
    /// Requests to memory of a traced run, and those of them that load inputs.
    std::uint64_t requests = 0, requests_to_inputs = 0;
    /// Of a traced run: results of schema 1, one of them …
    std::string explanation;
    /// … and the time on the GPU that simt stands for with its band, and what takes longest.
    double seconds = 0, low_seconds = 0, high_seconds = 0;
    std::string bound;
};

/// How many bytes the memory needs for this problem.
std::size_t bytes_for(const Operation& operation, const Problem& problem);

/// The judge's side: puts the question and the inputs (host addresses, in the order of Operation::buffers) into the
/// memory.
void write_request(CellMemory memory, const RunRequest& request, const Operation& operation, const Buffers& inputs);
/// The arrays as they were found behind the run, in the order of Operation::buffers: copied, so that the cell cannot
/// change them any more. Throws std::runtime_error where the cell's answer is none.
RunAnswer read_answer(CellMemory memory, const Operation& operation, const Problem& problem,
                      std::vector<std::vector<std::byte>>& arrays);

/// What an unwritten output holds.
void fill_poison(std::uint64_t seed, std::size_t array, std::vector<std::byte>& bytes);

/// The same of a rehearsed run, which has no arrays.
RunAnswer read_answer(CellMemory memory);

/// The cell's side: opens the device; loads and runs the rung.
class CellRunner {
public:
    /// `device_bytes` of addresses are kept for the device's memory.
    CellRunner(const OwnOperation& operation, OwnRung& rung, std::size_t device_bytes);
    CellRunner(const CellRunner&) = delete;
    CellRunner& operator=(const CellRunner&) = delete;
    ~CellRunner();

    void load(const std::filesystem::path& library) { rung_.load(library); }
    void answer(CellMemory memory);

private:
    struct Arrays;
    void prepare(const RunRequest& request, CellMemory memory, std::size_t offset);
    RunAnswer run_watched(const RunRequest& request);
    RunAnswer run_traced(const RunRequest& request, CellMemory memory, std::size_t offset);
    void launch(const Problem& problem, const Buffers& buffers) const;

    const OwnOperation& operation_;
    OwnRung& rung_;
    std::unique_ptr<Device> device_;
    /// Those of the last problem, kept so that a rung that keeps something finds it again.
    std::unique_ptr<Arrays> arrays_;
};

}  // namespace lanework
