// Every worker takes a picture through all of its stations. There are a few more workers than cores that may be busy,
// so that some wait for the device while others decode and encode; that bounds the memory too.
#include "src/pictures/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <lanework/image_file.hpp>
#include <lanework/memory_error.hpp>
#include <list>
#include <optional>
#include <thread>

#include "src/core/memory.hpp"
#include "src/core/text.hpp"
#include "src/io/json.hpp"
#include "src/io/npy.hpp"
#include "src/io/npz.hpp"
#include "src/pictures/processor.hpp"
#include "src/pictures/workers.hpp"

namespace lanework {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

constexpr int kWaiting = 2;  // workers beyond the busy ones: one's picture goes up while another's comes down

/// What a recipe made of a picture.
struct Made {
    PictureShape shape;
    Bytes bytes;
    Image before;  ///< the picture, where it is to stand beside
};
/// Takes it to where it belongs, and says what that is called.
using Deliver = std::function<std::string(std::size_t, Made)>;

/// The picture as the operation takes it.
Image read_for(const PictureRecipe& recipe, const std::filesystem::path& path) {
    Image image = read_image(path, keeps_alpha(recipe) ? Alpha::keep : Alpha::drop);
    return image.channels == 1 && needs_colour(recipe) ? to_rgb(std::move(image)) : image;
}

ImageView<const std::uint8_t> view_of(const Image& image) {
    return ImageView<const std::uint8_t>::tight(image.pixels.data(), image.height, image.width, image.channels);
}

/// Throws MemoryError, with the name of what is to be made, where there is no memory for so many bytes.
void require_memory(std::uint64_t bytes, const std::filesystem::path& name, std::string_view remedy) {
    constexpr std::uint64_t kLarge = std::uint64_t{1} << 26;  // what is smaller is not worth asking the system
    if (bytes < kLarge) return;
    if (const std::uint64_t available = available_memory(); bytes > available)
        throw MemoryError(fmt::format("{}: this needs {} of memory, and there are {}; {}", name.string(),
                                      format_bytes(bytes), format_bytes(available), remedy));
}

/// "2x - 8": a coordinate of the input, of those of the output.
std::string coordinate_text(const std::array<double, 3>& row) {
    std::string text;
    constexpr std::string_view kNames[] = {"x", "y", ""};
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] == 0) continue;
        const double factor = std::abs(row[k]);
        const std::string number = factor == 1 && !kNames[k].empty() ? "" : fmt::format("{:.6g}", factor);
        text += fmt::format("{}{}{}", text.empty() ? (row[k] < 0 ? "-" : "") : (row[k] < 0 ? " - " : " + "), number,
                            kNames[k]);
    }
    return text.empty() ? "0" : text;
}

/// What all workers of a run share.
class Run {
public:
    Run(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads, Deliver deliver,
        const PipelineHooks& hooks)
        : recipe_(recipe),
          jobs_(jobs),
          deliver_(std::move(deliver)),
          outcomes_(hooks.tell),
          cores_(threads),
          shared_{device, {1}},
          beside_(hooks.beside) {
        const bool waits = device.info().kind != DeviceKind::cpu;
        const auto most = static_cast<int>(std::min<std::size_t>(jobs.size(), std::size_t{1} << 16));
        const int workers = std::min(threads + (waits ? kWaiting : 0), most);
        shared_.team.threads = std::max(1, device.info().threads / std::max(1, workers));
        for (int worker = 0; worker < workers; ++worker) processors_.emplace_back(shared_, recipe);
    }

    void all() {
        if (jobs_.empty()) return;
        on_threads(
            static_cast<int>(processors_.size()), [this](int worker) { work(worker); }, [this] { stop_ = true; });
    }

private:
    void work(int worker) {
        PictureProcessor& processor = *std::next(processors_.begin(), worker);
        for (std::size_t job = next_++; job < jobs_.size() && !stop_; job = next_++)
            outcomes_.put(job, outcome_of(processor, job));
    }

    PictureOutcome outcome_of(PictureProcessor& processor, std::size_t job) {
        try {
            Made made;
            const PictureShape from = start(processor, job, made.before);
            const PictureShape shape = made.shape = processor.shape();
            made.bytes = processor.finish();
            const Core core(cores_);
            const std::string name = deliver_(job, std::move(made));
            const Affine back = back_to_source(recipe_, from);
            return {.text = fmt::format("{}: {}×{}, {} on {}{}", name, shape.height, shape.width, recipe_.name,
                                        shared_.device.info().id, back_text(back)),
                    .input = jobs_[job].input.string(),
                    .output = jobs_[job].output.string(),
                    .from = from,
                    .made = shape,
                    .to_source = back};
        } catch (const FileError& error) {
            return {.text = error.what(), .status = exit_status_of(error)};
        } catch (const MemoryError& error) {
            return {.text = error.what(), .status = exit_status_of(error)};
        }
    }

    /// The shape of the picture, which is kept in `before` where it is to stand beside.
    PictureShape start(PictureProcessor& processor, std::size_t job, Image& before) {
        const Core core(cores_);
        Image image = read_for(recipe_, jobs_[job].input);
        require_possible(image, job);
        processor.start(view_of(image));
        const PictureShape shape{image.height, image.width, image.channels};
        if (beside_) before = std::move(image);
        return shape;
    }

    /// Names the picture whose output would be too large.
    void require_possible(const Image& image, std::size_t job) const {
        const std::filesystem::path& input = jobs_[job].input;
        PictureShape out;
        try {
            out = shape_of_output(recipe_, {image.height, image.width, image.channels});
        } catch (const FileError& error) {
            throw FileError(fmt::format("{}: {}", input.string(), error.what()));
        }
        require_memory(output_bytes(recipe_, out), input, "choose a smaller output");
    }

    const PictureRecipe& recipe_;
    std::span<const PictureJob> jobs_;
    Deliver deliver_;
    InOrder<PictureOutcome> outcomes_;
    std::counting_semaphore<> cores_;
    SharedDevice shared_;
    bool beside_;
    std::list<PictureProcessor> processors_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
};

ByteView bytes_of(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

/// Of the arrays of so many pictures in one file; none: of a file of one, where only planes are still counted.
std::string header_of(const PictureRecipe& recipe, std::optional<std::size_t> count, const PictureShape& shape) {
    std::vector<std::int64_t> lengths;
    if (count || makes_planes(recipe)) lengths.push_back(static_cast<std::int64_t>(count.value_or(1)));
    if (makes_planes(recipe)) lengths.push_back(shape.channels);
    lengths.insert(lengths.end(), {shape.height, shape.width});
    return npy_header(npy_descriptor(recipe.steps.back().element()), lengths);
}

/// Signed derivatives as a picture shows them: what is more than 255 to either side is 255.
Bytes magnitudes_of(const Bytes& derivatives) {
    Bytes magnitudes(derivatives.size() / sizeof(std::int16_t));
    for (std::size_t i = 0; i < magnitudes.size(); ++i) {
        std::int16_t value = 0;
        std::memcpy(&value, derivatives.data() + i * sizeof value, sizeof value);
        magnitudes[i] = static_cast<std::uint8_t>(std::min(std::abs(int{value}), 255));
    }
    return magnitudes;
}

Image picture_of(Made made) {
    Image after{made.shape.height, made.shape.width, made.shape.channels, std::move(made.bytes)};
    return made.before.pixels.empty() ? after : side_by_side(made.before, after);
}

Bytes encoded(const std::filesystem::path& output, Made made) {
    try {
        return encode_image(output, picture_of(std::move(made)));
    } catch (const UsageError& error) {  // a name that does not fit the picture: the others may
        throw FileError(error.what());
    }
}

}  // namespace

std::string back_text(const Affine& back) {
    if (back == Affine{}) return {};
    return fmt::format("; back: x' = {}, y' = {}", coordinate_text(back.m[0]), coordinate_text(back.m[1]));
}

std::string outcomes_to_json(const PictureRecipe& recipe, std::span<const PictureOutcome> outcomes) {
    const auto size_of = [](const PictureShape& shape) {
        return Json{{"height", shape.height}, {"width", shape.width}, {"channels", shape.channels}};
    };
    Json list = Json::array();
    for (const PictureOutcome& outcome : outcomes) {
        if (!outcome.good()) {
            list.push_back(Json{{"problem", outcome.text}});
            continue;
        }
        const auto& m = outcome.to_source.m;
        Json picture{{"input", outcome.input}, {"output", outcome.output}};
        if (outcome.place) picture["place"] = *outcome.place;
        picture["from"] = size_of(outcome.from);
        picture["made"] = size_of(outcome.made);
        picture["to_source"] =
            Json::array({Json::array({m[0][0], m[0][1], m[0][2]}), Json::array({m[1][0], m[1][1], m[1][2]})});
        list.push_back(picture);
    }
    return json_document(Json{{"schema", 1}, {"recipe", recipe.name}, {"pictures", list}});
}

int usual_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void run_pictures(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
                  const PipelineHooks& hooks) {
    const auto deliver = [&](std::size_t job, Made made) {
        const std::filesystem::path& output = jobs[job].output;
        const bool array = makes_array(recipe) && !has_image_extension(output);
        if (makes_array(recipe) && !array) made.bytes = magnitudes_of(made.bytes);
        const std::string header = array ? header_of(recipe, std::nullopt, made.shape) : "";
        const Bytes file = array ? Bytes() : encoded(output, std::move(made));
        const ByteView array_pieces[] = {bytes_of(header), made.bytes}, picture_pieces[] = {file};
        hooks.write(output, array ? std::span<const ByteView>(array_pieces) : picture_pieces);
        return output.string();
    };
    Run(device, recipe, jobs, threads, deliver, hooks).all();
}

void run_batch(Device& device, const PictureRecipe& recipe, std::span<const PictureJob> jobs, int threads,
               const std::filesystem::path& output, const PipelineHooks& hooks) {
    std::vector<Made> made(jobs.size());
    // Of a size that the recipe states it is known what all need; other sizes follow their pictures.
    const PictureShape smallest = shape_of_output(recipe, {1, 1, 3}), larger = shape_of_output(recipe, {64, 64, 3});
    if (smallest == larger)
        require_memory(output_bytes(recipe, smallest) * jobs.size(), output,
                       "choose a smaller --size, or name a folder for a file of each picture");
    const auto deliver = [&](std::size_t job, Made one) {
        made[job] = std::move(one);
        return jobs[job].input.string();
    };
    Run(device, recipe, jobs, threads, deliver, hooks).all();

    std::erase_if(made, [](const Made& one) { return one.bytes.empty(); });
    if (made.empty()) throw FileError(fmt::format("{}: not written, since no picture could be read", output.string()));
    const PictureShape shape = made.front().shape;
    for (const Made& one : made)
        if (one.shape != shape)
            throw FileError(
                fmt::format("{}: the pictures become arrays of {}×{} and of {}×{}; state a size, or name a folder "
                            "for a file of each picture",
                            output.string(), shape.height, shape.width, one.shape.height, one.shape.width));
    const std::string header = header_of(recipe, made.size(), shape);
    std::vector<ByteView> pieces{bytes_of(header)};
    for (const Made& one : made) pieces.emplace_back(one.bytes);
    hooks.write(output, pieces);
}

}  // namespace lanework
