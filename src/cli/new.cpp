// lanework new: the first files of a ladder of one's own.
#include "src/program/ladder/new_ladder.hpp"

#include <fmt/format.h>

#include "src/cli/command.hpp"

namespace lanework {
namespace {

struct NewCommand {
    std::string folder;
    NewLadder ladder;
};

int run_new(const NewCommand& command, const Context& context) {
    NewLadder ladder = command.ladder;
    ladder.folder = command.folder;
    for (const auto& file : write_new_ladder(ladder)) context.print(file.string() + "\n");
    const std::string folder =
        ladder.folder.is_absolute() || command.folder.starts_with('.') ? command.folder : "./" + command.folder;
    const char* const quote = folder.find(' ') == folder.npos ? "" : "'";
    context.hint(fmt::format("write {}the kernel in naive.cu, then: lanework verify {}{}{}",
                             ladder.reference.empty() ? "reference.py, then " : "", quote, folder, quote));
    return exit_status::good;
}

}  // namespace

void add_new(CLI::App& app, Context& context) {
    auto options = std::make_shared<NewCommand>();
    Command command(app, context, "new", "Begin a ladder of your own: a folder with a reference and a first kernel");
    command.positional("FOLDER", options->folder, "The folder to make; its name is the operation's");
    command.list("--in", options->ladder.inputs, "NAME:TYPE[LENGTHS]",
                 "An input, as x:float[n,m]; several by repeating it");
    command.list("--in-place", options->ladder.in_place, "NAME:TYPE[LENGTHS]", "An array that is changed in place");
    command.list("--out", options->ladder.outputs, "NAME:TYPE[LENGTHS]", "An output, as y:float[n,m]");
    command.list("--scalar", options->ladder.scalars, "NAME:VALUE", "A number that kernels are given, as scale:0.125");
    command.option("--reference", options->ladder.reference, "FILE.py|.cpp[:NAME]",
                   "A function of Python, with NumPy or PyTorch, or of C++, that says what is right");
    command.examples(
        "  lanework new softmax --in x:float[n,m] --out y:float[n,m]\n"
        "  lanework new softmax --in x:float[n,m] --out y:float[n,m] --reference mine.py:softmax\n"
        "  lanework new ema --in x:float[b,t] --out y:float[b,t] --scalar a:0.25 --reference ema.cpp\n"
        "  lanework new saxpy --in x:float[n] --in-place y:float[n] --scalar a:2.5\n"
        "\n"
        "Types are float, double, half, bfloat16, int, int8, bool and the like, and T for the one that is asked for. "
        "Lengths\n"
        "are names and expressions with them: n, 2*n, ceil(n/4).");
    command.run([options, &context] { return run_new(*options, context); });
}

}  // namespace lanework
