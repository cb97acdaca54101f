// Whatever the text, cudafe ends: with one error, or with as many lines as it was given.
#include <random>

#include "tests/cudafe/translation.hpp"
#include "tests/processor_seconds.hpp"

namespace lanework::cudafe {
namespace {

constexpr const char* kIngredients[] = {"k",
                                        "ns",
                                        "::",
                                        "<",
                                        ">",
                                        "<<<",
                                        ">>>",
                                        ">>",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ";",
                                        "=",
                                        "->",
                                        ".",
                                        "*",
                                        "&",
                                        "template",
                                        "return",
                                        "if",
                                        "operator",
                                        "struct",
                                        "namespace",
                                        "extern",
                                        "static",
                                        "alignas",
                                        "__align__",
                                        "__attribute__",
                                        "aligned",
                                        "__shared__",
                                        "__noinline__",
                                        "float",
                                        "SHARED",
                                        "\n",
                                        "\n",
                                        "\\\n",
                                        "\\",
                                        " ",
                                        "#",
                                        "##",
                                        "\n#define M(a, b) ",
                                        "\n#define SHARED __shared__\n",
                                        "\n#if 0\n",
                                        "\n#ifdef X\n",
                                        "\n#else\n",
                                        "\n#endif\n",
                                        "\n#include \"",
                                        "\n#include <",
                                        "\"",
                                        "'",
                                        "1'000",
                                        "R\"x(",
                                        ")x\"",
                                        "/*",
                                        "*/",
                                        "//",
                                        "é",
                                        "\0",
                                        "k<<<1, 2>>>(x)",
                                        "__shared__ float a[2]",
                                        "extern __shared__ int s[]"};

std::string soup(std::mt19937& random, int length) {
    std::string text;
    for (int i = 0; i < length; ++i) {
        text += kIngredients[random() % std::size(kIngredients)];
        if (random() % 2) text += ' ';
    }
    return text;
}

std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(Soup, KeepsItsLinesOrIsRefused) {
    std::mt19937 random(20240607);
    int kept = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = soup(random, 1 + static_cast<int>(random() % 40));
        try {
            EXPECT_EQ(lines(translated(text)), lines(text)) << text;
            ++kept;
        } catch (const MalformedError& error) {
            EXPECT_LE(error.offset(), text.size());
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
    EXPECT_GT(kept, 2000) << "too few soups got through for this test to say anything";
}

TEST(Soup, ThatIsLongIsReadInTime) {
    const auto seconds = [](const std::string& text) {
        const double start = processor_seconds();
        try {
            translated(text);
        } catch (const MalformedError&) {
        }
        return processor_seconds() - start;
    };
    const auto repeated = [](const char* text) {
        std::string result;
        for (int i = 0; i < 5000; ++i) result += text;
        return result;
    };
    for (const char* text :
         {"k<<<1, 2>>>(x);\n", "{ __shared__ int a; ", "void k() { __shared__ int a, b[2]; }\n", "((((", "))))", "k<",
          "a<b> ", "k<<<", "\\\n", "[[]] ", "a::", "__shared__ int a, ", "f(x)"})
        EXPECT_LT(seconds(repeated(text)), 2) << text;
}

}  // namespace
}  // namespace lanework::cudafe
