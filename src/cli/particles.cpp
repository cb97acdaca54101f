// lanework particles: makes crystals, sheets and random gases.
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/particle_file.hpp>

#include "src/cli/command.hpp"
#include "src/cli/dims.hpp"
#include "src/particles/generate.hpp"

namespace lanework {
namespace {

/// As they are typed; 0, −1 and empty where they are not.
struct ParticlesCommand {
    ParticleRecipe recipe;
    std::string output, format, cells, box, periodic;
    int rows = 0, cols = 0, atoms = 0;
    double constant = 0, density = 0, vacuum = -1;
};

ParticleRecipe recipe_of(const ParticlesCommand& c) {
    ParticleRecipe recipe = c.recipe;
    if (c.rows > 0) recipe.rows = c.rows;
    if (c.cols > 0) recipe.cols = c.cols;
    if (c.atoms > 0) recipe.atoms = c.atoms;
    if (!c.cells.empty()) recipe.cells = parse_edges("--cells", c.cells);
    if (c.constant > 0) recipe.constant = c.constant;
    if (c.density > 0) recipe.density = c.density;
    if (c.vacuum >= 0) recipe.vacuum = c.vacuum;
    if (!c.box.empty()) recipe.box = parse_box(c.box, 3);
    if (!c.periodic.empty()) recipe.periodic = parse_periodic(c.periodic, 3);
    return recipe;
}

int run_particles(const ParticlesCommand& c, const Context& context) {
    if (c.output.empty()) throw UsageError("particles: -o FILE is missing; - is the standard output");
    const bool to_stdout = c.output == "-";
    const std::string format = !c.format.empty() ? c.format : to_stdout ? "extxyz" : written_format_of(c.output);
    const ParticleSystem system = make_particles(recipe_of(c));
    const std::string text = format_particles(system, format);
    if (to_stdout) {
        context.print(text);
        return exit_status::good;
    }
    write_output(c.output, text);
    context.hint(fmt::format("{}: {} atom{} of {} as {}", c.output, system.atoms(), system.atoms() == 1 ? "" : "s",
                             c.recipe.kind, format));
    return exit_status::good;
}

}  // namespace

void add_particles(CLI::App& app, Context& context) {
    auto options = std::make_shared<ParticlesCommand>();
    Command command(app, context, "particles", "Make crystals, graphene and random gases");
    command.positional_choice("KIND", options->recipe.kind, particle_kinds(), "What to make; lengths are in Å");
    command.option("--rows", options->rows, "graphene: cells along y, 2.46 Å each (10)");
    command.option("--cols", options->cols, "graphene: cells along x, 4.26 Å each (10)");
    command.option("--cells", options->cells, "N[,N,N]",
                   "diamond, fcc, cscl: cells along all edges, or along each (5)");
    command.positive("--lattice", options->constant, "LENGTH",
                     "Lattice constant (2.4595 graphene, 3.567 diamond, 3.615 fcc, 4.119 cscl)");
    command.option("--atoms", options->atoms, "gas: how many (1000)", static_cast<int>(kMostMadeAtoms));
    command.positive("--density", options->density, "N", "gas: atoms per cubic Å (0.03)");
    command.option("--box", options->box, "A,B,C[,...]", "gas: edges, edges and angles, or nine components");
    command.not_negative("--noise", options->recipe.noise, "LENGTH", "Standard deviation of every coordinate (0)");
    command.option("--seed", options->recipe.seed, "Of the noise and of the gas (1)");
    command.not_negative("--vacuum", options->vacuum, "LENGTH",
                         "Empty space along z, which is then open (graphene: 20)");
    command.option("--pbc", options->periodic, "XYZ", "Periodic directions (graphene: xy; others: xyz)");
    command.output("-o,--output", options->output,
                   ".xyz: extended XYZ; .data: LAMMPS data; .txt: columns; - for stdout");
    command.choice("--format", options->format, written_particle_formats(), "Whatever the name of the file");
    command.examples(
        "  lanework particles graphene --rows 8 --cols 5 --pbc none -o graphene.xyz\n"
        "  lanework particles diamond --cells 15 --noise 0.05 -o diamond.data\n"
        "  lanework particles gas --atoms 100000 --density 0.05 -o - | lanework neighbors - --cutoff 3");
    command.run([options, &context] { return run_particles(*options, context); });
}

}  // namespace lanework
