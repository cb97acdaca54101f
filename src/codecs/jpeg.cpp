// JPEG through libjpeg. The library leaves an error by longjmp, so every call to it stands in a function that owns no
// C++ object: `attempt` sets the jump, and what must be freed belongs to its caller.
#include <csetjmp>
#include <cstdio>
// libjpeg's header needs <cstdio> before it.
#include <jpeglib.h>

#include <algorithm>
#include <cstdlib>

#include "src/codecs/codecs.hpp"

namespace lanework::codec {
namespace {

constexpr int kQuality = 95;
constexpr const char* kCutOff = "a JPEG that is cut off; get the whole file";

/// libjpeg's error manager, with the place to jump to and the message to keep.
struct Errors {
    jpeg_error_mgr base;
    std::jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
    bool too_many_scans;
};

[[noreturn]] void leave(j_common_ptr codec) {
    auto* errors = reinterpret_cast<Errors*>(codec->err);
    codec->err->format_message(codec, errors->message);
    std::longjmp(errors->escape, 1);
}
/// A warning means that data is missing or damaged: the picture would not be the one that was saved.
void on_message(j_common_ptr codec, int level) {
    if (level < 0) leave(codec);
}
void print_nothing(j_common_ptr) {}

jpeg_error_mgr* prepare(Errors& errors) {
    jpeg_std_error(&errors.base);
    errors.base.error_exit = leave;
    errors.base.emit_message = on_message;
    errors.base.output_message = print_nothing;
    return &errors.base;
}

/// Called by libjpeg between pieces of its work: more scans than these are an attack on the reader's time.
void limit_scans(j_common_ptr common) {
    auto* codec = reinterpret_cast<j_decompress_ptr>(common);
    if (codec->input_scan_number <= kMostScans) return;
    auto* errors = reinterpret_cast<Errors*>(codec->err);
    errors->too_many_scans = true;
    std::longjmp(errors->escape, 1);
}

/// Runs `body(state)`; false when libjpeg left it, with the reason in errors.message. Neither may own C++ objects.
template <class State>
bool attempt(Errors& errors, State& state, void (*body)(State&)) {
    if (setjmp(errors.escape) != 0) return false;
    body(state);
    return true;
}

std::string plain_reason(const Errors& errors) {
    const std::string reason = errors.message;
    if (errors.too_many_scans)
        return "a JPEG of more than " + std::to_string(kMostScans) + " scans, the most that are read; save it anew";
    if (reason.find("Insufficient memory") != std::string::npos) return "a picture that does not fit in memory";
    if (reason.find("Premature end") != std::string::npos) return kCutOff;
    if (reason.find("Empty JPEG image") != std::string::npos) return "a JPEG with no pixels";
    if (reason.find("data precision") != std::string::npos)
        return "a JPEG with more than 8 bits a channel; save it with 8";
    return "a damaged JPEG (" + reason + ")";
}

struct Decoder {
    jpeg_decompress_struct codec;
    Errors errors;
    jpeg_progress_mgr progress;
    ByteView bytes;
    /// height × width × channels, of the caller.
    std::uint8_t* pixels;

    explicit Decoder(ByteView input) : codec{}, errors{}, progress{}, bytes(input), pixels(nullptr) {
        codec.err = prepare(errors);
        progress.progress_monitor = limit_scans;
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { jpeg_destroy_decompress(&codec); }

    void run(void (*body)(Decoder&)) {
        if (!attempt(errors, *this, body)) throw BadContent(plain_reason(errors));
    }
};

void read_header(Decoder& d) {
    jpeg_create_decompress(&d.codec);
    d.codec.progress = &d.progress;
    jpeg_save_markers(&d.codec, JPEG_APP0 + 1, 0xFFFF);  // EXIF
    jpeg_mem_src(&d.codec, d.bytes.data(), static_cast<unsigned long>(d.bytes.size()));
    jpeg_read_header(&d.codec, TRUE);
}

void read_pixels(Decoder& d) {
    jpeg_start_decompress(&d.codec);
    const std::size_t row_bytes =
        std::size_t{d.codec.output_width} * static_cast<std::size_t>(d.codec.output_components);
    while (d.codec.output_scanline < d.codec.output_height) {
        JSAMPROW row = d.pixels + d.codec.output_scanline * row_bytes;
        jpeg_read_scanlines(&d.codec, &row, 1);
    }
    jpeg_finish_decompress(&d.codec);
}

/// Whether the file is too short for the picture that it claims: Huffman codes take a bit at least for each 8×8 block
/// of each component. (Arithmetic codes may take less.)
bool claims_too_much(const jpeg_decompress_struct& codec, ByteView bytes) {
    if (codec.arith_code) return false;
    std::size_t blocks = 0;
    for (int i = 0; i < codec.num_components; ++i)
        blocks += std::size_t{codec.comp_info[i].width_in_blocks} * codec.comp_info[i].height_in_blocks;
    return blocks / 8 > bytes.size();
}

int stated_orientation(const jpeg_decompress_struct& codec) {
    for (const jpeg_marker_struct* marker = codec.marker_list; marker; marker = marker->next)
        if (marker->data_length >= 6 && std::equal(marker->data, marker->data + 4, "Exif"))
            return exif_orientation({marker->data, marker->data_length});
    return 1;
}

struct Encoder {
    jpeg_compress_struct codec;
    Errors errors;
    const Image& image;
    unsigned char* bytes;
    unsigned long size;

    explicit Encoder(const Image& input) : codec{}, errors{}, image(input), bytes(nullptr), size(0) {
        codec.err = prepare(errors);
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        jpeg_destroy_compress(&codec);
        std::free(bytes);
    }
};

void write_pixels(Encoder& e) {
    jpeg_create_compress(&e.codec);
    jpeg_mem_dest(&e.codec, &e.bytes, &e.size);
    e.codec.image_width = static_cast<JDIMENSION>(e.image.width);
    e.codec.image_height = static_cast<JDIMENSION>(e.image.height);
    e.codec.input_components = e.image.channels;
    e.codec.in_color_space = e.image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&e.codec);
    jpeg_set_quality(&e.codec, kQuality, TRUE);
    e.codec.comp_info[0].h_samp_factor = e.codec.comp_info[0].v_samp_factor = 1;  // chroma as fine as luma
    e.codec.optimize_coding = TRUE;
    jpeg_start_compress(&e.codec, TRUE);
    const std::size_t row_bytes = static_cast<std::size_t>(e.image.width) * static_cast<std::size_t>(e.image.channels);
    while (e.codec.next_scanline < e.codec.image_height) {
        auto* row = const_cast<JSAMPROW>(e.image.pixels.data() + e.codec.next_scanline * row_bytes);
        jpeg_write_scanlines(&e.codec, &row, 1);
    }
    jpeg_finish_compress(&e.codec);
}

bool is_jpeg(ByteView bytes) { return bytes.size() >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF; }

Image decode_jpeg(ByteView bytes, Alpha) {
    Decoder decoder(bytes);
    decoder.run(read_header);
    jpeg_decompress_struct& codec = decoder.codec;
    if (codec.num_components == 4)
        throw BadContent("a CMYK JPEG; convert it to RGB first, e.g. `convert in.jpg -colorspace sRGB out.jpg`");
    if (codec.num_components != 1 && codec.num_components != 3)
        throw BadContent("a JPEG that is neither gray nor colour; convert it to RGB first");
    codec.out_color_space = codec.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    require_size(codec.image_height, codec.image_width);
    if (claims_too_much(codec, bytes)) throw BadContent(kCutOff);
    Image image = make_image(codec.image_height, codec.image_width, codec.num_components);
    const int orientation = stated_orientation(codec);
    decoder.pixels = image.pixels.data();
    decoder.run(read_pixels);
    return apply_orientation(std::move(image), orientation);
}

Bytes encode_jpeg(const Image& image) {
    if (image.height > JPEG_MAX_DIMENSION || image.width > JPEG_MAX_DIMENSION)
        throw BadContent("a JPEG has at most 65500 rows and columns; write a PNG");
    Encoder encoder(image);
    if (!attempt(encoder.errors, encoder, write_pixels))
        throw BadContent(std::string("cannot be encoded as JPEG: ") + encoder.errors.message);
    return Bytes(encoder.bytes, encoder.bytes + encoder.size);
}

}  // namespace

constinit const Codec kJpeg{
    .names = {{{".jpg", "JPEG"}, {".jpeg", "JPEG"}}}, .is = is_jpeg, .decode = decode_jpeg, .encode = encode_jpeg};

}  // namespace lanework::codec
