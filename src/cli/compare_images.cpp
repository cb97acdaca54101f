// lanework compare-images: where two pictures differ, and by how much.
#include <lanework/error.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/exports.hpp"
#include "src/pictures/picture_files.hpp"
#include "src/report/image_comparison.hpp"

namespace lanework {
namespace {

struct CompareImagesOptions {
    std::string first, second;
    std::uint64_t max_difference = 0;
    Exports exports;
};

ComparedFiles compare_files(const PicturePair& pair) {
    ComparedFiles files{pair.first.string(), pair.second.string(), 0, {}, {}};
    if (pair.first.empty() || pair.second.empty()) {
        files.problem = "it is in one folder only";
        return files;
    }
    try {
        const Image first = read_image(pair.first, Alpha::keep), second = read_image(pair.second, Alpha::keep);
        files.channels = first.channels;
        files.comparison = compare_images(first, second);
    } catch (const FileError& error) {
        files.problem = error.what();
    }
    return files;
}

int run(const CompareImagesOptions& options, const Context& context) {
    options.exports.check();
    std::vector<ComparedFiles> compared;
    bool within = true;
    for (const PicturePair& pair : pair_pictures(options.first, options.second)) {
        compared.push_back(compare_files(pair));
        const ComparedFiles& files = compared.back();
        within &=
            files.problem.empty() && static_cast<std::uint64_t>(files.comparison.most()) <= options.max_difference;
    }
    if (compared.size() == 1 && !compared.front().problem.empty())
        context.hint("lanework: " + compared.front().problem);
    else if (options.exports.show_table())
        context.print(draw(compared, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return comparisons_to_json(compared); }, .csv = {}, .markdown = {}});
    return within ? exit_status::good : exit_status::wrong;
}

}  // namespace

void add_compare_images(CLI::App& app, Context& context) {
    auto options = std::make_shared<CompareImagesOptions>();
    Command command(app, context, "compare-images", "Compare two pictures, or the pictures of two folders");
    command.positional("A", options->first, "A picture (JPEG, PNG, WebP, PGM, PPM), or a folder of them");
    command.positional("B", options->second, "The other one, or a folder with pictures of the same names");
    command.option("--max-difference", options->max_difference, "Samples may differ by this much (0)");
    options->exports.add_json(command);
    command.examples(
        "  lanework compare-images expected.png edges.png\n"
        "  lanework compare-images before/ after/ --max-difference 1 --json differences.json\n"
        "\n"
        "Says how many samples differ and by how much, where the largest difference is, and the PSNR. Exit status 1\n"
        "when any differs by more than --max-difference, or when sizes or channels differ.");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework
