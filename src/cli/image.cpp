// lanework image: an operation on pictures in files, on any device.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>
#include <set>

#include "src/cli/commands.hpp"
#include "src/cli/interrupt.hpp"
#include "src/cli/selection.hpp"
#include "src/io/image.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct ImageOptions {
    std::string operation, variant, output, device;
    std::vector<std::string> inputs;
};

/// One picture to be read and the file that is made of it.
struct PictureJob {
    fs::path input, output;
};

/// Tells of a bad file in one line and goes on to the next; what it returned is the command's exit status.
class BadFiles {
public:
    explicit BadFiles(const Context& context) : context_(context) {}
    void report(const FileError& error) {
        context_.hint(fmt::format("lanework: {}", error.what()));
        status_ = exit_status::wrong;
    }
    int status() const { return status_; }

private:
    const Context& context_;
    int status_ = exit_status::good;
};

/// The pictures in a folder by name, folders in it left out. Throws FileError when there are none.
std::vector<fs::path> pictures_in(const fs::path& folder) {
    std::vector<fs::path> pictures;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
        if (entry.is_regular_file(code) && has_image_extension(entry.path())) pictures.push_back(entry.path());
    if (code) throw FileError(fmt::format("{}: the folder cannot be read: {}", folder.string(), code.message()));
    if (pictures.empty()) throw FileError(fmt::format("{}: there are no pictures in this folder", folder.string()));
    std::sort(pictures.begin(), pictures.end());
    return pictures;
}

std::vector<fs::path> list_pictures(const std::vector<std::string>& inputs, BadFiles& bad_files) {
    std::vector<fs::path> pictures;
    for (const fs::path input : inputs) {
        if (!fs::is_directory(input)) {
            pictures.push_back(input);
            continue;
        }
        try {
            const auto found = pictures_in(input);
            pictures.insert(pictures.end(), found.begin(), found.end());
        } catch (const FileError& error) {
            bad_files.report(error);
        }
    }
    return pictures;
}

/// A picture keeps its name in an output folder; one whose extension cannot be written becomes a PNG.
fs::path name_in(const fs::path& folder, const fs::path& input) {
    fs::path name = input.filename();
    if (!has_image_extension(name)) name += ".png";
    return folder / name;
}

bool is_folder_name(const ImageOptions& options) {
    const fs::path output = options.output;
    return fs::is_directory(output) || output.filename().empty() || options.inputs.size() > 1 ||
           fs::is_directory(options.inputs.front());
}

/// Throws UsageError where an output would replace an input or another output, FileError where it cannot be written.
void check_outputs(const std::vector<PictureJob>& jobs) {
    std::set<fs::path> outputs;
    for (const PictureJob& job : jobs) {
        std::error_code code;
        for (const PictureJob& other : jobs)
            if (fs::equivalent(job.output, other.input, code))
                throw UsageError(
                    fmt::format("{} is an input and would be overwritten; name another output", job.output.string()));
        if (!outputs.insert(fs::weakly_canonical(job.output)).second)
            throw UsageError(fmt::format("two inputs would be written to {}; write them to folders of their own",
                                         job.output.string()));
        require_image_writable(job.output);
    }
}

std::vector<PictureJob> plan(const ImageOptions& options, BadFiles& bad_files) {
    const fs::path output = options.output;
    const bool folder = is_folder_name(options);
    if (folder && !fs::is_directory(output) && (fs::exists(output) || has_image_extension(output)))
        throw UsageError(fmt::format("-o {}: several pictures need a folder, such as -o edges/", output.string()));
    std::vector<PictureJob> jobs;
    for (const fs::path& input : list_pictures(options.inputs, bad_files))
        jobs.push_back({input, folder ? name_in(output, input) : output});
    check_outputs(jobs);
    return jobs;
}

/// Runs the highest rung that there is on one picture; the result has one channel.
Image compute(Device& device, const Operation& operation, std::uint8_t variant, const Image& image) {
    const Problem problem{extents(image.height, image.width), DType::uint8, variant};
    Image result{image.height, image.width, 1,
                 std::vector<std::uint8_t>(static_cast<std::size_t>(image.height * image.width))};
    void* const arrays[] = {const_cast<std::uint8_t*>(image.pixels.data()), result.pixels.data()};
    execute(device, operation, top_rung(operation, device.info().kind, problem), problem, {arrays});
    return result;
}

/// Colour becomes gray first, as OpenCV does it, where the operation is on gray.
Image transform(Device& device, const Operation& operation, std::uint8_t variant, Image image) {
    const Operation& gray = find_operation("gray");
    if (&operation == &gray) return compute(device, gray, variant, to_rgb(std::move(image)));
    if (image.channels == 3) image = compute(device, gray, parse_variant(gray, "opencv"), image);
    return compute(device, operation, variant, image);
}

int run(const ImageOptions& options, const Context& context) {
    if (options.output.empty()) throw UsageError("image: -o PATH is missing: the picture to write, or a folder");
    const Operation& operation = find_operation(options.operation);
    const std::uint8_t variant = options.variant.empty() ? 0 : parse_variant(operation, options.variant);
    BadFiles bad_files(context);
    const std::vector<PictureJob> jobs = plan(options, bad_files);
    const auto device = choose_fastest_device(options.device);
    for (const PictureJob& job : jobs) {
        try {
            const Image result = transform(*device, operation, variant, read_image(job.input));
            const HoldInterrupts hold;
            write_image(job.output, result);
            context.hint(fmt::format("{}: {}×{}, {} on {}", job.output.string(), result.width, result.height,
                                     operation.name, device->info().id));
        } catch (const FileError& error) {
            bad_files.report(error);
        }
    }
    return bad_files.status();
}

}  // namespace

void add_image(CLI::App& app, Context& context) {
    auto options = std::make_shared<ImageOptions>();
    Command command(app, context, "image", "Compute an operation on pictures in files");
    command.positional_choice("operation", options->operation, {"gray", "sobel"},
                              "gray: gray values; sobel: the strength of edges");
    command.positionals("input", options->inputs, "Pictures (JPEG, PNG, WebP, PGM, PPM) and folders of them", true);
    command.option("-o,--output", options->output, "PATH",
                   "The picture to write (.png, .webp, .jpg, .pgm, .ppm), or a folder");
    command.option("--variant", options->variant, "NAME",
                   "gray: opencv, weighted, mean or max; sobel: half_sum or magnitude (the first)");
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else cpu)");
    command.examples(
        "  lanework image sobel photo.jpg -o edges.png\n"
        "  lanework image gray holiday/ more.webp -o gray/\n"
        "  lanework image sobel photo.jpg -o edges.png --variant magnitude --device simt\n"
        "\n"
        "A file that cannot be read is told of and skipped; the exit status is then 1. Inputs are never overwritten.\n"
        "An alpha channel is dropped; an EXIF orientation is applied.");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework
