// The commands of the program; each is defined in the file of its name and added to the command line here.
#pragma once

#include "src/cli/command.hpp"

namespace lanework {

void add_doctor(CLI::App& app, Context& context);
void add_devices(CLI::App& app, Context& context);
void add_list(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);
void add_index(CLI::App& app, Context& context);
void add_occupancy(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_climb(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_cc(CLI::App& app, Context& context);
void add_new(CLI::App& app, Context& context);
void add_judge(CLI::App& app, Context& context);
void add_profile(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_compute(CLI::App& app, Context& context);
void add_image(CLI::App& app, Context& context);
void add_compare_images(CLI::App& app, Context& context);
void add_neighbors(CLI::App& app, Context& context);
void add_particles(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);

}  // namespace lanework
