// Bytes by the thousand: tdpbssd multiplies a tile of 16 rows × 64 columns of A by one of 64 rows × 16 columns of B and
// adds the product to a tile of int32. Of the eight tile registers four are sums, of 32 rows and columns, so that each
// tile that is loaded is multiplied twice.
#include <atomic>
#include <string_view>

#include "ops/matmul/cpu/quads.hpp"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LANEWORK_AMX __attribute__((target("amx-tile,amx-int8")))
#endif

namespace {
#if defined(__x86_64__) && defined(__linux__)

constexpr std::int64_t kTileBytes = 64;  ///< of a row of a tile, of which it has 16

/// What _tile_loadconfig reads: all eight tiles have 16 rows of 64 bytes. A constant, since g++ 12 takes it to read 8
/// bytes.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShapes kTileShapes;

/// The tile registers are a thread's while this lives.
class TileRegisters {
public:
    LANEWORK_AMX TileRegisters() { _tile_loadconfig(&kTileShapes); }
    LANEWORK_AMX ~TileRegisters() { _tile_release(); }
    TileRegisters(const TileRegisters&) = delete;
    TileRegisters& operator=(const TileRegisters&) = delete;
};

struct Amx {
    static constexpr std::int64_t kRows = 32, kQuads = kTileBytes / kQuadBytes;
    static constexpr std::uint8_t kFlip = 0;  // both factors have signs
    using Rows = QuadRows<kRows>;

    TileRegisters registers;

    void begin(const Rows&, std::int64_t) {}

    /// Tiles 0 to 3 are sums, above and below, left and right; 4 and 5 A's, 6 and 7 B's.
    LANEWORK_AMX static void sum_up(const Rows& rows, const std::byte* panel, std::int64_t quads) {
        constexpr std::int64_t kQuadRow = kQuadColumns * kQuadBytes;
        // Loads of tiles do not tell g++ 12 that they read memory.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
        for (std::int64_t q = 0; q < quads; q += kQuads) {
            _tile_loadd(4, rows.data + q * kQuadBytes, Rows::kPitch);
            _tile_loadd(5, rows.data + 16 * Rows::kPitch + q * kQuadBytes, Rows::kPitch);
            _tile_loadd(6, panel + q * kQuadRow, kQuadRow);
            _tile_loadd(7, panel + q * kQuadRow + kTileBytes, kQuadRow);
            _tile_dpbssd(0, 4, 6);
            _tile_dpbssd(1, 4, 7);
            _tile_dpbssd(2, 5, 6);
            _tile_dpbssd(3, 5, 7);
        }
    }
    LANEWORK_AMX static void store(std::int32_t* c, std::int64_t pitch) {
        const std::int64_t bytes = pitch * static_cast<std::int64_t>(sizeof *c);
        _tile_stored(0, c, bytes);
        _tile_stored(1, c + 16, bytes);
        _tile_stored(2, c + 16 * pitch, bytes);
        _tile_stored(3, c + 16 * pitch + 16, bytes);
    }

    static void multiply(const Rows& rows, const std::byte* panel, std::int64_t quads, const QuadPlace& place) {
        sum_up(rows, panel, quads);
        if (rows.height == kRows && place.inside == kQuadColumns && !place.onto) return store(place.c, place.pitch);
        alignas(64) std::int32_t sums[kRows * kQuadColumns];
        store(sums, kQuadColumns);
        for (std::int64_t r = 0; r < rows.height; ++r)
            for (std::int64_t c = 0; c < place.inside; ++c) {
                std::int32_t& to = place.c[r * place.pitch + c];
                to = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[r * kQuadColumns + c]) +
                                               (place.onto ? static_cast<std::uint32_t>(to) : 0U));
            }
    }
};

/// Whether the processor has the instructions, and the kernel keeps their registers for this process, which must ask.
/// From then on a signal's alternative stack must have room for them: 8 KB more.
bool ask_for_amx() {
    constexpr unsigned kTiles = 1U << 24, kBytes = 1U << 25;  // of leaf 7's edx
    constexpr long kRequestPermission = 0x1023,
                   kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA (asm/prctl.h)
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (edx & kTiles) == 0 || (edx & kBytes) == 0) return false;
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
bool has_amx() {
    static const bool has = ask_for_amx();
    return has;
}

constexpr PanelKernels<std::int8_t> kKernels{Amx::kRows, kQuadColumns, kQuadPanelBytes, multiply_quads<Amx>};

#else
bool has_amx() { return false; }
constexpr PanelKernels<std::int8_t> kKernels{};
#endif

std::size_t workspace(const MatmulArgs<std::int8_t>& x) { return has_amx() ? workspace_of_panels(x, kKernels) : 0; }

void launch(const MatmulArgs<std::int8_t>& x, Team team) { multiply_by_panels(x, team, kKernels); }

std::string_view refuses(const Problem&) {
    return has_amx() ? ""
                     : "multiplies by AMX's tiles of bytes, which this processor does not have, or the system keeps "
                       "from programs";
}

bool fits(const MatmulArgs<std::int8_t>& x) { return has_amx() && has_epilogue(x); }
}  // namespace

LANEWORK_RUNG(matmul, amx,
              {
                  .climbs_from = "vnni",
                  .lesson = "Registers that hold matrices: one instruction multiplies 16 × 64 by 64 × 16 bytes.",
                  .launch = {launch},
                  .workspace = {workspace},
                  .refuses = refuses,
                  .fits = {fits},
                  .only = kGeluOfFloats,
              });
