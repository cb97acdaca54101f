// Tokens of unpreprocessed CUDA C++.
#include "src/cudafe/tokenizer.hpp"

#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

std::vector<std::string> spellings(const Stream& stream) {
    std::vector<std::string> result;
    for (const Token& token : stream.tokens) result.emplace_back(token.text);
    return result;
}
std::vector<std::string> code(const std::string& text) { return spellings(tokenize(text).code); }
using Texts = std::vector<std::string>;

TEST(Tokenizer, LeavesOutComments) {
    EXPECT_EQ(code("a /* b <<< */ c // d <<<\ne /* * / ** */ f"), (Texts{"a", "c", "e", "f"}));
    EXPECT_EQ(code("a // goes on \\\n here\nb"), (Texts{"a", "b"}));
    EXPECT_EQ(code("a /*/ b */ c"), (Texts{"a", "c"}));
}

TEST(Tokenizer, KeepsLiteralsWhole) {
    EXPECT_EQ(
        code(R"(f("a\"b<<<", 'x', '"', '\'', u8"é", L'w'))"),
        (Texts{"f", "(", R"("a\"b<<<")", ",", "'x'", ",", "'\"'", ",", "'\\''", ",", "u8\"é\"", ",", "L'w'", ")"}));
}

TEST(Tokenizer, EndsARawStringAtItsOwnDelimiter) {
    EXPECT_EQ(code("R\"(a\"b)\" c"), (Texts{"R\"(a\"b)\"", "c"}));
    EXPECT_EQ(code("u8R\"x(\n)\" )y\" k<<<\n)x\" c"), (Texts{"u8R\"x(\n)\" )y\" k<<<\n)x\"", "c"}));
    EXPECT_EQ(code("R\"(a\\\nb\\)\" c"), (Texts{"R\"(a\\\nb\\)\"", "c"}));
}

TEST(Tokenizer, TakesNoWordsFromAMacroThatIsAHeadersName) {
    const TokenizedFile file = tokenize("#define H <ROOT/detail/tag.h>\n#define L <<<1, tag>>>\n#define C a < b\n");
    ASSERT_EQ(file.macros.size(), 3u);
    EXPECT_TRUE(file.macros[0].body.tokens.empty());
    EXPECT_EQ(file.macros[1].body.tokens.size(), 9u);
    EXPECT_EQ(spellings(file.macros[2].body), (Texts{"a", "<", "b"}));
    const TokenizedFile types = tokenize("#define A <int, float>\n#define B <T,4>\n#define C <const T>\n");
    EXPECT_EQ(spellings(types.macros[0].body), (Texts{"<", "int", ",", "float", ">"}));
    EXPECT_EQ(spellings(types.macros[1].body), (Texts{"<", "T", ",", "4", ">"}));
    EXPECT_EQ(spellings(types.macros[2].body), (Texts{"<", "const", "T", ">"}));
}

TEST(Tokenizer, TakesDigitSeparatorsForNoCharacters) {
    EXPECT_EQ(code("1'000'000 + 0xFF'FFp-3 'a'"), (Texts{"1'000'000", "+", "0xFF'FFp-3", "'a'"}));
    EXPECT_EQ(code("1.5e+3f .5 a.b"), (Texts{"1.5e+3f", ".5", "a", ".", "b"}));
}

TEST(Tokenizer, SplitsAnglesAndKeepsScopes) {
    EXPECT_EQ(code("a<b<c>>::d"), (Texts{"a", "<", "b", "<", "c", ">", ">", "::", "d"}));
}

TEST(Tokenizer, JoinsContinuedLines) {
    EXPECT_EQ(code("__sha\\\nred__ x"), (Texts{"__shared__", "x"}));
    EXPECT_EQ(code("a \\\r\n b"), (Texts{"a", "b"}));
    const TokenizedFile file = tokenize("ab\\\n cd");
    EXPECT_EQ(file.code.tokens[0].length, 2u);
}

TEST(Tokenizer, TellsMacroBodiesFromCode) {
    const std::string text = "#define ADD(a, b) a + \\\n  b // sum\nx\n# define NONE\n#define V(...) f(__VA_ARGS__)\n";
    const TokenizedFile file = tokenize(text);
    EXPECT_EQ(spellings(file.code), (Texts{"x"}));
    ASSERT_EQ(file.macros.size(), 3u);
    EXPECT_EQ(file.macros[0].name, "ADD");
    EXPECT_EQ(file.macros[0].parameters, (std::vector<std::string_view>{"a", "b"}));
    EXPECT_EQ(spellings(file.macros[0].body), (Texts{"a", "+", "b"}));
    EXPECT_FALSE(file.macros[1].function_like);
    EXPECT_TRUE(file.macros[1].body.tokens.empty());
    EXPECT_EQ(file.macros[2].parameters.back(), "__VA_ARGS__");
}

TEST(Tokenizer, FindsIncludesOfBothKinds) {
    const std::string text =
        "#include \"a b.cuh\" /* c */\n#include <don't.h> // \"no.h\"\n # include \"d.h\"\n// #include \"e.h\"\n";
    const TokenizedFile file = tokenize(text);
    ASSERT_EQ(file.includes.size(), 3u);
    EXPECT_EQ(file.includes[0].path, "a b.cuh");
    EXPECT_FALSE(file.includes[0].angled);
    EXPECT_EQ(file.includes[1].path, "don't.h");
    EXPECT_TRUE(file.includes[1].angled);
    EXPECT_EQ(file.includes[2].path, "d.h");
    EXPECT_EQ(text.substr(file.includes[2].offset, file.includes[2].length), "d.h");
}

TEST(Tokenizer, LeavesOutWhatIfZeroSkips) {
    EXPECT_EQ(code("a\n#if 0\ndon't \"\n#if 1\nb\n#endif\n#include \"no.h\"\n#else\nc\n#endif\nd"),
              (Texts{"a", "c", "d"}));
    EXPECT_TRUE(tokenize("#if 0\n#include \"no.h\"\n#endif").includes.empty());
}

TEST(Tokenizer, AcceptsProseInErrorsAndGroups) {
    EXPECT_EQ(code("#error don't do this\na"), (Texts{"a"}));
    EXPECT_EQ(complaint("#ifdef NOTES\nit's prose\n#endif\n"), "");
}

TEST(Tokenizer, SaysWhereSomethingOpenBegan) {
    EXPECT_EQ(complaint("a;\n  \"open\nb"), "2:3: error: this string does not end: expected \" on the same line");
    EXPECT_EQ(complaint("x = 'a\n"), "1:5: error: this character literal does not end: expected ' on the same line");
    EXPECT_EQ(complaint("\n\n f(); /* open"), "3:7: error: this comment does not end: expected */");
    EXPECT_EQ(complaint("R\"ab(x)a\""), "1:1: error: this raw string does not end: expected )ab\"");
    EXPECT_EQ(complaint("R\"ab"),
              "1:1: error: this raw string has no opening parenthesis: expected R\"delimiter( )delimiter\"");
}

}  // namespace
}  // namespace lanework::cudafe
