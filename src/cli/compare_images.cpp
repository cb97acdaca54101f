// lanework compare-images: where two pictures differ, and by how much.
#include <lanework/memory_error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/finished.hpp"
#include "src/cli/progress.hpp"
#include "src/pictures/image_comparison.hpp"
#include "src/pictures/picture_files.hpp"

namespace lanework {
namespace {

struct CompareImagesOptions {
    std::string first, second;
    std::uint64_t max_difference = 0;
    Exports exports;
};

// Pairs that were compared, and the exit status that they ask for: a difference, else what could not be read.
class Comparer {
public:
    explicit Comparer(std::uint64_t max_difference) : max_difference_(max_difference) {}

    ComparedFiles compare(const PicturePair& pair) {
        ComparedFiles files{pair.first.string(), pair.second.string(), 0, {}, {}};
        if (pair.first.empty() || pair.second.empty()) {
            files.problem = "it is in one folder only";
            differs_ = true;
            return files;
        }
        try {
            const Image first = read_image(pair.first, Alpha::keep), second = read_image(pair.second, Alpha::keep);
            files.channels = first.channels;
            hold(first, second, files);
        } catch (const FileError& error) {
            unread(files, error);
        } catch (const MemoryError& error) {
            unread(files, error);
        }
        return files;
    }
    int status() const { return differs_ ? static_cast<int>(exit_status::wrong) : unread_; }

private:
    void hold(const Image& first, const Image& second, ComparedFiles& files) {
        try {
            files.comparison = compare_images(first, second);
            differs_ |= static_cast<std::uint64_t>(files.comparison.most()) > max_difference_;
        } catch (const UsageError& error) {  // they have different shapes
            files.problem = error.what();
            differs_ = true;
        }
    }
    void unread(ComparedFiles& files, const std::exception& error) {
        files.problem = error.what();
        if (unread_ == exit_status::good) unread_ = exit_status_of(error);
    }

    std::uint64_t max_difference_;
    bool differs_ = false;
    int unread_ = exit_status::good;
};

int run_compare_images(const CompareImagesOptions& options, const Context& context) {
    const std::vector<PicturePair> pairs = pair_pictures(options.first, options.second);
    const auto show = [&](std::span<const ComparedFiles> compared) {
        if (compared.size() == 1 && !compared.front().problem.empty())
            context.hint("lanework: " + compared.front().problem);
        else if (options.exports.show_table())
            context.print(draw(compared, context.out.style));
    };
    const auto write = [&](std::span<const ComparedFiles> compared, const std::vector<Fact>&) {
        write_exports(options.exports, context,
                      {.json = [&] { return comparisons_to_json(compared); }, .csv = {}, .markdown = {}});
    };
    Finished<ComparedFiles> finished(context, options.exports, pairs.size(), show, write);
    Comparer comparer(options.max_difference);
    {
        Progress progress(context, pairs.size());
        for (const PicturePair& pair : pairs) {
            progress.show("comparing " + pair.first.string());
            finished.add(comparer.compare(pair));
            progress.step();
        }
    }
    finished.end();
    return comparer.status();
}

}  // namespace

void add_compare_images(CLI::App& app, Context& context) {
    auto options = std::make_shared<CompareImagesOptions>();
    Command command(app, context, "compare-images", "Compare two pictures, or the pictures of two folders");
    command.input_file("A", options->first, "A picture (JPEG, PNG, WebP, PGM, PPM), or a folder of them");
    command.input_file("B", options->second, "The other one, or a folder with pictures of the same names");
    command.option("--max-difference", options->max_difference, "Samples may differ by this much (0)");
    options->exports.add_json(command);
    command.examples(
        "  lanework compare-images expected.png edges.png\n"
        "  lanework compare-images before/ after/ --max-difference 1 --json differences.json\n"
        "\n"
        "Says how many samples differ and by how much, where the largest difference is, and the PSNR. Exit status 1\n"
        "when any differs by more than --max-difference, or when sizes or channels differ.");
    command.run([options, &context] { return run_compare_images(*options, context); });
}

}  // namespace lanework
