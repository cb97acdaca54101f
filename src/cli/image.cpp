// lanework image: an operation on pictures in files, or on video in a pipe, on any device.
#include <fmt/format.h>

#include <atomic>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/interrupt.hpp"
#include "src/cli/outputs.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/pictures/pipeline.hpp"
#include "src/pictures/video.hpp"
#include "src/report/results/pace.hpp"

namespace lanework {
namespace {

constexpr int kMostJobs = 1024;
constexpr std::size_t kNamedOneByOne = 10;  // more pictures than these are only counted

struct ImageOptions {
    RecipeWords recipe;
    std::string output, device;
    std::vector<std::string> inputs;  // of pipe without the first, which is its steps
    int jobs = 0;
    bool beside = false;
    Exports exports;
};

/// Progress: a line for each picture or frame.
class Telling {
public:
    Telling(const Context& context, std::string thing)
        : context_(context), progress_(context), pace_(std::move(thing)) {}

    void expect(std::size_t all) {
        all_ = all;
        pace_.expect(static_cast<std::int64_t>(all));
    }
    void outcome(const PictureOutcome& outcome, bool name_good) {
        if (!outcome.good() || name_good) {
            progress_.clear();
            context_.hint(outcome.good() ? outcome.text : fmt::format("lanework: {}", outcome.text));
        }
        (outcome.good() ? good_ : bad_) += 1;
        if (status_ == exit_status::good) status_ = outcome.status;
        show(good_ + bad_);
    }
    /// How far it came.
    void interrupted() {
        context_.clear_line();
        context_.hint(fmt::format("lanework: interrupted, {} of {} finished", good_.load(), all_));
    }
    void show(std::int64_t done) {
        if (const std::string text = pace_.at(done); !text.empty()) progress_.show(text);
    }
    void end(std::int64_t done, const std::string& where) {
        progress_.clear();
        context_.hint(fmt::format("{}: {}", where, pace_.total(done)));
    }
    std::int64_t good() const { return good_; }
    /// Of the first that is not good.
    int status() const { return status_; }

private:
    const Context& context_;
    Progress progress_;
    Pace pace_;
    std::atomic<std::int64_t> good_ = 0, bad_ = 0;
    std::size_t all_ = 0;
    int status_ = exit_status::good;
};

bool is_pipe(const ImageOptions& options) {
    for (const std::string& input : options.inputs)
        if (input == "-") return true;
    return options.output == "-";
}

int run_pipe(const ImageOptions& options, const PictureRecipe& recipe, const Context& context) {
    if (options.inputs.size() != 1 || options.inputs.front() != "-" || options.output != "-")
        throw UsageError("video goes from the standard input to the standard output: lanework image OP - -o -");
    if (options.beside || options.exports.json)
        throw UsageError("image: --beside and --json are for pictures, not for video");
    if (context.out.terminal) throw UsageError("video is not for a terminal; send it to a file or a program");
    const auto device = choose_fastest_device(options.device);
    Y4mReader reader(standard_input(), "the standard input");
    Telling telling(context, "frame");
    const std::int64_t frames = run_video(*device, recipe, reader, standard_output(), options.jobs,
                                          [&](std::int64_t done) { telling.show(done); });
    telling.end(frames, fmt::format("{} on {}", recipe.name, device->info().id));
    return exit_status::good;
}

int run_files(const ImageOptions& options, const PictureRecipe& recipe, const Context& context) {
    // Of derivatives there is a picture, too; a network's input is none.
    const bool pictures = !makes_array(recipe) || (!makes_planes(recipe) && has_image_extension(options.output));
    const OutputKind kind = pictures ? OutputKind::pictures : OutputKind::arrays;
    if (options.beside && kind == OutputKind::arrays)
        throw UsageError(fmt::format("image: --beside is for what becomes a picture; here {} makes an array",
                                     recipe.steps.back().operation().name));
    const bool batch = is_batch(options.inputs, options.output, kind);
    Telling telling(context, "picture");
    std::vector<FileError> bad_inputs;
    const std::vector<PictureJob> jobs = plan_pictures(options.inputs, options.output, kind,
                                                       [&](const FileError& error) { bad_inputs.push_back(error); });
    telling.expect(jobs.size() + bad_inputs.size());
    const bool name_good = !batch && jobs.size() <= kNamedOneByOne;
    std::vector<PictureOutcome> outcomes;
    const auto tell = [&](const PictureOutcome& outcome) {
        telling.outcome(outcome, name_good);
        if (options.exports.json) outcomes.push_back(outcome);
    };
    for (const FileError& error : bad_inputs) tell({error.what(), exit_status_of(error)});
    const PipelineHooks hooks{.write = [](const auto& path, const auto pieces) { write_output(path, pieces); },
                              .tell = tell,
                              .beside = options.beside};
    const auto device = choose_fastest_device(options.device);
    const OnInterrupt on_interrupt([&telling, batch] {
        if (!batch) telling.interrupted();
    });
    if (batch)
        run_batch(*device, recipe, jobs, options.jobs, options.output, hooks);
    else
        run_pictures(*device, recipe, jobs, options.jobs, hooks);
    if (!name_good)
        telling.end(telling.good(), fmt::format("{}: {} on {}", options.output, recipe.name, device->info().id));
    write_exports(options.exports, context,
                  {.json = [&] { return outcomes_to_json(recipe, outcomes); }, .csv = {}, .markdown = {}});
    return telling.status();
}

int run_image(const ImageOptions& options, const Context& context) {
    if (options.output.empty())
        throw UsageError("image: -o PATH is missing: the picture to write, a folder, or - for video");
    ImageOptions given = options;
    if (given.recipe.operation == "pipe") {
        if (given.inputs.size() < 2)
            throw UsageError(
                "image pipe: the steps or the pictures are missing: lanework image pipe 'blur | sobel' IN… -o OUT");
        given.recipe.steps = given.inputs.front();
        given.inputs.erase(given.inputs.begin());
    }
    const PictureRecipe recipe = parse_recipe(given.recipe);
    if (given.jobs == 0) given.jobs = usual_threads();
    if (given.jobs > kMostJobs)
        throw UsageError(fmt::format("--jobs {}: at most {} are possible", given.jobs, kMostJobs));
    return is_pipe(options) ? run_pipe(given, recipe, context) : run_files(given, recipe, context);
}

void add_recipe(Command& command, RecipeWords& words) {
    for (const RecipeOption& option : recipe_options())
        if (option.is_flag)
            command.flag(option.word, words.flags[option.word], option.help);
        else
            command.option(option.word, words.values[option.word], option.placeholder, option.help);
}

}  // namespace

void add_image(CLI::App& app, Context& context) {
    auto options = std::make_shared<ImageOptions>();
    Command command(app, context, "image", "Compute an operation on pictures in files, or on video");
    command.positional_choice("operation", options->recipe.operation, picture_recipes(), picture_recipes_help());
    command.positionals("input", options->inputs,
                        "Pictures (JPEG, PNG, WebP, PGM, PPM), folders of them, patterns; - for YUV4MPEG2 video", true);
    command.option("-o,--output", options->output, "PATH",
                   "The picture to write (.png, .webp, .jpg, .pgm, .ppm), the array (.npy), or a folder; - for video");
    add_recipe(command, options->recipe);
    command.flag("--beside", options->beside, "The input stands to the left of what was made of it");
    options->exports.add_json(command);
    command.option("-j,--jobs", options->jobs, "Threads that decode and encode (one for each core)");
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else cpu)");
    command.examples(
        "  lanework image sobel photo.jpg -o edges.png\n"
        "  lanework image edges photo.jpg -o edges.png --beside\n"
        "  lanework image pipe 'blur | sobel_derivative --axis y' photo.jpg -o gy.npy\n"
        "  lanework image pipe 'letterbox 640 | tensor' batch/ -o input.npy --json boxes.json\n"
        "  lanework image resize holiday/ more.webp -o small/ --width 1280\n"
        "  lanework image letterbox 'cam*.jpg' -o boxed/ --size 640x640 --pad 114\n"
        "  lanework image warp scan.png -o upright.png --rotate 1.5 --pad 255\n"
        "  lanework image tensor batch/ -o input.npy --size 640x640 --dtype float16\n"
        "  ffmpeg -i in.mp4 -f yuv4mpegpipe - | lanework image resize - -o - --width 640 | ffplay -\n"
        "\n"
        "A file that cannot be read is told of and skipped; the exit status is then 6. Inputs are never overwritten.\n"
        "An EXIF orientation is applied. blur, resize, letterbox and warp keep an alpha channel, each channel by\n"
        "itself; files that have none (JPEG, PPM) are written without it. tensor writes float[pictures][3][rows]\n"
        "[columns]: one array of all, or one for each where -o is a folder; sobel_derivative writes "
        "int16[rows][columns]\n"
        "likewise, and of each derivative the size, at most 255, where -o is a picture. Video stays in its colours, "
        "plane by\n"
        "plane: gray and sobel give mono, pads are black. A step of pipe is an operation, a size (rows x columns; 640 "
        "is\n"
        "640x640) and its options; a tensor in it keeps the size of what comes in. --json says for each picture how "
        "coordinates in\n"
        "the output, such as boxes, are those of the input: [[a, b, c], [d, e, f]], x' = ax + by + c, y' = dx + ey + "
        "f.");
    command.run([options, &context] { return run_image(*options, context); });
}

}  // namespace lanework
