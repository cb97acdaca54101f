// What an operation on images is to everything outside of its folder: the name, the options, the shape of what it
// makes, and how it is applied. One constant each in ops/<operation>/image/<name>.cpp; the build lists them. The
// command line, pictures, video and Python read these and know none by name.
// docs/decisions/image-operations-are-constant-data.md
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <lanework/dtype.hpp>
#include <lanework/image_view.hpp>
#include <lanework/target.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace lanework {

/// Rows, columns and samples of a pixel.
struct PictureShape {
    std::int64_t height = 0, width = 0;
    int channels = 0;
    std::int64_t samples() const { return height * width * channels; }
    bool operator==(const PictureShape&) const = default;
};

/// Pixels of the output: what is 0 is not stated. One side alone keeps the aspect ratio.
struct WantedSize {
    std::int64_t width = 0, height = 0;
    double factor = 0;  ///< of both sides, instead of them
    bool operator==(const WantedSize&) const = default;
};

/// A colour around a picture: nothing, one value for all colours, or each of 3 or 4.
struct WantedColour {
    std::array<float, 4> values{};
    std::int32_t given = 0;

    /// For so many channels. `usual` and `usual_alpha` where nothing is stated; an alpha that is not stated is opaque.
    std::array<float, 4> of(int channels, float usual, float usual_alpha) const {
        std::array<float, 4> colour{};
        for (std::size_t i = 0; i < 3; ++i) colour[i] = given == 0 ? usual : values[given >= 3 ? i : 0];
        if (channels == 4) colour[3] = given == 4 ? values[3] : given == 0 ? usual_alpha : 255;
        return colour;
    }
    bool is_gray() const { return given < 3 || (values[0] == values[1] && values[1] == values[2]); }
};

/// What a member of an operation's options is, and with that how a command line writes it and Python packs it.
enum class ImageOptionKind : std::uint8_t {
    choice,    ///< an enumeration of one byte: the place among the choices
    element,   ///< the same of types, float32 and float16: that of the array that is made
    flag,      ///< a bool; on the command line a word that turns its default around
    number,    ///< a double
    number32,  ///< a float
    channels,  ///< std::array<float, 4>: a number for all channels, or one for each
    colour,    ///< WantedColour
    affine,    ///< Affine: six numbers, or 2 × 3; it has an inverse
    size,      ///< WantedSize, and so are the next three; Python's size is that of the output
    width,
    height,
    factor,
};

/// The same in words, in that order.
inline constexpr std::string_view kImageOptionKinds[] = {"choice", "element", "flag", "number", "number32", "channels",
                                                         "colour", "affine",  "size", "width",  "height",   "factor"};

struct ImageOption {
    ImageOptionKind kind;
    std::size_t offset;                              ///< of the member
    std::string_view word = {};                      ///< "--variant"; empty: not on the command line
    std::string_view parameter = {};                 ///< "form"; empty: not in Python
    std::span<const std::string_view> choices = {};  ///< in Python with _ for -
    std::string_view placeholder = {}, help = {};    ///< of the command line: help_of() of recipe_words.cpp
    std::string_view right = {};                     ///< what a right value is: "--scale `x` is not …"
    bool (*fits)(double) = nullptr;                  ///< whether a number is right, as it is rounded
    std::string_view fitting = {};                   ///< what fits, if `right` is too much
};

/// What an operation makes of an image.
enum class ImageResult : std::uint8_t {
    alike,        ///< samples of the same type, as many channels
    gray,         ///< one channel of them; it takes colours alone
    derivatives,  ///< int16 of 8-bit samples, else float
    array,        ///< a network's input; the `element` option says of what
};

/// The same in words, in that order.
inline constexpr std::string_view kImageResults[] = {"alike", "gray", "derivatives", "array"};

struct ImageOperation;

/// An operation with values for its options.
class ImageStep {
public:
    /// Of their defaults.
    explicit ImageStep(const ImageOperation& operation);
    template <class Options>
    ImageStep(const ImageOperation& operation, const Options& options) : ImageStep(operation) {
        std::memcpy(block_.data(), &options, sizeof(Options));
    }
    const ImageOperation& operation() const { return *operation_; }
    template <class Options>
    const Options& as() const {
        return at<Options>(0);
    }
    /// The member at an offset.
    template <class Member>
    const Member& at(std::size_t offset) const {
        return *reinterpret_cast<const Member*>(block_.data() + offset);
    }
    template <class Member>
    Member& at(std::size_t offset) {
        return *reinterpret_cast<Member*>(block_.data() + offset);
    }
    std::byte* block() { return block_.data(); }

    /// Its first option of this kind, or null.
    const ImageOption* option(ImageOptionKind kind) const;
    /// The type of what is made of bytes: of the samples, of an array its elements.
    DType element() const;

    static constexpr std::size_t kMostBytes = 256;

private:
    const ImageOperation* operation_;
    alignas(8) std::array<std::byte, kMostBytes> block_{};
};

/// One call, whatever its samples are: images of one type as a batch, of an array one output that holds all of them.
struct ImageCall {
    ImageBatch<const std::byte> in;
    ImageBatch<std::byte> out;
    DType samples;  ///< uint8 or float32
    const ImageStep& step;
    Affine* to_source = nullptr;
    Target target;

    template <class T>
    ImageBatch<const T> inputs() const {
        return of<const T>(in);
    }
    template <class T>
    ImageBatch<T> outputs() const {
        return of<T>(out);
    }
    /// Of a call of one image.
    template <class T>
    ImageView<const T> input() const {
        return one(inputs<T>());
    }
    template <class T>
    ImageView<T> output() const {
        return one(outputs<T>());
    }

private:
    template <class T, class Byte>
    static ImageBatch<T> of(const ImageBatch<Byte>& batch) {
        ImageBatch<T> typed(reinterpret_cast<T*>(batch.base), batch.places, batch.count, batch.channels,
                            batch.most_height, batch.most_width);
        typed.only = batch.only;
        return typed;
    }
    template <class T>
    static ImageView<T> one(const ImageBatch<T>& batch) {
        return {batch.base, batch.most_height, batch.most_width, batch.channels, batch.only.pitch};
    }
};

/// Calls body.operator()<T>() for the type of the call's samples.
template <class Body>
void with_samples(const ImageCall& call, const Body& body) {
    call.samples == DType::float32 ? body.template operator()<float>() : body.template operator()<std::uint8_t>();
}

/// Luma samples for each of a plane, down and across.
struct PlaneSpacing {
    std::int64_t down = 1, across = 1;
};
/// A plane of a video that an operation makes another of.
struct PlaneOfVideo {
    PictureShape luma, made_luma, made;
    PlaneSpacing spacing, chroma;  ///< of the plane, and of those of colours
    std::uint8_t pad = 0;
};
struct PlaneStep {
    std::optional<ImageStep> step;  ///< of one channel; none: the plane stays as it is
    /// What the step makes, and where in the plane it lies; the rest of that is pad.
    PictureShape made;
    std::int64_t top = 0, left = 0;
    bool stretches = false;  ///< pixels get another aspect
};

/// Several steps that have a name of their own.
struct ImageRecipe {
    std::string_view name = {}, steps = {};
};

struct ImageOperation {
    std::string_view name = {};
    std::string_view help = {};  ///< a few words for the command line
    int place = 100;             ///< where it stands in lists; those of one place by their names
    bool for_pictures = true;    ///< false: only C++ and Python have it
    ImageResult makes = ImageResult::alike;
    std::span<const ImageOption> options = {};
    void (*apply)(const ImageCall& call) = nullptr;

    /// What pictures of colours become first.
    const ImageOperation* of_colours = nullptr;
    /// Throws UsageError for options that are missing or do not go together; those of the first step of a recipe, or
    /// of another.
    void (*check)(const ImageStep& step, bool first) = nullptr;
    /// From coordinates in the output to those in the input, both counted from the outer corner of the first pixel;
    /// null: they are the same.
    Affine (*back)(const ImageStep& step, const PictureShape& in, const PictureShape& out) = nullptr;
    /// Null: not for video. Throws UsageError for options that are not.
    PlaneStep (*plane)(const ImageStep& step, const PlaneOfVideo& plane) = nullptr;
    ImageRecipe recipe = {};

    /// Python's parameters before out, threads and stream, as they stand in its source: `images` may be several. And
    /// what help() says.
    std::string_view signature = {}, doc = {};
    bool gives_back = false;  ///< Python's function returns how outputs map to sources, too

    std::size_t block_bytes = 0;
    const void* defaults = nullptr;
};

/// A plane becomes what a picture of one channel does.
inline PlaneStep plane_like_picture(const ImageStep& step, const PlaneOfVideo& plane) { return {step, plane.made}; }

template <class Options>
inline constexpr Options kImageDefaults{};

template <class Options>
constexpr ImageOperation described(std::string_view name, ImageOperation operation) {
    static_assert(std::is_trivially_copyable_v<Options> && std::is_standard_layout_v<Options>);
    static_assert(sizeof(Options) <= ImageStep::kMostBytes);
    operation.name = name;
    operation.block_bytes = sizeof(Options);
    operation.defaults = &kImageDefaults<Options>;
    return operation;
}

struct NoImageOptions {};

/// Those of this build, as they stand in lists.
std::span<const ImageOperation* const> image_operations();
/// The names of those whose operation this build leaves out.
std::span<const std::string_view> image_operations_left_out();

}  // namespace lanework

/// LANEWORK_IMAGE_OPERATION(name, Options, {.help = …}) ends ops/<operation>/image/<name>.cpp.
#define LANEWORK_IMAGE_OPERATION(name, Options, ...)                           \
    extern const lanework::ImageOperation lanework_image_operation_##name;     \
    constinit const lanework::ImageOperation lanework_image_operation_##name = \
        lanework::described<Options>(#name, lanework::ImageOperation __VA_ARGS__)
