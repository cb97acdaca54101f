// Launches, wherever C++ allows an expression.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

TEST(Launches, KeepTheirLineAndOrder) {
    EXPECT_EQ(translated("k<<<grid, block>>>(a, b);"), launch("k", "k", "grid, block") + "(a, b);");
    EXPECT_EQ(translated("k <<<\n  grid, // how many\n  block, 0, stream >>>\n (a,\n  b);"),
              "::lanework_simt::launcher(\"k\", [&](auto&... lanework_argument) { k(lanework_argument...); }, "
              "LANEWORK_SIGNATURE(k)).configure( \n  grid, // how many\n  block, 0, stream )\n (a,\n  b);");
}

TEST(Launches, MayHaveABlankInTheirBracketsAsSomeEditorsSetThem) {
    EXPECT_EQ(translated("k << <grid, block >> > (a, b);"),
              "::lanework_simt::launcher(\"k\", [&](auto&... lanework_argument) { k(lanework_argument...); }, "
              "LANEWORK_SIGNATURE(k))"
              ".configure( grid, block ) (a, b);");
    EXPECT_EQ(translated("std::cout << (a >> b) << x;"), "std::cout << (a >> b) << x;");
    EXPECT_EQ(translated("k<<<f(a >> b), 1>>>(x);"), launch("k", "k", "f(a >> b), 1") + "(x);");
}

TEST(Launches, HandObjectsToReferenceParameters) {
    const std::string kernel =
        "template <class T> __global__ void k(T (&a)[2], int b, const S<T, 4>& c, int d = e & f);";
    EXPECT_EQ(translated(kernel + "k<int><<<g, b>>>(x, y, *f(u, v), z);"),
              kernel + launch("k<int>", "k<int>", "g, b") +
                  "(::lanework_simt::refer(x), y, ::lanework_simt::refer(*f(u, v)), z);");
    EXPECT_EQ(translated("__global__ void k(T&); k<<<g, b>>>({1}); l<<<g, b>>>(x);"),
              "__global__ void k(T&); " + launch_of("k", "", "{1}", "{1}", "", "g, b") + "(); " +
                  launch("l", "l", "g, b") + "(x);");
    EXPECT_EQ(translated("__global__ void k(T&, int*); k<<<g, b>>>(x, 0);"),
              "__global__ void k(T&, int*); " + launch_of("k", "auto&& #0", "@0, 0", "#0, 0", "auto& #0", "g, b") +
                  "(::lanework_simt::refer(x) );");
}

TEST(Launches, WriteIntoTheCallWhatIsNoValue) {
    EXPECT_EQ(
        translated("k<<<g, b>>>(p, NULL, x + 1, 0ul);"),
        launch_of("k", "auto&& #0, auto&& #1", "@0, NULL, @1, 0ul", "#0, NULL, #1, 0ul", "auto& #0, auto& #1", "g, b") +
            "(p,  x + 1 );");
    EXPECT_EQ(translated("k<<<g, b>>>({1, n, {-2, f(x, y)}}, {.a = 'c', .b = m}, {});"),
              launch_of("k", "auto&& #0, auto&& #1, auto&& #2", "{1, @0, {-2, @1}}, {.a = 'c', .b = @2}, {}",
                        "{1, #0, {-2, #1}}, {.a = 'c', .b = #2}, {}", "auto& #0, auto& #1, auto& #2", "g, b") +
                  "( n,  f(x, y),      m );");
    for (const std::string values : {"(p, 1, 2.5, nullptr)", "(10)", "(a<0, 1>(b), c)", "()", "({1, n...})"})
        EXPECT_EQ(translated("k<<<g, b>>>" + values + ";"), launch("k", "k", "g, b") + values + ";");
}

TEST(Launches, FindTheKernelThroughNamesAndTemplates) {
    for (const std::string kernel :
         {"ns::k", "::ns::k", "k<T, 16>", "k<a<b>>", "k<(a > b)>", "k<1 << 4>", "k<x->y>",
          "ns::t<x>::template k<(a > b)>", "t<u<v>>::k<w>", "k<&m, 'a'>", "k<n <= 3>", "(k)", "(k<T>)"})
        EXPECT_EQ(translated("x; " + kernel + "<<<g, b>>>(p); y"), "x; " + launch(kernel, kernel, "g, b") + "(p); y");
}

TEST(Launches, AskForASignatureOfEnoughParametersWhereAPackIsAmongTheArguments) {
    const auto asks = [](const std::string& launch, const std::string& what) {
        const std::string text = translated("void f() { " + launch + "; }");
        return text.find(what) != std::string::npos;
    };
    EXPECT_TRUE(asks("k<A, B><<<1, 2>>>(f, n, args...)", "LANEWORK_SIGNATURE_OF((f, n, args...), k<A, B>)"));
    EXPECT_TRUE(asks("k<A><<<1, 2>>>(n, a[i])", "LANEWORK_SIGNATURE(k<A>)"));
    EXPECT_TRUE(asks("k<A><<<1, 2>>>(a[i][j], args...)", "LANEWORK_SIGNATURE_OF((a[i][j], args...), k<A>)"));
    EXPECT_TRUE(asks("k<<<1, 2>>>(args...)", "LANEWORK_SIGNATURE(k)"));
    EXPECT_TRUE(asks("k<A><<<1, 2>>>([=] { return 1; }, args...)", ", nullptr)"));
}

TEST(Launches, DoNotAskForTheSignatureWhereAPointerToAMemberIsInIt) {
    EXPECT_EQ(translated("k<&T::m, 'a'><<<g, b>>>(p);"),
              "::lanework_simt::launcher(\"k<&T::m, 'a'>\", [&](auto&... lanework_argument) { k<&T::m, "
              "'a'>(lanework_argument...); "
              "}, nullptr).configure(g, b)(p);");
}

TEST(Launches, ReadAPointerToAKernelOnce) {
    for (const std::string kernel : {"table[i]", "table[i][f(j)]", "(*pointer)", "object.kernel", "object->kernel",
                                     "choose(a, b)", "list.at(0).kernel", "choose<T>(a)", "(a)(b)", "(a ? k : l)"})
        EXPECT_EQ(translated("x; " + kernel + "<<<g, b>>>(p); y"), "x; " + launch_pointer(kernel, "g, b") + "(p); y");
    for (const std::string declared : {"auto f = k; ", "void (*f)(int); ", "void run(F f, ", "K& f; "})
        EXPECT_EQ(translated(declared + "f<<<g, b>>>(p);"), declared + launch_pointer("f", "g, b") + "(p);");
    EXPECT_EQ(translated("__global__ void f(int); auto f = k; f<<<g, b>>>(p);").find("pointed_launcher"),
              std::string::npos)
        << "a kernel's name";
}

TEST(Launches, DoNotTakeTheStatementBeforeForPartOfTheKernel) {
    for (const std::string before : {"if (x) ", "while (f(x)) ", "for (;;) ", "if constexpr (n > 2) ", "else ",
                                     "return ", "{ ", "case 1: ", "x = y, ", "do ", "#pragma unroll\n", "(void)"})
        EXPECT_EQ(translated(before + "k<<<g, b>>>(p);"), before + launch("k", "k", "g, b") + "(p);");
    EXPECT_EQ(translated("if (x) (*p)<<<g, b>>>(q);"), "if (x) " + launch_pointer("(*p)", "g, b") + "(q);");
    EXPECT_EQ(translated("return ::k<<<g, b>>>(q);"), "return " + launch("::k", "::k", "g, b") + "(q);");
}

TEST(Launches, QuoteTheKernelOnOneLine) {
    const std::string kernel = "k<T,\n  'x', /* two */ \"\\n\">", name = R"(k<T, 'x', \"\\n\">)";
    EXPECT_EQ(translated(kernel + "\n<<<g, b>>>();"), launch(name, kernel, "\ng, b") + "();");
}

TEST(Launches, LeaveTheConfigurationToTheCompiler) {
    EXPECT_EQ(translated("k<<<dim3((a > b), {1, 2}), f<int>(3) >> 1>>>(x);"),
              launch("k", "k", "dim3((a > b), {1, 2}), f<int>(3) >> 1") + "(x);");
    EXPECT_EQ(translated("k<<<1, size<int>>>>(x);"), launch("k", "k", "1, size<int>") + "(x);");
    EXPECT_EQ(translated("k<<<1, t<u<v<w>>>::n>>>(x);"), launch("k", "k", "1, t<u<v<w>>>::n") + "(x);");
    EXPECT_EQ(translated("k<<<1,\n#ifdef WIDE\n 64\n#else\n 32\n#endif\n>>>(x);"),
              launch("k", "k", "1,\n#ifdef WIDE\n 64\n#else\n 32\n#endif\n") + "(x);");
}

TEST(Launches, NestInEachOthersArguments) {
    EXPECT_EQ(translated("k<<<g, b>>>([&] { j<<<1, 2>>>(x); return 1; }());"),
              launch("k", "k", "g, b") + "([&] { " + launch("j", "j", "1, 2") + "(x); return 1; }());");
    EXPECT_EQ(translated("CHECK(k<T, 1><<<g, b>>>(x));"), "CHECK(" + launch("k<T, 1>", "k<T, 1>", "g, b") + "(x));");
}

TEST(Launches, WorkInMacrosWithoutNewLines) {
    EXPECT_EQ(translated("#define RUN(n) \\\n  k<<<n, \\\n 2>>>(x)\n"),
              "#define RUN(n) \\\n  " + launch("k", "k", "n, \\\n 2", "=") + "(x)\n");
    EXPECT_EQ(translated("#define START k<<<1, 2>>>\n"), "#define START " + launch("k", "k", "1, 2", "=") + "\n");
}

TEST(Launches, NameAMacrosArgumentByItsText) {
    EXPECT_EQ(translated("#define RUN(k, T, ...) ns::k<T><<<1, 2>>>(__VA_ARGS__)\n"),
              "#define RUN(k, T, ...) ::lanework_simt::launcher(\"ns::\" #k \"<\" #T \">\", [=](auto&... "
              "lanework_argument) { ns::k<T>(lanework_argument...); }, LANEWORK_SIGNATURE(ns::k<T>)).configure(1, "
              "2)(__VA_ARGS__)\n");
    EXPECT_EQ(translated("#define RUN(k) k##_impl<<<1, 2>>>()\n"),
              "#define RUN(k) ::lanework_simt::launcher(#k \"_impl\", [=](auto&... lanework_argument) { "
              "k##_impl(lanework_argument...); }, LANEWORK_SIGNATURE(k##_impl)).configure(1, 2)()\n");
}

TEST(Launches, AreNotSeenInTextThatIsNoCode) {
    for (const std::string text : {"// k<<<1, 2>>>(x)\n", "/* k<<<1, 2>>>(x) */", "\"k<<<1, 2>>>(x)\"",
                                   "R\"cu(k<<<1, 2>>>(x))cu\"", "#if 0\nk<<<1, 2>>>(x)\n#endif\n", "a << b; c >> d;",
                                   "stream.operator<<<char>(x)", "#error k<<<1, 2>>>(x)\n"})
        EXPECT_EQ(translated(text), text);
}

TEST(Launches, ThatAreMalformedSayWhatWouldBeRight) {
    EXPECT_EQ(complaint("f();\n k<<<1, 2;"),
              "2:3: error: this launch has no >>>: expected kernel<<<grid, block>>>(arguments)");
    EXPECT_EQ(complaint("k<<<1, 2>>>;"),
              "1:9: error: this launch has no arguments: expected kernel<<<grid, block>>>(arguments)");
    EXPECT_EQ(complaint("k<<<f(1, 2>>>(x);"), "1:6: error: this ( in a launch is not closed: expected )")
        << "the parenthesis of f( is closed by none";
    EXPECT_EQ(complaint("k<<<1, 2>>>(x;"), "1:12: error: this ( in a launch is not closed: expected )");
    const std::string no_kernel =
        "error: this launch names no kernel: expected kernel<<<grid, block>>>(arguments), all in one place (a macro "
        "cannot "
        "hold the configuration alone)";
    EXPECT_EQ(complaint("; <<<1, 2>>>(x);"), "1:3: " + no_kernel);
    EXPECT_EQ(complaint("return <<<1, 2>>>(x);"), "1:8: " + no_kernel);
    EXPECT_EQ(complaint("k<<<1, 2>>>(x)<<<3, 4>>>(y);"), "1:15: " + no_kernel);
    EXPECT_EQ(complaint("#define CONFIG <<<1, 2>>>\n"), "1:16: " + no_kernel);
}

}  // namespace
}  // namespace lanework::cudafe
