// Copies and fills. Both ends of a copy are looked up: device memory must be known and hold every byte that is copied.
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <lanework_simt/symbols.hpp>

#include "src/simt/api_capture.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/observer.hpp"
#include "src/simt/rehearsal.hpp"

namespace lanework_simt {
namespace {

bool on_device(const void* pointer) {
    const auto range = memory_map().find(pointer);
    return range && (range->device_only() || range->origin == Origin::managed);
}

void* copy_bytes(void* to, const void* from, std::size_t bytes) {
    if (Rehearsal::holds(to)) return to;
    if (Rehearsal* const rehearsal = Rehearsal::current(); rehearsal && (Rehearsal::holds(from) || on_device(from))) {
        rehearsal->followed();
        return std::memset(to, 0, bytes);
    }
    if (observer()) observer()->memory_written(to, bytes);
    return std::memmove(to, from, bytes);
}
void* fill_bytes(void* to, int value, std::size_t bytes) {
    if (Rehearsal::holds(to)) return to;
    if (observer()) observer()->memory_written(to, bytes);
    return std::memset(to, value, bytes);
}

/// Where memory must be. What the kind calls host memory may be device memory too: with one address space, CUDA takes
/// it; what it calls device memory must be known to the device.
enum class Side { anywhere, device };

Side target_of(cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? Side::device : Side::anywhere;
}
Side source_of(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? Side::device : Side::anywhere;
}

bool known_kind(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

/// Whether `bytes` from `pointer` can be touched as memory of that side. Memory that nobody told us of is the host's,
/// unless it was the device's and an observer, who asks for such, is told of it.
bool accessible(const void* pointer, std::size_t bytes, Side side, bool writes) {
    if (pointer == nullptr) return false;
    if (Rehearsal::holds(pointer)) return true;
    const auto range = memory_map().find(pointer);
    // A registered part of a larger host array does not bound the copies of that array.
    const bool good = range ? range->origin == Origin::registered || range->contains(pointer, bytes)
                            : side != Side::device && !(observer() && memory_map().was_freed(pointer));
    if (!good && observer()) observer()->copy_refused(pointer, bytes, writes);
    return good;
}
bool readable(const void* pointer, std::size_t bytes, Side side) { return accessible(pointer, bytes, side, false); }
bool writable(const void* pointer, std::size_t bytes, Side side) { return accessible(pointer, bytes, side, true); }

/// Where a call's work has its turn: in a stream, or, for calls that name none, in the default stream with the host
/// waiting for its end.
struct Turn {
    const void* stream = nullptr;
    bool host_waits = true;

    static Turn in(cudaStream_t stream) { return {stream, false}; }
};

/// Memory that the host reaches, too: CUDA fills and copies it while the caller waits, where the call names no stream.
bool is_of_host(const void* pointer) {
    const auto range = memory_map().find(pointer);
    return range && !range->device_only();
}

void tell_copy(const void* to, const void* from, std::size_t bytes, std::size_t span, const Turn& turn) {
    if (!observer()) return;
    using Way = StreamCopy::Way;
    const bool up = on_device(to), down = on_device(from);
    const Way way = up && down ? Way::on_device : up ? Way::upload : down ? Way::download : Way::on_host;
    const bool pageable = (!up && !memory_map().find(to)) || (!down && !memory_map().find(from));
    const bool waits = (way != Way::on_device || is_of_host(to) || is_of_host(from)) && (turn.host_waits || pageable);
    observer()->copied({way, bytes, pageable, turn.stream, waits, !turn.host_waits, from, to, span});
}

/// A symbol is the device's, whether its address is known or not.
void tell_symbol(StreamCopy::Way way, const void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    if (!observer()) return;
    const void* const other = way == StreamCopy::Way::upload ? from : to;
    const bool pageable = !memory_map().find(other);
    observer()->copied({on_device(other) ? StreamCopy::Way::on_device : way, bytes, pageable, stream, pageable, true,
                        from, to, bytes});
}

/// The host goes on while the device fills its own memory.
void tell_fill(const void* to, std::size_t bytes, std::size_t span, const Turn& turn) {
    if (!observer()) return;
    const bool waits = turn.host_waits && is_of_host(to);
    observer()->copied({StreamCopy::Way::fill, bytes, false, turn.stream, waits, true, nullptr, to, span});
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Turn& turn) {
    if (bytes == 0) return cudaSuccess;
    if (!known_kind(kind)) return cudaErrorInvalidMemcpyDirection;
    if (!writable(to, bytes, target_of(kind)) || !readable(from, bytes, source_of(kind))) return cudaErrorInvalidValue;
    const auto held = hold_variables(current_device());
    copy_bytes(to, from, bytes);
    tell_copy(to, from, bytes, bytes, turn);
    return cudaSuccess;
}

/// Bytes from the first to the last of `height` rows.
std::size_t extent(std::size_t pitch, std::size_t width, std::size_t height) { return pitch * (height - 1) + width; }

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const Turn& turn) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (!known_kind(kind)) return cudaErrorInvalidMemcpyDirection;
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    if (!writable(to, extent(to_pitch, width, height), target_of(kind)) ||
        !readable(from, extent(from_pitch, width, height), source_of(kind)))
        return cudaErrorInvalidValue;
    for (std::size_t row = 0; row < height; ++row)
        copy_bytes(static_cast<std::byte*>(to) + row * to_pitch, static_cast<const std::byte*>(from) + row * from_pitch,
                   width);
    tell_copy(to, from, width * height, extent(std::max(to_pitch, from_pitch), width, height), turn);
    return cudaSuccess;
}

cudaError_t fill(void* pointer, int value, std::size_t bytes, const Turn& turn) {
    if (bytes == 0) return cudaSuccess;
    if (!writable(pointer, bytes, Side::device)) return cudaErrorInvalidValue;
    fill_bytes(pointer, value, bytes);
    tell_fill(pointer, bytes, bytes, turn);
    return cudaSuccess;
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const Turn& turn) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > pitch && height > 1) return cudaErrorInvalidValue;
    if (!writable(pointer, extent(pitch, width, height), Side::device)) return cudaErrorInvalidValue;
    for (std::size_t row = 0; row < height; ++row)
        fill_bytes(static_cast<std::byte*>(pointer) + row * pitch, value, width);
    tell_fill(pointer, width * height, extent(pitch, width, height), turn);
    return cudaSuccess;
}

bool inside(std::size_t size, std::size_t bytes, std::size_t offset) {
    return offset <= size && bytes <= size - offset;
}

}  // namespace

cudaError_t api::cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call([&] { return copy(to, from, bytes, kind, Turn()); });
}
cudaError_t api::cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, [=] { return copy(to, from, bytes, kind, Turn::in(stream)); });
}
cudaError_t api::cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}
cudaError_t api::cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                     cudaStream_t stream) {
    return submit(stream, [=] {
        if (!device_exists(to_device) || !device_exists(from_device)) return cudaErrorInvalidDevice;
        return copy(to, from, bytes, cudaMemcpyDeviceToDevice, Turn::in(stream));
    });
}
cudaError_t api::cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind) {
    return call([&] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, Turn()); });
}
cudaError_t api::cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                   size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream,
                  [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, Turn::in(stream)); });
}

cudaError_t api::cudaMemset(void* pointer, int value, size_t bytes) {
    return call([&] { return fill(pointer, value, bytes, Turn()); });
}
cudaError_t api::cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
    return submit(stream, [=] { return fill(pointer, value, bytes, Turn::in(stream)); });
}
cudaError_t api::cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    return call([&] { return fill_rows(pointer, pitch, value, width, height, Turn()); });
}
cudaError_t api::cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream) {
    return submit(stream, [=] { return fill_rows(pointer, pitch, value, width, height, Turn::in(stream)); });
}

namespace symbol_copies {
namespace {

/// Whether the host may write there: a string, which named a variable before CUDA 5, stands in memory that it may not.
bool is_writable(const void* symbol) {
    struct Search {
        std::uintptr_t address;
        bool writable = true;
    } search{reinterpret_cast<std::uintptr_t>(symbol)};
    dl_iterate_phdr(
        [](dl_phdr_info* file, std::size_t, void* data) {
            auto& [address, writable] = *static_cast<Search*>(data);
            for (int i = 0; i < file->dlpi_phnum; ++i) {
                const auto& segment = file->dlpi_phdr[i];
                if (segment.p_type == PT_LOAD && address - (file->dlpi_addr + segment.p_vaddr) < segment.p_memsz)
                    writable = (segment.p_flags & PF_W) != 0;
            }
            return 0;
        },
        &search);
    return search.writable;
}

}  // namespace

cudaError_t write(const void* symbol, size_t size, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                  cudaStream_t stream) {
    return submit(stream, [=] {
        if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost || !known_kind(kind))
            return cudaErrorInvalidMemcpyDirection;
        if (!is_writable(symbol)) {
            if (observer()) observer()->symbol_refused(symbol, bytes);
            return cudaErrorInvalidSymbol;
        }
        if (!inside(size, bytes, offset)) return cudaErrorInvalidValue;
        if (bytes == 0) return cudaSuccess;
        if (!readable(from, bytes, source_of(kind))) return cudaErrorInvalidValue;
        auto* const to = static_cast<std::byte*>(const_cast<void*>(symbol)) + offset;
        const auto held = hold_variables(device_of(stream));
        keep_for_each_device(symbol, size);
        copy_bytes(to, from, bytes);
        tell_symbol(StreamCopy::Way::upload, to, from, bytes, stream);
        return cudaSuccess;
    });
}

cudaError_t read(const void* symbol, size_t size, void* to, size_t bytes, size_t offset, cudaMemcpyKind kind,
                 cudaStream_t stream) {
    return submit(stream, [=] {
        if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost || !known_kind(kind))
            return cudaErrorInvalidMemcpyDirection;
        if (!inside(size, bytes, offset)) return cudaErrorInvalidValue;
        if (bytes == 0) return cudaSuccess;
        if (!writable(to, bytes, target_of(kind))) return cudaErrorInvalidValue;
        const auto held = hold_variables(device_of(stream));
        keep_for_each_device(symbol, size);
        copy_bytes(to, static_cast<const std::byte*>(symbol) + offset, bytes);
        tell_symbol(StreamCopy::Way::download, to, static_cast<const std::byte*>(symbol) + offset, bytes, stream);
        return cudaSuccess;
    });
}

cudaError_t address(void** pointer, const void* symbol, size_t size) {
    return call([&] {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        *pointer = const_cast<void*>(symbol);
        const auto held = hold_variables(current_device());
        keep_for_each_device(symbol, size);
        memory_map().add(*pointer, size, Origin::symbol,
                         0);  // from now on it is device memory; known already is good too
        return cudaSuccess;
    });
}

cudaError_t size(size_t* bytes, size_t size) {
    return call([&] {
        if (bytes == nullptr) return cudaErrorInvalidValue;
        *bytes = size;
        return cudaSuccess;
    });
}

}  // namespace symbol_copies
}  // namespace lanework_simt
