// Inline PTX, and the host's own assembly.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

const std::string kPtx = "::lanework_simt::ptx::";

/// The calls of a statement whose text stands alone.
std::string calls(const std::string& text) {
    const std::string all = translated("void f() { asm volatile(\"" + text + "\"); }");
    const std::size_t begin = all.find("do {"), end = all.find("} while (0)");
    if (begin == all.npos || end == all.npos) return all;
    std::string inner = all.substr(begin + 4, end - begin - 4);
    inner.erase(0, inner.find_first_not_of(' '));
    while (!inner.empty() && inner.back() == ' ') inner.pop_back();
    return inner;
}

bool refused(const std::string& text, const std::string& what) {
    return calls(text).find("\"inline PTX: " + what + " is not available on the simt device\"") != std::string::npos;
}

TEST(Assembly, OfTheHostStays) {
    for (const std::string own :
         {"asm(\"\" ::: \"memory\");", "asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi));", "__asm__(\"pause\");",
          "asm volatile(\"cpuid\" : \"=a\"(a) : \"a\"(0) : \"ebx\");", "asm(\".globl x\");", "asm(TEXT);",
          "register int r asm(\"eax\");", "extern int asm_count;"})
        EXPECT_EQ(translated("void f() { " + own + " }"), "void f() { " + own + " }");
}

TEST(Assembly, BindsOperandsByTheirConstraints) {
    const std::string text = translated(
        "void f() { asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(x[threadIdx.x]) : \"r\"(g(y)), \"n\"(4)); }");
    EXPECT_NE(text.find("auto&& lanework_out0 = (x[__thrdIdx.x]);"), std::string::npos) << text;
    EXPECT_NE(text.find("lanework_1 = " + kPtx + "bound<unsigned int>(g(y));"), std::string::npos) << text;
    EXPECT_NE(text.find("constexpr auto lanework_2 = (4);"), std::string::npos) << text;
    EXPECT_NE(text.find(kPtx + "op_add(" + kPtx + "as<int>(lanework_1), " + kPtx + "as<int>(lanework_2))"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(kPtx + "give_back(lanework_out0, lanework_0);"), std::string::npos) << text;
}

TEST(Assembly, ReadsOperandsThatAreWrittenToo) {
    const std::string text = translated("void f() { asm(\"neg.f32 %0, %0;\" : \"+f\"(x)); }");
    EXPECT_NE(text.find("float lanework_0 = " + kPtx + "bound<float>(lanework_out0);"), std::string::npos) << text;
}

TEST(Assembly, IsOneStatement) {
    const std::string text = translated("void f() { if (a) asm(\"membar.gl;\"); else asm(\"bar.sync 0;\"); }");
    EXPECT_EQ(text.find("if (a) do {"), std::string("void f() { ").size()) << text;
    EXPECT_NE(text.find("} while (0); else do {"), std::string::npos) << text;
    EXPECT_NE(text.find("::lanework_simt::__threadfence();"), std::string::npos) << text;
    EXPECT_NE(text.find("::lanework_simt::__syncthreads();"), std::string::npos) << text;
}

TEST(Assembly, KeepsItsLines) {
    const std::string text = "void f() {\n  asm(\"add.u32 \"\n      \"%0, %1, 1;\"\n  : \"=r\"(x)\n  : \"r\"(y));\n}\n";
    const std::string result = translated(text);
    EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n')) << result;
}

TEST(Assembly, HasRegistersOfItsOwnInBraces) {
    const std::string text =
        calls("{ .reg .pred %%p, q; .reg .b32 r<2>; setp.eq.u32 %%p, r0, 3; @!%%p mov.b32 r1, r0; }");
    EXPECT_NE(text.find("bool lanework_r0{};"), std::string::npos) << text;
    EXPECT_NE(text.find("bool lanework_r1{};"), std::string::npos) << text;
    EXPECT_NE(text.find("unsigned int lanework_r3{};"), std::string::npos) << text;
    EXPECT_NE(text.find("if (!lanework_r0) {"), std::string::npos) << text;
}

TEST(Assembly, OfMacrosIsReadInTheirBodies) {
    const std::string text = translated("#define LANE(x) asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))\n");
    EXPECT_NE(text.find(kPtx + "lane()"), std::string::npos) << text;
    // A backslash joins the lines of a macro: none may be lost.
    EXPECT_NE(translated("#define M(x) \\\n asm(\"membar.cta;\")\n").find("__threadfence_block"), std::string::npos);
}

TEST(Assembly, TakesAMacrosParameterForACacheHintAndNamesTheOneThatIsNone) {
    const auto macro = [](const std::string& text) {
        return translated("#define OPS(cache, type) asm(" + text + " : \"=r\"(x) : \"l\"(p))\n");
    };
    const std::string hint = macro(R"("ld.global." #cache "." #type ".s32 %0, [%1];")");
    EXPECT_NE(hint.find("is_cache_hint(#cache)"), hint.npos) << hint;
    EXPECT_NE(hint.find("is_cache_hint(#type)"), hint.npos) << hint;
    EXPECT_EQ(hint.find("is not available"), hint.npos) << hint;
    for (const std::string text : {R"("ld.global." #cache ".s32 %0, [%1]; add." #type " %0, %0, %0;")",
                                   R"("ld.global." #cache ".s32 %0, [%1]; add." #type ".s32 %0, %0, %0;")"})
        EXPECT_NE(macro(text).find("inline PTX: add.#type"), std::string::npos) << macro(text);
    EXPECT_NE(macro(R"("ld.global." #cache #type ".s32 %0, [%1];")").find("ld.global.#cache#type"), std::string::npos)
        << macro(R"("ld.global." #cache #type ".s32 %0, [%1];")");
}

TEST(Assembly, NamesWhatIsNotAvailable) {
    EXPECT_TRUE(refused("wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned"));
    EXPECT_TRUE(refused("mbarrier.init.shared.b64 [%%r], 1;", "mbarrier.init.shared.b64"));
    EXPECT_TRUE(refused("add.u32 %0, 1, 2;", "inline PTX names an operand %0"));
    EXPECT_TRUE(refused("mov.u32 a, 1;", "no register a in inline PTX"));
    EXPECT_TRUE(refused("{ .reg .u32 a; add.pred a, a, a; }", "add.pred"));
    EXPECT_TRUE(refused("{ .reg .u32 a; add.u32 a, a; }", "add.u32 with 2 operands"));
    EXPECT_TRUE(refused("{ .reg .u32 a; shfl.down.b32 a, a, 1, 31; }", "shfl.down.b32"));
    EXPECT_TRUE(refused("{ loop: bra loop; }", "labels in inline PTX"));
    EXPECT_TRUE(refused("ld.global.v3.u32 {%0}, [%1];", "ld.global.v3.u32"));
    EXPECT_TRUE(refused("{ .reg .u32 a; mov.u32 a, %%pm0;", "no register %pm0 in inline PTX"));
    EXPECT_NE(translated("#define OP(n) asm(n \".u32 %0, %1, 1;\" : \"=r\"(x) : \"r\"(y))\n").find("a macro makes"),
              std::string::npos);
}

TEST(Assembly, KnowsWhatIsMostUsed) {
    const std::string registers = "{ .reg .b32 a, b; .reg .b64 l; .reg .pred p; ";
    for (const std::string text : {"mov.u32 a, %%smid;",
                                   "mov.u64 l, %%globaltimer;",
                                   "fence.acq_rel.gpu;",
                                   "prefetch.global.L1 [l];",
                                   "prefetchu.L1 [l];",
                                   "cp.async.commit_group;",
                                   "cp.async.wait_all;",
                                   "cp.async.ca.shared.global [a], [l], 8;",
                                   "cp.async.cg.shared.global.L2::128B [a], [l], 16;",
                                   "bar.sync 1, 64;",
                                   "bar.warp.sync 0xffffffff;",
                                   "barrier.sync 0;",
                                   "nanosleep.u32 100;",
                                   "trap;",
                                   "shfl.sync.bfly.b32 a|p, b, 1, 0x1f, -1;",
                                   "vote.sync.any.pred p, p, -1;",
                                   "match.any.sync.b32 a, b, -1;",
                                   "redux.sync.add.s32 a, b, -1;",
                                   "activemask.b32 a;",
                                   "atom.global.cas.b32 a, [l], a, b;",
                                   "atom.acquire.gpu.shared.exch.b32 a, [a], b;",
                                   "red.relaxed.gpu.global.max.s32 [l + 4], b;",
                                   "ld.volatile.global.u32 a, [l];",
                                   "ld.relaxed.sys.global.u32 a, [l];",
                                   "st.release.gpu.global.u32 [l], a;",
                                   "ld.global.nc.L1::no_allocate.u32 a, [l+-8];",
                                   "ld.shared.u8 a, [a];",
                                   "st.shared.b16 [a], b;",
                                   "cvta.to.shared.u64 l, l;",
                                   "isspacep.shared p, l;",
                                   "cvt.rn.f16.f32 a, b;",
                                   "cvt.rna.tf32.f32 a, b;",
                                   "cvt.sat.u8.s32 a, b;",
                                   "ex2.approx.ftz.f32 a, b;",
                                   "rsqrt.approx.f32 a, b;",
                                   "fma.rz.f32 a, a, b, 0f3F800000;",
                                   "mad.lo.cc.u32 a, a, b, 1;",
                                   "madc.hi.u32 a, a, b, 1;",
                                   "sub.sat.s32 a, a, b;",
                                   "mad.wide.u32 l, a, b, l;",
                                   "selp.b32 a, 1, 2, p;",
                                   "set.gt.u32.f32 a, a, b;",
                                   "vmax4.s32.s32.s32 a, a, b, 0;",
                                   "setp.lt.and.s32 p|_, a, b, p;"}) {
        const std::string result = calls(registers + text + " }");
        EXPECT_EQ(result.find("lanework_refused"), std::string::npos) << text << "\n" << result;
    }
}

TEST(Assembly, WaitsForAClusterOfOneBlock) {
    EXPECT_EQ(calls("barrier.cluster.arrive.release.aligned;"), "");
    EXPECT_EQ(calls("barrier.cluster.wait.acquire.aligned;"), "::lanework_simt::__syncthreads();");
}

TEST(Assembly, MultipliesMatricesOfTheShapesThatTensorCoresHave) {
    const std::string product =
        calls("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};");
    EXPECT_NE(product.find("names an operand %0"), std::string::npos) << product;
    const auto with_registers = [](const std::string& text) {
        return calls("{ .reg .f32 c<4>; .reg .b32 r<8>; .reg .f64 d<2>; " + text + " }");
    };
    const std::string halves = with_registers(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {c0, c1, c2, c3}, {r0, r1}, {r2}, {c0, c1, c2, c3};");
    EXPECT_NE(halves.find(kPtx + "multiply<16, 8, " + kPtx + "Half, " + kPtx + "Half, float, float, false>({{"),
              std::string::npos)
        << halves;
    const std::string bytes =
        with_registers("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {r0, r1}, {r2}, {r3}, {r0, r1};");
    EXPECT_NE(bytes.find("multiply<8, 16, signed char, unsigned char, int, int, true>"), std::string::npos) << bytes;
    const auto refuses = [&](const std::string& text) {
        return with_registers(text).find("is not available on the simt device") != std::string::npos;
    };
    EXPECT_TRUE(refuses("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {c0}, {r0}, {r1}, {c0};"));
    EXPECT_TRUE(
        refuses("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {c0, c1}, {r0, r1}, {r2}, {c0, c1, c2, c3};"));
    EXPECT_TRUE(refuses(
        "mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {c0, c1, c2, c3}, {r0, r1}, {r2}, {c0, c1, c2, c3};"));
    EXPECT_TRUE(refuses("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0}, [r1];"));
    const std::string rows = with_registers("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {r0, r1}, [r2];");
    EXPECT_NE(rows.find("load_matrices<2, true>(" + kPtx + "in_shared<const "), std::string::npos) << rows;
    EXPECT_NE(with_registers("stmatrix.sync.aligned.m8n8.x1.shared.b16 [r2], {r0};").find("store_matrices<1, false>("),
              std::string::npos);
}

TEST(Assembly, OnPackedBytesCallsCudasFunctions) {
    const std::string registers = "{ .reg .b32 a, b; ";
    const auto has = [&](const std::string& text, const std::string& call) {
        return calls(registers + text + " }").find("::lanework_simt::" + call) != std::string::npos;
    };
    EXPECT_TRUE(has("vabsdiff4.u32.u32.u32.add a, a, b, a;", "__vsadu4(")) << calls(registers + "vabsdiff4 }");
    EXPECT_TRUE(has("vabsdiff2.u32.s32.s32 a, a, b, a;", "__vabsdiffs2("));
    EXPECT_TRUE(has("vmin4.u32.u32.u32 a, a, b, a;", "__vminu4("));
    EXPECT_TRUE(has("vadd2.u32.u32.u32 a, a, b, a;", "__vadd2("));
    for (const std::string name :
         {"vadd4.u32.u32.u32.add", "vsub4.u32.u32.u32.sat", "vmax4.u32.s32.u32", "vmax4.u32.u32"})
        EXPECT_TRUE(refused(registers + name + " a, a, b, a; }", name)) << calls(registers + name + " a, a, b, a; }");
}

TEST(Assembly, IsSpelledOutForEachUseOfAMacroWhoseParametersSpellIt) {
    const std::string macro =
        "#define OP(name, op, type, r, T) \\\n"
        "T name##_of(T a) { T x; asm(#op\".\"#type\" %0, %1, 1;\" : \"=\"#r(x) : #r(a)); return x; }\n";
    const std::string text = macro + "OP(sum, add, s32, r, int)\nOP(least,\n   min, u32, r, unsigned)\nint after;\n";
    const std::string result = translated(text);
    EXPECT_NE(result.find("int sum_of(int a)"), std::string::npos) << result;
    EXPECT_NE(result.find("unsigned least_of(unsigned a)"), std::string::npos) << result;
    EXPECT_NE(result.find(kPtx + "op_add(" + kPtx + "as<int>(lanework_1)"), std::string::npos) << result;
    EXPECT_NE(result.find("op_min("), std::string::npos) << result;
    // Lines are counted as before: behind what is inserted, and where a use has several.
    EXPECT_NE(result.find("\n#line 3\n"), std::string::npos) << result;
    EXPECT_EQ(std::ranges::count(result.substr(result.find("#line 3\n")), '\n'), 5) << result;
    // What is not used, or has arguments that are more than words, is refused where it is compiled.
    for (const std::string use : {"", "OP(sum, add, s32, r, decltype(threadIdx.x))\n"}) {
        const std::string refused = translated(macro + use);
        EXPECT_NE(refused.find("inline PTX: "), std::string::npos) << refused;
        EXPECT_EQ(refused.find("#line"), std::string::npos) << refused;
    }
    // Each branch of a conditional has definitions of its own for the uses behind both.
    const std::string both =
        translated("#ifdef A\n" + macro + "#else\n" + macro + "#endif\nOP(sum, add, s32, r, int)\n");
    EXPECT_NE(both.find("\n#line 4\n"), std::string::npos) << both;
    EXPECT_NE(both.find("\n#line 7\n"), std::string::npos) << both;
}

}  // namespace
}  // namespace lanework::cudafe
