// The state of a rehearsal. Its addresses lie where Linux maps nothing of a process by itself.
#include "src/simt/rehearsal.hpp"

#include <cstdint>

namespace lanework_simt {
namespace {

constexpr std::uint64_t kFirstAddress = std::uint64_t{1} << 44, kLastAddress = std::uint64_t{1} << 46;
constexpr std::uint64_t kAlignment = 512;
constexpr std::uint64_t kMostFollowed = std::uint64_t{1} << 16;

Rehearsal* now = nullptr;

}  // namespace

Rehearsal::Rehearsal() : end_(kFirstAddress) { now = this; }
Rehearsal::~Rehearsal() { now = nullptr; }

void* Rehearsal::array(std::size_t bytes) {
    void* const address = reinterpret_cast<void*>(end_);
    // Never as long as to leave the range: such arrays have no place on any GPU.
    end_ += bytes < kLastAddress - end_ - kAlignment ? (bytes / kAlignment + 1) * kAlignment : 0;
    return address;
}

Rehearsal* Rehearsal::current() { return now; }
bool Rehearsal::holds(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    return now && address >= kFirstAddress && address < kLastAddress;
}
void Rehearsal::followed() {
    if (++followed_ > kMostFollowed) throw EndlessRehearsal();
}
void Rehearsal::refuse(const std::string& launch_and_reason) {
    if (refused_.empty()) refused_ = launch_and_reason;
}

}  // namespace lanework_simt
