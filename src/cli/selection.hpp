// What a command line selects: rungs of operations, on devices, with problems.
#pragma once

#include <lanework/device.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>

#include "src/cli/command.hpp"
#include "src/program/ladder/own_ladder.hpp"

namespace lanework {

struct ChosenDevice;
class Progress;

/// --device, --gpu, --size, --sweep, --dtype, --variant, --input, --seed as they were typed; empty where they were not.
struct SelectionOptions {
    std::vector<std::string> words;
    std::string device, gpu, size, dtype, variant, input;
    std::vector<std::string> sweeps;
    std::uint64_t seed = 1;
    /// The devices whose rungs the command takes.
    std::vector<DeviceKind> kinds{std::begin(kDeviceKinds), std::end(kDeviceKinds)};
    /// So many random shapes of each operation instead of its listed ones; 0: none.
    int random = 0;
    /// A kernel that is put on a ladder of the user's own.
    AddedKernel added;
    /// Where it is said that such a ladder is being built; null: nowhere.
    const Context* context = nullptr;

    /// What --device and --gpu mean. Where nothing is said, ladders of one's own run on simt, which alone has their
    /// rungs.
    std::vector<ChosenDevice> chosen_devices() const;

    /// --device and --gpu.
    void add_device(Command& command, const std::string& meaning = kSeveralDevices);
    /// --dtype alone.
    void add_dtype(Command& command);
    /// --size, --dtype and --variant.
    void add_shape(Command& command);
    /// Those and --seed.
    void add_problem(Command& command);
    /// --sweep.
    void add_sweep(Command& command);
    /// --kernel, --grid, --block and --shared; the first only where the command has no other meaning for it.
    void add_kernel(Command& command, bool with_name = true);
    /// --input; `without` says what holds when it is not given.
    void add_input(Command& command, const std::string& without = "random");

    static constexpr const char* kSeveralDevices =
        "cuda[:N], simt (CUDA kernels on CPU threads), cpu, several joined by commas, or all; "
        "default: the first GPU, else simt,cpu";
};

/// A device of the selection: open, or the reason why it is not here.
struct ChosenDevice {
    std::string id;
    DeviceKind kind = DeviceKind::cpu;
    std::unique_ptr<Device> device;
    std::string reason;
};

/// The type of this name. Throws UsageError that lists them for what is none.
DType parse_type(std::string_view name);

/// What --gpu says of itself, with the names that it takes.
std::string gpu_help(std::string_view meaning = "The GPU that simt stands for");

/// Reads "cuda:0,cpu", "simt:t4" or "all". Nothing: the first GPU, else simt and cpu. `gpu` is what simt stands for,
/// and alone selects simt; empty for the H200. Devices that are not here are chosen with their reason. Throws
/// UsageError for what names no device, and for a GPU where there is no simt to stand for it.
std::vector<ChosenDevice> choose_devices(std::string_view text, std::string_view gpu = {});
/// The one device that a command computes on: the first of the default or the one that was named. Throws
/// UnavailableError when it is not here, UsageError for several.
std::unique_ptr<Device> choose_device(std::string_view text, std::string_view gpu = {});
/// The same for work on a user's data: the default is the first GPU, else cpu.
std::unique_ptr<Device> choose_fastest_device(std::string_view text);

/// How rungs of a user's own are built; what the compiler says goes to the standard error, in place of the line that
/// says what is being done.
Build own_ladder_build(Progress* progress = nullptr);

/// "OP" or "OP/RUNG", or several rungs of one operation.
struct ChosenLadder {
    const Operation* operation = nullptr;
    /// Empty for the whole ladder.
    std::vector<std::string> rungs;

    bool takes(const Rung& rung) const;
};
/// Words with `*`, `?` or `[…]` become the operations of this build, or those of their rungs on these kinds of devices,
/// that they match; other words stay. Throws UsageError for one that matches nothing.
std::vector<std::string> expand_patterns(const std::vector<std::string>& words, const std::vector<DeviceKind>& kinds);
/// Compiles and loads those of a user's own; words about one operation become one ladder. Throws UsageError with the
/// nearest name for one that does not exist on any of the devices, or on any that the command takes; no words select
/// all.
std::vector<ChosenLadder> choose_ladders(const SelectionOptions& options, const std::vector<ChosenDevice>& devices);

enum class Problems { verified, first_timed, all_timed };

/// One rung on one problem and device. `rung` is null where the device's rungs are not in this build.
struct Job {
    const Operation* operation = nullptr;
    const Rung* rung = nullptr;
    ChosenDevice* device = nullptr;
    Problem problem;
    /// The one that --input names; nothing without it.
    std::optional<InputIndex> input = {};
    /// Why a rung with swept constants is not here to be run; empty where it is.
    std::string refused = {};
};
/// Every job of the selection, by operation, device, type, variant, problem and rung, in this order. Without --dtype
/// and --variant: all of them for `verified`, else the first. A sweep over a constant of the rungs makes a rung of each
/// value, behind the rung as it stands; it leaves out those that have no such constant, except libraries'. Throws
/// UsageError when nothing is selected.
std::vector<Job> jobs(const SelectionOptions& options, std::vector<ChosenDevice>& devices, Problems problems);

/// Throws FileError where a selected ladder of one's own has a reference that tells no kernel apart; says of which of
/// its outputs that is so where it is not of all.
void refuse_vacuous(std::span<const Job> jobs, const Context& context);

/// A measurement of the job without samples: verdict ok, to be changed.
Measurement unmeasured(const Job& job, std::uint64_t seed);
/// "transpose/naive on simt, 100x50 int32".
std::string describe(const Job& job);

}  // namespace lanework
