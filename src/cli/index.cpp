// lanework index: where every thread of a launch stands, thread by thread.
#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/execute.hpp>

#include "src/cli/command.hpp"
#include "src/cli/dims.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/selection.hpp"
#include "src/report/results/coordinates.hpp"

namespace lanework {
namespace {

struct IndexOptions {
    std::string grid = "2,2", block = "2,2", device, gpu;
    Exports exports;
};

// More rows than this nobody reads, and a table of them no terminal holds.
constexpr std::int64_t kMostRows = 1'000'000;

Problem parse_launch(const IndexOptions& options) {
    const auto grid = parse_dims("--grid", options.grid), block = parse_dims("--block", options.block);
    std::int64_t threads = 1;
    for (const std::int64_t length : {block[0], block[1], block[2], grid[0], grid[1], grid[2]}) {
        if (__builtin_mul_overflow(threads, length, &threads)) threads = INT64_MAX;
    }
    if (block[0] > 1024 || block[1] > 1024 || block[0] * block[1] > 1024 || block[0] * block[1] * block[2] > 1024)
        throw UsageError(fmt::format("--block {}: a block holds at most 1024 threads", options.block));
    if (threads > kMostRows)
        throw UsageError(fmt::format("--grid {} --block {}: more than 1000000 threads, one row each; choose fewer",
                                     options.grid, options.block));
    return {extents(grid[0], grid[1], grid[2], block[0], block[1], block[2]), DType::uint64, 0};
}

int run_index(const IndexOptions& options, const Context& context) {
    const Problem problem = parse_launch(options);
    const Operation& operation = find_operation("coordinates");
    const auto device = choose_device(options.device, options.gpu);
    const Rung& rung = chosen_rung(operation, device->info().kind, problem);
    HostArrays arrays(operation, problem);
    execute(*device, operation, rung, problem, arrays.buffers());
    const std::span<const std::uint64_t> records{reinterpret_cast<const std::uint64_t*>(arrays.data(0)),
                                                 arrays.specs()[0].count};
    const Table table = coordinates_table(records);
    if (options.exports.show_table()) context.print(draw(table, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return coordinates_to_json(records, device->info().id); },
                   .csv = [&] { return to_csv(table); },
                   .markdown = [&] { return to_markdown(table); }});
    return exit_status::good;
}

}  // namespace

void add_index(CLI::App& app, Context& context) {
    auto options = std::make_shared<IndexOptions>();
    Command command(app, context, "index", "Print the indices that each thread of a launch computes");
    command.option("--grid", options->grid, "X[,Y[,Z]]", "Blocks along each axis (2,2)");
    command.option("--block", options->block, "X[,Y[,Z]]", "Threads of a block along each axis (2,2)");
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else simt)");
    command.option("--gpu", options->gpu, "NAME", gpu_help());
    options->exports.add_all(command);
    command.examples(
        "  lanework index                            2×2 blocks of 2×2 threads\n"
        "  lanework index --grid 3 --block 4         a line of 12 threads\n"
        "  lanework index --grid 2,2,2 --block 4,2,1 --json\n"
        "\n"
        "A launch runs on the device and each thread writes down what it sees; rows are in the order of the linear\n"
        "index in the grid: blocks one after the other, and in each block x fastest, then y, then z.");
    command.run([options, &context] { return run_index(*options, context); });
}

}  // namespace lanework
