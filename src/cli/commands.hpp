// The commands of the program. Each is defined in the file of its name, and stands here: declared, and in its group of
// the help text.
#pragma once

#include <array>

#include "src/cli/command.hpp"

namespace lanework {

using AddCommand = void(CLI::App& app, Context& context);

AddCommand add_check, add_explain, add_run, add_cc, add_new, add_judge;
AddCommand add_climb, add_verify, add_bench, add_profile, add_compare, add_report;
AddCommand add_compute, add_image, add_compare_images, add_neighbors, add_particles;
AddCommand add_doctor, add_devices, add_list, add_info, add_index, add_occupancy, add_completion, add_help;

struct CommandGroup {
    const char* title;
    /// Null behind the last.
    std::array<AddCommand*, 16> commands;
};

/// In the order of the help text: who brings a kernel comes first.
inline constexpr CommandGroup kCommandGroups[] = {
    {"A program or a kernel of your own", {add_check, add_explain, add_run, add_cc, add_new, add_judge}},
    {"Ladders, yours or the library's", {add_climb, add_verify, add_bench, add_profile, add_compare, add_report}},
    {"The library's functions on your data",
     {add_compute, add_image, add_compare_images, add_neighbors, add_particles}},
    {"What there is",
     {add_doctor, add_devices, add_list, add_info, add_index, add_occupancy, add_completion, add_help}}};

}  // namespace lanework
