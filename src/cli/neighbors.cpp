// lanework neighbors: the neighbour list of a file of atoms, on any device.
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/particle_file.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/measure/neighbor_times.hpp"
#include "src/particles/box.hpp"
#include "src/particles/files/neighbor_file.hpp"
#include "src/report/particles/bonds_picture.hpp"
#include "src/report/particles/neighbors.hpp"

namespace lanework {
namespace {

struct NeighborsCommand {
    std::string input, output, plot, box, periodic, dtype = "float64", device, view = "z";
    ParticleReading reading;
    NeighborOptions list;
    int frame = 1, memory_mib = 0;
    bool time = false;
    Exports exports;
};

void check(const NeighborsCommand& c) {
    if (!(c.list.cutoff > 0)) throw UsageError("neighbors: --cutoff LENGTH is missing");
    if (c.output.empty() && !c.time)
        for (const auto& [wanted, option] :
             {std::pair{c.list.shifts, "--shifts"}, std::pair{c.list.vectors, "--vectors"},
              std::pair{c.list.distances, "--distances"}})
            if (wanted) throw UsageError(fmt::format("neighbors: {} goes into an .npz: add -o FILE.npz", option));
    if (!c.output.empty()) check_neighbor_form(c.output, c.list);
    if (!c.plot.empty()) check_bonds_form(c.plot);
}

/// The box of the file, or the one that was typed.
PeriodicBox box_of(const NeighborsCommand& c, const ParticleFile& file) {
    const ParticleSystem& system = file.system;
    PeriodicBox box = system.box;
    if (!c.box.empty()) box = {parse_box(c.box, system.dimensions), {true, true, system.dimensions == 3}};
    if (!c.periodic.empty()) box.periodic = parse_periodic(c.periodic, system.dimensions);
    if (c.box.empty()) check_box_of(file, box.periodic);
    check_box(box);
    return box;
}

/// What the list is made of, and its times if they are wanted.
template <class T>
NeighborList<T> build(const NeighborsCommand& c, const ParticleSystem& system, Device& device, NeighborTiming& timing) {
    const std::vector<T> positions(system.positions.begin(), system.positions.end());
    const Particles<T> particles{.positions = positions, .boxes = {&system.box, 1}, .dimensions = system.dimensions};
    NeighborOptions options = c.list;
    options.memory_limit = static_cast<std::size_t>(c.memory_mib) << 20;
    if (c.time) timing = {arrays_of(options), time_neighbors(device, particles, options), environment()};
    options.distances = true;  // for the shortest
    options.shifts |= !c.plot.empty();
    options.vectors |= !c.plot.empty();
    return neighbors(particles, options, device);
}

void write_pieces(const std::string& path, std::span<const std::span<const std::uint8_t>> pieces,
                  const Context& context, const std::string& what) {
    write_output(path, pieces);
    context.hint(fmt::format("{}: {}", path, what));
}

template <class T>
int run_as(const NeighborsCommand& c, const ParticleFile& file, const Context& context) {
    const auto device = choose_fastest_device(c.device);
    const ParticleSystem& system = file.system;
    NeighborTiming timing;
    const NeighborList<T> list = [&] {
        Progress progress(context);
        progress.show(fmt::format("finding the neighbours of {} atoms", system.atoms()));
        return build<T>(c, system, *device, timing);
    }();
    const NeighborSource source{file.name,         file.format,   device->info().id, c.dtype,
                                system.dimensions, c.list.cutoff, system.box};
    const NeighborSummary summary = summarize(list, c.list.half);

    // All is laid out before the first file is written.
    const std::vector<std::uint8_t> picture =
        c.plot.empty() ? std::vector<std::uint8_t>()
                       : bonds_file(c.plot, bonds_picture(system, list, c.list.half, c.view.front(), source.file));
    if (!c.output.empty()) {
        NeighborFile output(c.output, list, system, c.list, coordination(list, c.list.half));
        if (c.output == "-")
            context.print(neighbor_text(list));
        else
            write_pieces(c.output, output.pieces(), context,
                         fmt::format("{} pair{} as {}", list.pairs(), list.pairs() == 1 ? "" : "s", output.form()));
    }
    if (!c.plot.empty()) {
        const std::span<const std::uint8_t> bytes = picture;
        write_pieces(c.plot, std::span(&bytes, 1), context, "atoms and bonds");
    }
    if (c.exports.show_table() && c.output != "-") context.print(draw(summary, source, context.out.style, timing));
    write_exports(c.exports, context,
                  {.json = [&] { return neighbors_to_json(summary, source, timing); }, .csv = {}, .markdown = {}});
    return exit_status::good;
}

int run_neighbors(const NeighborsCommand& c, const Context& context) {
    check(c);
    ParticleReading reading = c.reading;
    reading.frame = c.frame;
    ParticleFile file = [&] {
        Progress progress(context);
        progress.show("reading " + c.input);
        return read_particles(c.input, reading);
    }();
    for (const std::string& remark : file.remarks) context.hint(remark);
    file.system.box = box_of(c, file);
    return c.dtype == name_of(DType::float32) ? run_as<float>(c, file, context) : run_as<double>(c, file, context);
}

}  // namespace

void add_neighbors(CLI::App& app, Context& context) {
    auto options = std::make_shared<NeighborsCommand>();
    Command command(app, context, "neighbors", "Find the neighbours of every atom in a file");
    command.input_file("FILE", options->input, "Atoms: columns, XYZ, extended XYZ, LAMMPS data or PDB; - for stdin");
    command.positive("--cutoff", options->list.cutoff, "LENGTH", "Neighbours are nearer than this");
    command.flag("--half", options->list.half, "List each pair once instead of from both ends");
    command.option("--box", options->box, "A,B,C[,...]",
                   "Edges, edges and three angles, or nine components; 2-D: two edges or four components");
    command.option("--pbc", options->periodic, "XYZ", "Periodic directions such as xyz, xy or none");
    command.output("-o,--output", options->output,
                   ".txt or -: count and indices of each atom; .npz: arrays; .xyz: atoms and their counts");
    command.flag("--shifts", options->list.shifts, "Which image of j, in the .npz");
    command.flag("--vectors", options->list.vectors, "Vectors from i to j, in the .npz");
    command.flag("--distances", options->list.distances, "Their lengths, in the .npz");
    command.output("--plot", options->plot, "Draw atoms and bonds as .svg or .png");
    command.choice("--view", options->view, {"x", "y", "z"}, "Axis along which the picture is seen (z)");
    command.choice("--format", options->reading.format, particle_formats(), "Of FILE, whatever its name");
    command.option("--frame", options->frame, "Frame of (extended) XYZ or model of PDB (1)");
    command.choice("--dtype", options->dtype, {"float32", "float64"}, "Precision (float64)");
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else cpu)");
    command.option("--memory", options->memory_mib, "MiB that the list may take (what is free)");
    command.flag("--time", options->time, "Time the list: alone, with allocation, and with copies in and out");
    options->exports.add_json(command);
    command.examples(
        "  lanework neighbors examples/data/graphene.xyz --cutoff 1.9 -o neighbors.txt --plot bonds.svg\n"
        "  lanework neighbors melt.data --cutoff 6 --half --shifts --distances -o pairs.npz\n"
        "  lanework neighbors points.txt --cutoff 0.3 --box 10,10 --pbc xy --json\n"
        "  lanework neighbors melt.data --cutoff 6 --shifts --time\n"
        "\n"
        "Lengths have the unit of the file. Atoms are numbered from 0 in the order of the file.");
    command.run([options, &context] { return run_neighbors(*options, context); });
}

}  // namespace lanework
