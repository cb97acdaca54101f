// A 128-bit name for contents: FNV-1a. Two different contents of one user's cache do not meet by chance; nobody is kept
// from making them meet on purpose.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanework {

class Digest {
public:
    /// Adds a piece of text; pieces do not run into each other.
    Digest& add(std::string_view text) {
        for (const char c : text) step(static_cast<unsigned char>(c));
        for (std::size_t rest = text.size(), i = 0; i < sizeof rest; ++i, rest >>= 8)
            step(static_cast<unsigned char>(rest));
        return *this;
    }
    /// 32 hexadecimal digits.
    std::string text() const {
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string digits;
        for (int shift = 124; shift >= 0; shift -= 4) digits += kDigits[static_cast<std::size_t>(state_ >> shift & 15)];
        return digits;
    }

private:
    __extension__ using Wide = unsigned __int128;

    void step(unsigned char byte) { state_ = (state_ ^ byte) * kPrime; }

    static constexpr Wide kPrime = (Wide{1} << 88) + 0x13b;
    Wide state_ = (Wide{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
};

}  // namespace lanework
