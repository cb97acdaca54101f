// PNG through libpng. The library leaves an error by longjmp, so every call to it stands in a function that owns no
// C++ object: `attempt` sets the jump, and what must be freed belongs to its caller.
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "src/codecs/codecs.hpp"

namespace lanework::codec {
namespace {

constexpr std::size_t kMessageBytes = 200;
constexpr const char* kCutOff = "a PNG that is cut off; get the whole file";

/// What libpng's callbacks see: the input that is left, the output so far, and the error.
struct State {
    png_structp png = nullptr;
    png_infop info = nullptr;
    ByteView input;
    Bytes* output = nullptr;
    std::uint8_t* pixels = nullptr;
    const Image* image = nullptr;
    bool cut_off = false, keep_alpha = false;
    char message[kMessageBytes] = {};
};

void keep_message(png_structp png, png_const_charp message) {
    auto& state = *static_cast<State*>(png_get_error_ptr(png));
    std::strncpy(state.message, message, kMessageBytes - 1);
    png_longjmp(png, 1);
}
/// libpng warns about what does not change the pixels (colour profiles, unknown chunks): nothing to say.
void ignore(png_structp, png_const_charp) {}

void take_input(png_structp png, png_bytep to, std::size_t count) {
    auto& state = *static_cast<State*>(png_get_io_ptr(png));
    if (count > state.input.size()) {
        state.cut_off = true;
        png_error(png, "cut off");
    }
    std::memcpy(to, state.input.data(), count);
    state.input = state.input.subspan(count);
}

/// Room for more output; false when memory is short. The exception ends here: libpng's frames lie above.
bool append(Bytes& output, const std::uint8_t* from, std::size_t count) noexcept {
    try {
        output.insert(output.end(), from, from + count);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}
void put_output(png_structp png, png_bytep from, std::size_t count) {
    auto& state = *static_cast<State*>(png_get_io_ptr(png));
    if (!append(*state.output, from, count)) png_error(png, "out of memory");
}
void flush_nothing(png_structp) {}

/// Runs `body(state)`; false when libpng left it, with the reason in state.message. Neither may own C++ objects.
bool attempt(State& state, void (*body)(State&)) {
    if (setjmp(png_jmpbuf(state.png)) != 0) return false;
    body(state);
    return true;
}

struct Reader : State {
    explicit Reader(ByteView bytes) {
        input = bytes;
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<State*>(this), keep_message, ignore);
        info = png ? png_create_info_struct(png) : nullptr;
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }

    void run(void (*body)(State&)) {
        if (!png || !info) throw std::bad_alloc();
        if (attempt(*this, body)) return;
        if (cut_off) throw BadContent(kCutOff);
        throw BadContent(std::string("a damaged PNG (") + message + ")");
    }
};

struct Writer : State {
    explicit Writer(const Image& from, Bytes& to) {
        image = &from;
        output = &to;
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<State*>(this), keep_message, ignore);
        info = png ? png_create_info_struct(png) : nullptr;
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

void read_header(State& s) {
    png_set_read_fn(s.png, &s, take_input);
    png_set_user_limits(s.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // require_size judges instead
    // Texts, colour profiles and suggested palettes would be unpacked to megabytes that nobody reads.
    constexpr png_byte skipped[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT";
    png_set_keep_unknown_chunks(s.png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
    png_read_info(s.png, s.info);
}

/// Whether the file is too short for the picture that it claims: deflate packs at most 1032 bytes into one.
bool claims_too_much(const State& s, ByteView bytes) {
    constexpr std::size_t kMostPacked = 1032;
    return png_get_rowbytes(s.png, s.info) > bytes.size() * kMostPacked / png_get_image_height(s.png, s.info);
}

/// To 8 bits, gray, RGB or RGBA, as stored: no gamma, no background.
void ask_for_plain_samples(State& s) {
    const int type = png_get_color_type(s.png, s.info);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(s.png);
    if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(s.png);
    const bool transparent_colour = png_get_valid(s.png, s.info, PNG_INFO_tRNS) != 0;
    if (!s.keep_alpha) {
        png_set_strip_alpha(s.png);
    } else if ((type & PNG_COLOR_MASK_ALPHA) != 0 || transparent_colour) {
        if (transparent_colour) png_set_tRNS_to_alpha(s.png);
        if ((type & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(s.png);
    }
    png_set_interlace_handling(s.png);
    png_read_update_info(s.png, s.info);
}

void read_pixels(State& s) {
    const std::size_t row_bytes = png_get_rowbytes(s.png, s.info);
    const std::uint32_t height = png_get_image_height(s.png, s.info);
    const int passes = png_get_interlace_type(s.png, s.info) == PNG_INTERLACE_ADAM7 ? PNG_INTERLACE_ADAM7_PASSES : 1;
    for (int pass = 0; pass < passes; ++pass)
        for (std::uint32_t row = 0; row < height; ++row) png_read_row(s.png, s.pixels + row * row_bytes, nullptr);
    png_read_end(s.png, s.info);
}

int stated_orientation(State& s) {
    png_bytep exif = nullptr;
    png_uint_32 size = 0;
    return png_get_eXIf_1(s.png, s.info, &size, &exif) == PNG_INFO_eXIf ? exif_orientation({exif, size}) : 1;
}

void write_all(State& s) {
    const Image& image = *s.image;
    png_set_write_fn(s.png, &s, put_output, flush_nothing);
    png_set_user_limits(s.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(s.png, s.info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
                 image.channels == 1   ? PNG_COLOR_TYPE_GRAY
                 : image.channels == 3 ? PNG_COLOR_TYPE_RGB
                                       : PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(s.png, s.info);
    const std::size_t row_bytes = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
    for (std::int64_t row = 0; row < image.height; ++row)
        png_write_row(s.png, image.pixels.data() + static_cast<std::size_t>(row) * row_bytes);
    png_write_end(s.png, s.info);
}

constexpr std::size_t kSignature = 8, kChunkFrame = 12;  // a chunk's length, name and checksum

struct Chunk {
    std::string_view name;
    ByteView data;
};
/// Takes the next one off the bytes; none where it states more bytes than there are.
std::optional<Chunk> take_chunk(ByteView& bytes) {
    if (bytes.size() < kChunkFrame) return std::nullopt;
    const std::size_t length = png_get_uint_32(bytes.data());
    if (length > bytes.size() - kChunkFrame) return std::nullopt;
    const Chunk chunk{{reinterpret_cast<const char*>(&bytes[4]), 4}, bytes.subspan(8, length)};
    bytes = bytes.subspan(kChunkFrame + length);
    return chunk;
}

/// Whether a chunk states more bytes than there are, or none is the last: libpng would take memory for it first.
bool is_cut_off(ByteView bytes) {
    bytes = bytes.subspan(kSignature);
    while (const std::optional<Chunk> chunk = take_chunk(bytes))
        if (chunk->name == "IEND") return false;
    return true;
}

/// Whether an animation control chunk, which stands before the pixels, states several frames. libpng reads the first.
bool is_animated(ByteView bytes) {
    bytes = bytes.subspan(kSignature);
    for (auto chunk = take_chunk(bytes); chunk && chunk->name != "IDAT"; chunk = take_chunk(bytes))
        if (chunk->name == "acTL") return chunk->data.size() >= 4 && png_get_uint_32(chunk->data.data()) > 1;
    return false;
}

/// Whether the header, which libpng would refuse less plainly, states a width or height of 0.
bool states_no_pixels(ByteView bytes) {
    constexpr std::size_t kWidthAt = 16, kHeightAt = 20;
    if (bytes.size() < kHeightAt + 4) return false;
    const auto zero = [&](std::size_t at) {
        return std::all_of(&bytes[at], &bytes[at] + 4, [](auto b) { return b == 0; });
    };
    return zero(kWidthAt) || zero(kHeightAt);
}

bool is_png(ByteView bytes) { return bytes.size() >= kSignature && png_sig_cmp(bytes.data(), 0, kSignature) == 0; }

Image decode_png(ByteView bytes, Alpha alpha) {
    if (states_no_pixels(bytes)) throw BadContent("a PNG with no pixels");
    if (is_cut_off(bytes)) throw BadContent(kCutOff);
    if (is_animated(bytes)) throw BadContent("an animated PNG; save one frame of it as a picture");
    Reader reader(bytes);
    reader.keep_alpha = alpha == Alpha::keep;
    reader.run(read_header);
    if (png_get_bit_depth(reader.png, reader.info) == 16)
        throw BadContent("a 16-bit PNG; save it with 8 bits a channel, e.g. `convert in.png -depth 8 out.png`");
    const std::int64_t height = png_get_image_height(reader.png, reader.info);
    const std::int64_t width = png_get_image_width(reader.png, reader.info);
    require_size(height, width);
    if (claims_too_much(reader, bytes)) throw BadContent(kCutOff);
    reader.run(ask_for_plain_samples);
    Image image = make_image(height, width, png_get_channels(reader.png, reader.info));
    reader.pixels = image.pixels.data();
    reader.run(read_pixels);
    const int orientation = stated_orientation(reader);
    return apply_orientation(std::move(image), orientation);
}

Bytes encode_png(const Image& image) {
    Bytes bytes;
    Writer writer(image, bytes);
    if (!writer.png || !writer.info) throw std::bad_alloc();
    if (!attempt(writer, write_all)) throw BadContent(std::string("cannot be encoded as PNG: ") + writer.message);
    return bytes;
}

}  // namespace

constinit const Codec kPng{
    .names = {{{".png", "PNG"}}}, .is = is_png, .decode = decode_png, .encode = encode_png, .keeps_alpha = true};

}  // namespace lanework::codec
