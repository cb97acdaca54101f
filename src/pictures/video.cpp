// Frames are read one by one, computed beside each other and written in their order.
#include "src/pictures/video.hpp"

#include <algorithm>
#include <exception>
#include <lanework/error.hpp>
#include <list>

#include "src/pictures/processor.hpp"
#include "src/pictures/workers.hpp"

namespace lanework {
namespace {

using Frame = std::vector<std::uint8_t>;

constexpr int kWaiting = 2;  // as many frames more as are on their way up and down

/// A step on a frame after another, on planes of their own queues.
class FrameStep {
public:
    FrameStep(SharedDevice& shared, const VideoPlan& plan) : plan_(plan) {
        for (const PlanePlan& plane : plan.planes)
            if (plane.does.step) processors_.emplace_back(shared, PictureRecipe{{}, {*plane.does.step}});
    }

    void compute(const Frame& in, Frame& out) {
        out.resize(frame_bytes(plan_.out));
        auto processor = processors_.begin();
        for (const PlanePlan& plane : plan_.planes)
            if (plane.does.step) (processor++)->start(view_of(plane, in));
        processor = processors_.begin();
        std::uint8_t* to = out.data();
        for (const PlanePlan& plane : plan_.planes) {
            if (plane.does.step)
                place(plane, (processor++)->finish(), to);
            else
                std::copy_n(in.data() + plane.in_offset, plane.in.bytes(), to);
            to += plane.out.bytes();
        }
    }

private:
    static ImageView<const std::uint8_t> view_of(const PlanePlan& plane, const Frame& in) {
        return ImageView<const std::uint8_t>::tight(in.data() + plane.in_offset, plane.in.height, plane.in.width, 1);
    }
    /// Into a plane whose other samples become the pad.
    static void place(const PlanePlan& plane, const Frame& made, std::uint8_t* to) {
        const PictureShape& shape = plane.does.made;
        if (shape.height == plane.out.height && shape.width == plane.out.width) {
            std::copy(made.begin(), made.end(), to);
            return;
        }
        std::fill_n(to, plane.out.bytes(), plane.pad);
        const std::uint8_t* from = made.data();
        for (std::int64_t y = 0; y < shape.height; ++y, from += shape.width)
            std::copy_n(from, shape.width, to + (plane.does.top + y) * plane.out.width + plane.does.left);
    }

    const VideoPlan& plan_;
    std::list<PictureProcessor> processors_;
};

/// All steps, one after the other.
class FrameProcessor {
public:
    FrameProcessor(SharedDevice& shared, const std::vector<VideoPlan>& plans) {
        for (const VideoPlan& plan : plans) steps_.emplace_back(shared, plan);
    }
    void compute(Frame& in, Frame& out) {
        for (FrameStep& step : steps_) {
            if (&step != &steps_.front()) std::swap(in, out);
            step.compute(in, out);
        }
    }

private:
    std::list<FrameStep> steps_;
};

/// Hands out frames with their numbers, to one thread at a time.
class FrameSource {
public:
    explicit FrameSource(Y4mReader& reader) : reader_(reader) {}
    /// False at the end. A bad end is kept: the frames before it are to be written first.
    bool next(Frame& frame, std::size_t& number) {
        const std::lock_guard lock(mutex_);
        if (ended_) return false;
        try {
            ended_ = !reader_.next(frame);
        } catch (const FileError&) {
            bad_end_ = std::current_exception();
            ended_ = true;
        }
        if (!ended_) number = count_++;
        return !ended_;
    }
    void end() { ended_ = true; }
    /// Throws what was wrong with the end.
    void require_good_end() const {
        if (bad_end_) std::rethrow_exception(bad_end_);
    }

private:
    Y4mReader& reader_;
    std::mutex mutex_;
    std::size_t count_ = 0;
    std::atomic<bool> ended_{false};
    std::exception_ptr bad_end_;
};

}  // namespace

std::int64_t run_video(Device& device, const PictureRecipe& recipe, Y4mReader& reader, const ByteSink& sink,
                       int threads, const std::function<void(std::int64_t)>& progress) {
    std::vector<VideoPlan> plans;
    for (const ImageStep& step : recipe.steps)
        plans.push_back(plan_video(step, plans.empty() ? reader.header() : plans.back().out));
    const int workers = threads + (device.info().kind == DeviceKind::cpu ? 0 : kWaiting);
    SharedDevice shared{device, {std::max(1, device.info().threads / workers)}};
    std::list<FrameProcessor> processors;
    for (int worker = 0; worker < workers; ++worker) processors.emplace_back(shared, plans);
    FrameSource source(reader);
    Turns turns;
    Y4mWriter writer(sink, plans.back().out);
    std::int64_t written = 0;
    const auto work = [&](int worker) {
        FrameProcessor& processor = *std::next(processors.begin(), worker);
        Frame in, out;
        for (std::size_t number = 0; source.next(in, number);) {
            processor.compute(in, out);
            if (!turns.wait_for(number)) return;
            writer.write(out);
            progress(++written);
            turns.pass();
        }
    };
    on_threads(workers, work, [&] {
        source.end();
        turns.end();
    });
    source.require_good_end();
    return written;
}

}  // namespace lanework
