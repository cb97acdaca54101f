#!/usr/bin/env python3
"""Makes the pictures beside this file with Pillow, an encoder that is not ours: python3 make.py

Every upright picture is PATTERN, or says otherwise in its name."""
import io
import pathlib
import struct
import zlib

from PIL import Image, ImageOps

FOLDER = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 3, 2
# Rows of (r, g, b); tests/codecs/pictures.hpp has the same.
PATTERN = [[(255, 0, 0), (0, 255, 0), (0, 0, 255)], [(10, 20, 30), (40, 50, 60), (70, 80, 90)]]
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,  # shown turned clockwise, so stored turned back
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def pattern():
    image = Image.new("RGB", (WIDTH, HEIGHT))
    image.putdata([pixel for row in PATTERN for pixel in row])
    return image


def stored_turned(image, orientation):
    method = STORED[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    return (image.transpose(method) if method is not None else image), exif


def save(image, name, **options):
    image.save(FOLDER / name, **options)


def oriented():
    for orientation in STORED:
        image, exif = stored_turned(pattern(), orientation)
        save(image, f"orientation_{orientation}.png", exif=exif)
        shown = ImageOps.exif_transpose(Image.open(FOLDER / f"orientation_{orientation}.png"))
        assert list(shown.getdata()) == list(pattern().getdata()), orientation
    image, exif = stored_turned(pattern(), 8)
    save(image, "orientation_8.webp", lossless=True, exif=exif)
    image, exif = stored_turned(pattern().resize((3 * 16, 2 * 16), Image.Resampling.NEAREST), 6)
    save(image, "orientation_6_of_16x16_blocks.jpg", exif=exif, quality=100, subsampling=0)


def kinds():
    save(pattern(), "rgb.png")
    save(pattern().quantize(6), "palette.png")
    save(pattern(), "lossless.webp", lossless=True)
    # an animation of one frame behind the picture
    save(pattern(), "one_frame.png", save_all=True, default_image=True, append_images=[ImageOps.invert(pattern())])
    alpha = pattern().convert("RGBA")
    alpha.putalpha(Image.frombytes("L", (WIDTH, HEIGHT), bytes([0, 1, 127, 128, 254, 255])))
    save(alpha, "alpha.png")
    save(alpha, "alpha.webp", lossless=True, exact=True)
    save(Image.frombytes("LA", (2, 1), bytes([10, 255, 200, 7])), "gray_and_alpha.png")
    save(Image.frombytes("RGB", (2, 1), bytes([1, 2, 3, 4, 5, 6])), "transparent_colour.png", transparency=(1, 2, 3))
    save(Image.frombytes("L", (2, 1), bytes([10, 200])), "transparent_gray.png", transparency=200)
    gray = Image.frombytes("L", (WIDTH, HEIGHT), bytes([0, 51, 102, 153, 204, 255]))
    save(gray, "gray_steps_of_51.png")
    save(gray.convert("1", dither=0), "black_and_white.png")
    save(gray, "gray_steps_of_51.jpg", quality=100)
    blocks = pattern().resize((3 * 16, 2 * 16), Image.Resampling.NEAREST)
    save(blocks, "progressive_of_16x16_blocks.jpg", quality=100, subsampling=0, progressive=True)


def refused():
    save(pattern().convert("CMYK"), "cmyk.jpg")
    save(Image.new("I;16", (WIDTH, HEIGHT), 40000), "sixteen_bit.png")
    save(pattern(), "animated.webp", save_all=True, append_images=[ImageOps.invert(pattern())])
    save(pattern(), "animated.png", save_all=True, append_images=[ImageOps.invert(pattern())])
    save(pattern(), "picture.gif")
    save(pattern(), "picture.bmp")
    save(pattern(), "picture.tiff")
    bomb_header("claims_a_million_squared.png", 1_000_000, 1_000_000)
    bomb_header("zero_wide.png", 0, 5)


def bomb_header(name, width, height):
    """A PNG that states a size and holds next to nothing."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    out = io.BytesIO()
    out.write(b"\x89PNG\r\n\x1a\n")
    out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
    out.write(chunk(b"IDAT", zlib.compress(b"\0" * 100)))
    out.write(chunk(b"IEND", b""))
    (FOLDER / name).write_bytes(out.getvalue())


oriented()
kinds()
refused()
