// Images: gray, blur, sobel, resize, letterbox, warp and a network's input tensor, the same bytes on every device.
//
// The arithmetic (mapping, weights, rounding, borders) is part of the interface: docs/image-arithmetic.md. Samples, T,
// are std::uint8_t or float; a pixel has 1, 3 or 4 of them, interleaved; a column or row at most 2³¹ − 1 of them.
//
// Every function takes views of the caller's memory and says where it computes: on a team of threads, where it returns
// when all is done, or on a device's stream, where it enqueues its kernels and returns. Nothing is allocated, copied to
// the host or waited for, so that a CUDA graph can capture the calls. Arguments are checked first: UsageError says
// which is wrong; DeviceError that a launch was refused. Images may be empty; nothing is computed then. Outputs must
// not overlap inputs: nothing is computed in place, and whether they do is not checked.
#pragma once

#include <lanework/error.hpp>
#include <lanework/image_view.hpp>
#include <lanework/target.hpp>

namespace lanework {

/// The part of an image that begins at row `top` and column `left`. Throws UsageError where it is not inside, and for a
/// view that no function takes.
template <class T>
ImageView<T> region(const ImageView<T>& image, std::int64_t top, std::int64_t left, std::int64_t height,
                    std::int64_t width);

/// One gray value for each pixel.
/// in: 3 or 4 channels (alpha is not read); out: 1 channel, the same size.
template <class T>
void gray(const ImageView<const T>& in, const ImageView<T>& out, const GrayOptions& options, Target target);

/// The 3×3 Gaussian [1 2 1]ᵀ[1 2 1] / 16 of every channel, border reflect-101. out: the shape of in.
template <class T>
void blur(const ImageView<const T>& in, const ImageView<T>& out, Target target);

/// The strength of edges of every channel, border reflect-101. out: the shape of in.
template <class T>
void sobel(const ImageView<const T>& in, const ImageView<T>& out, SobelForm form, Target target);

/// Gx or Gy of every channel: int16 of 8-bit samples, the bytes of OpenCV's Sobel; float of float ones.
void sobel_derivative(const ImageView<const std::uint8_t>& in, const ImageView<std::int16_t>& out, SobelAxis axis,
                      Target target);
void sobel_derivative(const ImageView<const float>& in, const ImageView<float>& out, SobelAxis axis, Target target);

/// Bilinear resampling of each image of `in` to the size of its counterpart in `out`. Channels and counts are equal;
/// an image without pixels can only become one without pixels.
template <class T>
void resize(const ImageBatch<const T>& in, const ImageBatch<T>& out, Convention convention, Target target);

/// Throws UsageError for one that is singular or not finite.
Affine inverse(const Affine& affine);

/// The affine transform of an image, bilinear. in and out have the same channels.
template <class T>
void warp(const ImageView<const T>& in, const ImageView<T>& out, const WarpOptions& options, Target target);

/// What letterbox and tensor compute for an image of this size; integers, rounded half up, at least one pixel.
FittedImage fit_image(std::int64_t height, std::int64_t width, std::int64_t out_height, std::int64_t out_width, Fit fit,
                      bool scale_up);
/// From coordinates in the output to those in the source, both counted from the outer corner of the first pixel (its
/// centre is (½, ½)), as boxes are.
Affine to_source(const FittedImage& fitted, std::int64_t height, std::int64_t width);

/// Fits each image of `in` into its counterpart of `out`, which all have one size: out.most_height × out.most_width.
/// to_source: in the memory of the target, one for each image, or null; of outputs without pixels zeros, which a GPU
/// does not write. An image without pixels leaves nothing but padding.
template <class T>
void letterbox(const ImageBatch<const T>& in, const ImageBatch<T>& out, const LetterboxOptions& options,
               Affine* to_source, Target target);

/// Fits, samples and normalises each image into its place of the tensor. In is std::uint8_t or float, Out float or
/// float16. With convention opencv 8-bit samples are rounded to 8 bits before they are normalised, as OpenCV's pipeline
/// does; with the others they are not.
template <class In, class Out>
void tensor(const ImageBatch<const In>& in, const TensorView<Out>& out, const TensorOptions& options, Affine* to_source,
            Target target);

}  // namespace lanework
