// lanework list: every operation and its ladders.
#include <algorithm>
#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/selection.hpp"
#include "src/cli/wrong_programs.hpp"
#include "src/report/results/catalogue.hpp"

namespace lanework {
namespace {

struct ListOptions {
    SelectionOptions selection;
    std::string operation;
    bool names = false, wrong = false;
    Exports exports;
};

// Ladders belong to kinds of devices: without --device every kind is listed, here or not.
std::vector<DevicePresence> presence(const std::string& device) {
    std::vector<DevicePresence> present;
    if (device.empty() || device == "all") {
        for (const DeviceKind kind : kDeviceKinds) present.push_back({kind, availability(kind).reason});
        return present;
    }
    for (const ChosenDevice& chosen : choose_devices(device)) present.push_back({chosen.kind, chosen.reason});
    return present;
}

// A ladder of one's own; no operation where the word names none, or a rung of one.
LoadedLadder named_folder(const std::string& word) {
    if (word.empty() || !names_own_ladder(word)) return {};
    LoadedLadder loaded = load_own_ladder(word, own_ladder_build(), {}, devices_without_gpu(word));
    return loaded.rung.empty() ? loaded : LoadedLadder{};
}

int run_list(const ListOptions& options, const Context& context) {
    if (options.wrong) {
        if (!options.operation.empty()) throw UsageError("list --wrong lists programs; it takes no operation");
        const int width = context.out.style.width;
        context.print(list_wrong_programs(width > 0 ? static_cast<std::size_t>(width) : 0));
        return exit_status::good;
    }
    if (options.names) {
        context.print(selection_names());
        return exit_status::good;
    }
    const LoadedLadder own = named_folder(options.operation);
    if (!own.operation && options.operation.find('/') != options.operation.npos)
        throw UsageError("list shows whole ladders; `lanework info " + options.operation + "` describes a rung");
    std::vector<const Operation*> chosen(operations().begin(), operations().end());
    if (!options.operation.empty()) chosen = {own.operation ? own.operation : &find_operation(options.operation)};
    Listed listed{.devices = presence(options.selection.device)};
    if (!options.selection.dtype.empty()) {
        listed.dtype = parse_type(options.selection.dtype);
        std::erase_if(chosen, [&](const Operation* operation) {
            return std::ranges::none_of(operation->types,
                                        [&](const auto& typed) { return typed.dtype == listed.dtype; });
        });
        if (chosen.empty())
            throw UsageError(options.operation + " is not defined for " + options.selection.dtype +
                             "; `lanework list " + options.operation + "` shows its types");
    }
    if (options.exports.show_table())
        context.print(options.operation.empty() ? draw_catalogue(chosen, listed, context.out.style)
                                                : draw_ladders(*chosen.front(), listed, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return catalogue_to_json(chosen, listed); }, .csv = {}, .markdown = {}});
    return exit_status::good;
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
    auto options = std::make_shared<ListOptions>();
    Command command(app, context, "list", "Show the operations and the rungs of their ladders");
    command.optional_positional("OP", options->operation, "One operation, with the lesson of each rung");
    command.option("-d,--device", options->selection.device, "DEVICE", SelectionOptions::kSeveralDevices);
    options->selection.add_dtype(command);
    options->exports.add_json(command);
    command.flag("--names", options->names, "Only what can be selected, one OP or OP/RUNG a line");
    command.flag("--wrong", options->wrong, "Programs that go wrong, built in: what is wrong, and how it is found");
    command.examples(
        "  lanework list                 every operation, a line for each ladder\n"
        "  lanework list transpose       one operation, with what each rung teaches\n"
        "  lanework list --dtype float16 what computes half precision\n"
        "  lanework list --wrong         programs that go wrong, for `check wrong/NAME`, `explain wrong/NAME`\n"
        "  lanework list --json          the same for programs");
    command.run([options, &context] { return run_list(*options, context); });
}

}  // namespace lanework
