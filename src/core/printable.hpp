// Words of the caller's in a message of one line.
#pragma once

#include <string>
#include <string_view>

namespace lanework {

/// The word with its control characters as `\x0a`: what is typed cannot break a message into lines.
inline std::string printable(std::string_view word) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char character : word) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte != 0x7f)
            text += character;
        else
            text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return text;
}

}  // namespace lanework
