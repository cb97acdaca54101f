// A recipe on the frames of a YUV4MPEG2 video, plane by plane: colours are not converted.
//
// gray is the luma; sobel is that of the luma. blur, resize and warp do to the chroma planes what they do to luma, in
// their own sizes, whose samples are taken to lie in the middle between those of luma. letterbox places the picture at
// whole chroma samples. Pads and borders are black in video: 16 (0 in full range), and 128
// for chroma.
#pragma once

#include "src/codecs/y4m.hpp"
#include "src/pictures/recipe.hpp"

namespace lanework {

/// What becomes of one plane.
struct PlanePlan {
    PlaneSize in;
    std::int64_t in_offset = 0;  ///< of the plane in a frame
    PlaneStep does;
    PlaneSize out;
    std::uint8_t pad = 0;
};

struct VideoPlan {
    Y4mHeader out;
    std::vector<PlanePlan> planes;
};
/// Throws UsageError for what a step cannot do to a video, FileError for an output of too many pixels.
VideoPlan plan_video(const ImageStep& step, const Y4mHeader& in);

/// All frames, in their order; so many are in memory as there are threads, and few more. `progress` is called after
/// each with how many are done, by one thread at a time. Returns their number. Throws FileError where the video ends
/// badly; the frames before are written then.
std::int64_t run_video(Device& device, const PictureRecipe& recipe, Y4mReader& reader, const ByteSink& sink,
                       int threads, const std::function<void(std::int64_t)>& progress);

}  // namespace lanework
