// Which kernels become loops over their threads, and that one which could wait never does.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// Whether a program of this text launches kernel k with that launcher.
bool launches_by(const std::string& launcher, const std::string& text) {
    const std::string program = translated(text + "\nint main() { k<<<1, 32>>>(p); }");
    return contains(program, "::lanework_simt::" + launcher + "(\"k\"") ||
           contains(program, "::lanework_simt::" + launcher + "<true>(\"k\"");
}

/// Whether the launch of kernel k in a program of this text is one of a loop, be it over a block's threads or a row's.
bool loops(const std::string& text) { return launches_by("loop_launcher", text) || launches_by("row_launcher", text); }

/// A kernel k with this body, behind `before`.
std::string kernel(const std::string& body, const std::string& before = "") {
    return before + "\n__global__ void k(float* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; " + body +
           " }";
}

TEST(Waiting, KernelsThatOnlyComputeAreLoops) {
    for (const std::string body :
         {"if (i < n) p[i] = 2.0f * p[i] + 1.0f;", "for (int j = i; j < n; j += 32) p[j] = sqrtf(fmaxf(p[j], 0.0f));",
          "if (i >= n) return; p[i] = (float)(i) + float(n) + static_cast<float>(i) + __ldg(&p[i]);",
          "float4 v = make_float4(1, 2, 3, 4); p[i] = v.x * (v.y + v.z);",
          "while (i < n) { p[i] = __sinf(p[i]); i += gridDim.x * blockDim.x; }"})
        EXPECT_TRUE(loops(kernel(body))) << body;
}

TEST(Waiting, FunctionsMacrosTypesAndOperatorsOfTheProgramAreFollowed) {
    EXPECT_TRUE(loops(kernel("p[i] = twice(p[i]);", "__device__ float twice(float x) { return x + x; }")));
    EXPECT_TRUE(loops(kernel("p[i] = TWICE(p[i]);", "#define TWICE(x) ((x) + (x))")));
    EXPECT_TRUE(loops(kernel("p[i] = Real(i);", "using Real = float;")));
    EXPECT_TRUE(
        loops("template <class T> __device__ T cube(T x) { return T(x * x * x); }\n"
              "template <typename T> __global__ void k(T* p) { p[threadIdx.x] = cube<T>(p[threadIdx.x]); }"));
    const std::string vector =
        "struct Vec { float x, y; __device__ Vec(float a, float b) : x(a), y(b) {} };\n"
        "__device__ Vec operator+(Vec a, Vec b) { return Vec(a.x + b.x, a.y + b.y); }";
    EXPECT_TRUE(loops(kernel("Vec v = Vec(1, 2) + Vec(3, 4); p[i] = v.x;", vector)));
    EXPECT_TRUE(
        loops(kernel("p[i] = fib(i);", "__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }")));
}

TEST(Waiting, WhatCanWaitIsNoLoop) {
    for (const std::string body :
         {"__syncthreads(); p[i] = 1;", "p[i] = __shfl_xor_sync(~0u, p[i], 1);", "if (i == 0) __syncwarp();",
          "while (atomicCAS((int*)p, 0, 1) != 0) ;", "volatile float* q = p; while (*q == 0) ;",
          "asm volatile(\"bar.sync 0;\");", "printf(\"%d\", i);", "assert(i < n);", "__shared__ float s[32]; s[i] = 1;",
          "this_grid().sync();", "while (__ldcg(p) == 0) ;", "other<<<1, 1>>>(p);", "p[i] = *new float(1);",
          "__nanosleep(1);"})
        EXPECT_FALSE(loops(kernel(body))) << body;
}

TEST(Waiting, AtomicOperationsAreALoopsWhereNoLoopOfAThreadCouldWaitForThem) {
    const std::string step = "blockDim.x * gridDim.x";
    for (const std::string body :
         {"atomicAdd(p, 1.0f);", "int at = atomicAdd((int*)p, 1); p[at] = i;",
          "if (i < n) atomicMax_block((int*)p, i);", "for (int k = 0; k < n; ++k) atomicAdd(&p[k], 1.0f);",
          "for (int k = n; k > 0; k >>= 1) atomicExch(p, 1.0f);",
          "for (; i < n; i += 4) { if (p[i] > 0) continue; atomicAdd(p, 1.0f); }",
          "while (i < n && p[i] > 0) { atomicAdd(p, 1.0f); i += 4; }",
          "const int s = 32; for (unsigned k = 0, end = n; k <= end - 1; k += s) if (atomicCAS((int*)p, 0, 1) == 0) "
          "break;"})
        EXPECT_TRUE(loops(kernel(body))) << body;
    for (const std::string body :
         {"while (atomicCAS((int*)p, 0, 1) != 0) {}", "do { n = atomicExch((int*)p, 1); } while (n);",
          "for (;;) if (atomicAdd(p, 0.0f) > 0) break;", "while (p[0] == 0) atomicAdd(p + 1, 1.0f);",
          "for (int k = 0; k < n; k += p[k]) atomicAdd(p, 1.0f);",
          "for (int k = 0; k < n; ++k) { k -= 1; atomicAdd(p, 1.0f); }",
          "for (int k = 0; p[k] == 0; ++k) atomicAdd(p, 1.0f);",
          "while (i < n) { if (p[i] > 0) i += 4; atomicAdd(p, 1.0f); }",
          "while (i < n) { if (p[i] > 0) continue; i += 4; atomicAdd(p, 1.0f); }",
          "for (int k = 0; k < n || p[0] == 0; ++k) atomicAdd(p, 1.0f);",
          "for (int k = 0; k < n; --k) atomicAdd(p, 1.0f);", "for (int k = 0; k < n; ++k) { ++n; atomicAdd(p, 1.0f); }",
          "for (int k = 0; k < n; ++k) { int& m = k; m = 0; atomicAdd(p, 1.0f); }",
          "for (int k = 0; k < *p; ++k) atomicAdd(p, 1.0f);",
          "for (int k = 0; k < n; ++k) { set(k); atomicAdd(p, 1.0f); }", "atomicAdd(p, 1.0f); while (p[0] < n) {}"})
        EXPECT_FALSE(loops(kernel(body, "__device__ void set(int& k) { k = 0; }"))) << body;
    EXPECT_FALSE(loops(kernel("for (int k = 0; k < n; ++k) take(p);",
                              "__device__ void take(float* p) { while (atomicCAS((int*)p, 0, 1)) {} }")));
    EXPECT_FALSE(
        loops(kernel("again(p);", "__device__ void again(float* p) { if (atomicAdd(p, 1.0f) < 9) again(p); }")));
}

TEST(Waiting, WaitingIsFoundWhereverItHides) {
    const std::string wait = "{ __syncthreads(); }";
    EXPECT_FALSE(loops(kernel("meet();", "__device__ void meet() " + wait)));
    EXPECT_FALSE(loops(kernel("far();", "__device__ void meet() " + wait + " __device__ void far() { meet(); }")));
    EXPECT_FALSE(loops(kernel("MEET;", "#define MEET __syncthreads()")));
    EXPECT_FALSE(loops(kernel("MEET", "#define CALL(f) f()\n#define MEET CALL(__syncthreads);")));
    EXPECT_FALSE(loops(kernel("__sync ## threads();")));
    EXPECT_FALSE(loops(kernel("meet<int>(1);", "template <class T> __device__ void meet(T) " + wait)));
    EXPECT_FALSE(loops(kernel("f(1);",
                              "template <class T> __device__ void f(T) {}\n"
                              "template <> __device__ void f<int>(int) " +
                                  wait)));
    EXPECT_FALSE(loops(kernel("a.step();", "struct A { __device__ void step() " + wait + " };")));
    EXPECT_FALSE(loops(kernel("A a;", "struct A { __device__ A() " + wait + " };")));
    EXPECT_FALSE(loops(kernel("A a;", "struct A { __device__ ~A() " + wait + " };")));
    EXPECT_FALSE(loops(kernel("B b;", "struct A { A(); }; struct B { A a; };\n__device__ A::A() " + wait)));
    EXPECT_FALSE(loops(kernel("A a; p[i] = a + a;", "struct A {}; __device__ float operator+(A, A) " + wait)));
    EXPECT_FALSE(loops(kernel("A a;", "#define HD __host__ __device__\nstruct A { HD A() " + wait + " };")));
    EXPECT_FALSE(loops(kernel("p[i] = elsewhere(i);", "__device__ float elsewhere(int);")));
    EXPECT_FALSE(loops("__global__ void k(float* p);"));
}

TEST(Waiting, CallsThroughValuesAreNotUnderstood) {
    EXPECT_FALSE(loops("__global__ void k(void (*f)(int)) { f(1); }"));
    EXPECT_FALSE(loops("__global__ void k(void (*f)(int)) { (*f)(1); }"));
    EXPECT_FALSE(loops("__global__ void k(void (*f)(int)) { (f)(1); }"));
    EXPECT_FALSE(loops("__global__ void k(void (**f)(int)) { f[0](1); }"));
    EXPECT_FALSE(loops("typedef void (*F)(int); __global__ void k(F f) { f(1); }"));
    EXPECT_FALSE(loops("template <void (*F)(int)> __global__ void k() { F(1); }"));
    EXPECT_FALSE(loops("struct S { void f(); }; __global__ void k(S* s, void (S::*f)()) { (s->*f)(); }"));
    EXPECT_FALSE(loops("struct B { virtual void f(int); }; __global__ void k(B* b) { b->f(1); }"));
}

TEST(Waiting, AFunctionWithoutItsNameIsThatOfKernelsWithAValueOfItsTypeAlone) {
    struct Form {
        std::string declared, used;
    };
    const std::string wait = "{ __syncthreads(); return 0; }";
    const std::vector<Form> forms{
        {"struct A { __device__ float operator[](int) " + wait + " };", "A a; p[i] = a[i];"},
        {"struct A { __device__ ~A() { __syncthreads(); } };", "A a;"},
        {"struct A { __device__ A(); };\n__device__ A::A() { __syncthreads(); }", "A a;"},
        {"struct A { __device__ ~A(); };\nA::~A() { __syncthreads(); }", "A a;"},
        {"struct A { __device__ operator float() " + wait + " };", "A a; p[i] = a;"},
        {"struct A { template <class T> __device__ operator T() " + wait + " };", "A a; p[i] = a;"},
        {"struct A { friend __device__ float operator+(A, A) " + wait + " };", "A a; p[i] = a + a;"},
        {"struct A {}; __device__ float operator+(const A&, float) " + wait, "A a; p[i] = a + 1.0f;"},
        {"namespace m { struct A {}; __device__ float operator-(A) " + wait + " }", "m::A a; p[i] = -a;"},
        {"template <class T> struct A {}; template <class T> __device__ float operator!(A<T>) " + wait,
         "A<int> a; p[i] = !a;"},
        {"template <class T> struct A { __device__ ~A(); };\ntemplate <class T> __device__ A<T>::~A() { "
         "__syncthreads(); }",
         "A<int> a;"},
        {"struct A { __device__ ~A() { __syncthreads(); } }; struct B : A {};", "B b;"},
        {"struct A { __device__ ~A() { __syncthreads(); } }; struct B { struct C { A a[2]; } c; };", "B b;"},
        {"struct A { __device__ ~A() { __syncthreads(); } }; using B = A; typedef B C;", "C c;"},
        {"struct B {}; using A = B; __device__ float operator+(A, A) " + wait, "B b; p[i] = b + b;"},
        {"typedef struct { float x; } A; __device__ float operator+(A, A) " + wait, "A a; p[i] = a + a;"},
        {"struct A { __device__ ~A() { __syncthreads(); } }; __device__ A make();\n__device__ A make() { return {}; }",
         "auto a = make();"},
        {"struct A { float x; }; __device__ float operator+(A, float) " + wait + " __constant__ A given[2];",
         "p[i] = given[1] + 1.0f;"},
        {"enum class A { one }; __device__ int operator|(A, A) " + wait, "p[i] = A::one | A::one;"},
        {"enum A { one, two }; __device__ int operator|(A, A) " + wait, "p[i] = one | two;"},
        {"__device__ float operator+(float4, float4) " + wait, "p[i] = ((float4*)p)[0] + ((float4*)p)[1];"},
        {"__device__ float operator+(float2, float2) " + wait, "auto a = make_float2(1, 2); p[i] = a + a;"},
        {"__device__ float operator\"\"_km(long double) " + wait, "p[i] = 1.0_km;"},
        {"#define ALIGN(n) __align__(n)\nstruct ALIGN(16) A { __device__ ~A() { __syncthreads(); } };", "A a;"},
        {"#define HD __host__ __device__\nstruct A { HD ~A() { __syncthreads(); } };", "A a;"},
        {"struct A { float x; __device__ float operator()() " + wait + " };", "A a; p[i] = a();"},
        {"struct A { float x; __device__ float operator()(int) " + wait +
             " }; __device__ float call(const A& a) { return a(1); }",
         "A a; p[i] = call(a);"},
        {"#include <thrust/complex.h>", "thrust::complex<float> a; p[i] = a.x;"},
        {"#include <thrust/complex.h>\nusing A = thrust::complex<float>; struct B { A a; };", "B b; p[i] = 1;"},
    };
    for (const Form& form : forms) {
        EXPECT_FALSE(loops(kernel(form.used, form.declared))) << form.declared;
        EXPECT_TRUE(loops(kernel("if (i < n) p[i] = 2 * p[i];", form.declared))) << form.declared;
        // Which types a template is launched with is not looked at.
        const std::string any = "\ntemplate <class T> __global__ void k(T* p) { p[threadIdx.x] = T(); }";
        const bool literal = form.declared.find("_km") != std::string::npos;
        EXPECT_EQ(loops(form.declared + any), literal) << form.declared;
    }
    EXPECT_FALSE(loops(kernel("p[i] = 1;", "#include <thrust/complex.h>\nusing namespace thrust;")));
    EXPECT_FALSE(loops(kernel("p[i] = x + x;", "__device__ float operator+(Unseen, Unseen) " + wait)));
}

TEST(Waiting, OperatorsInEveryFormAreFollowed) {
    struct Form {
        std::string declared, used;
    };
    const std::vector<Form> forms{
        {"struct A { float x; __device__ A& operator+=(A b) { x += b.x; return *this; } __device__ A operator+(A b) { "
         "A c = *this; return c.operator+=(b); } };",
         "A a; p[i] = (a + a).x;"},
        {"struct A { float* x; __device__ float& operator()(int r, int c) { return x[r + c]; } __device__ float& "
         "operator[](int r) { return (*this)(r, 0); } };",
         "A a{p}; p[i] = a(1, 2) + a[3];"},
        {"template <class T> struct A { T* x; __device__ T operator()(int r) const { return x[r]; } };",
         "const A<float> a{p}; p[i] = a(1);"},
        {"struct A { float x; __device__ operator float() const { return x; } __device__ explicit operator bool() { "
         "return operator float() > 0; } };",
         "A a; if (a) p[i] = a;"},
        {"struct A { float x; __device__ A(A&& b) : x(move(b.x)) {} __device__ A(float y) : x{y} {} };\n"
         "__device__ float move(float x) { return x; }",
         "A a(1); p[i] = a.x;"},
        {"struct A { float x; __device__ A* operator->() { return this; } __device__ A operator++(int) { A a = *this; "
         "++x; return a; } __device__ bool operator!() { return x == 0; } };",
         "A a; a++; p[i] = !a ? 1 : a->x;"},
        {"#define OP(o) __device__ inline float3 operator o(float3 a, float3 b) { return make_float3(a.x o b.x, 0, 0); "
         "}\nOP(+) OP(-) OP(*)",
         "float3 a = make_float3(1, 2, 3); p[i] = (a + a).x;"},
    };
    for (const Form& form : forms) EXPECT_TRUE(loops(kernel(form.used, form.declared))) << form.declared;
}

TEST(Waiting, ValuesOfTypesThatATemplateLeavesOpenCallWhatTheProgramHas) {
    const std::string map = "\ntemplate <class F> __global__ void k(float* p, F f) { p[threadIdx.x] = f(1.0f); }\n";
    const std::string twice = "struct Twice { __device__ float operator()(float x) const { return 2 * x; } };";
    const std::string waits = "struct Waits { __device__ float operator()(float x) { __syncthreads(); return x; } };";
    EXPECT_TRUE(loops(twice + map));
    EXPECT_FALSE(loops(twice + waits + map));
    EXPECT_TRUE(loops(twice + map + "void host() { auto f = [=] __device__(float x) { return x; }; }"));
    EXPECT_FALSE(loops(twice + map + "void host() { auto f = [=] __device__(float x) { __syncthreads(); }; }"));
    EXPECT_FALSE(loops(twice + map + "auto f = [] __device__(float x) { __syncthreads(); };"));
    // A pointer to a function of the device comes from a variable of the device.
    const std::string meet = "__device__ float meet(float x) { __syncthreads(); return x; }\n";
    EXPECT_TRUE(loops(meet + twice + map));
    EXPECT_FALSE(loops(meet + twice + map + "__device__ float (*chosen)(float) = meet;"));
    EXPECT_FALSE(loops(meet + twice + map + "__global__ void choose(float (**f)(float)) { *f = meet; }"));
    // Of a function's own template the types come from the kernel.
    const std::string apply = "template <class F> __device__ float apply(F f, float x) { return f(x); }\n";
    EXPECT_TRUE(loops(kernel("p[i] = apply(Twice(), p[i]);", apply + twice + waits)));
    EXPECT_FALSE(loops(kernel("p[i] = apply(Waits(), p[i]);", apply + twice + waits)));
    EXPECT_FALSE(loops(kernel("p[i] = apply(meet, p[i]);", apply + twice + meet)));
    EXPECT_TRUE(loops(kernel("p[i] = apply([=](float x) { return x + n; }, p[i]);", apply)));
    EXPECT_FALSE(loops(kernel("p[i] = apply([=](float x) { __syncwarp(); return x; }, p[i]);", apply)));
}

TEST(Waiting, WhatAReviewFoundHiddenIsFound) {
    const std::string wait = "{ __syncthreads(); return 0; }";
    const std::string guard = "struct Guard { __device__ ~Guard() { __syncthreads(); } };\n";
    const std::string meet = "__device__ float meet(float x) { __syncthreads(); return x; }\n";
    struct Form {
        std::string declared, used;
    };
    const std::vector<Form> forms{
        {"struct A { __device__ float operator[](int) const; };\nfloat A::operator[](int) const " + wait,
         "A a; p[i] = a[1];"},
        {"struct A { __device__ float operator[](int) noexcept(true); };\nfloat A::operator[](int) noexcept(true) " +
             wait,
         "A a; p[i] = a[1];"},
        {"template <class T> LIB_DEVICE void meet(T) { __syncthreads(); }", "meet<int>(1);"},
        {"#define MEMBER Guard\n" + guard + "struct B { MEMBER g; };", "B b;"},
        {"#include <thrust/complex.h>\n#define COMPLEX thrust::complex<float>\nstruct B { COMPLEX c; };", "B b;"},
        {"template <int> __device__ F table[2] = {meet, meet};\n" + meet, "p[i] = table<0>[1](p[i]);"},
        {meet + "struct Table { F f[1], g[1]; };", "p[i] = Table{a, b}[0](1.0f);"},
        {"__device__ float operator|(const vec<float>& a, const vec<float>& b) " + wait, "p[i] = x | x;"},
        {"#define SYNC sync()\nstruct B { __device__ void sync() { __syncthreads(); } };", "B b; b.SYNC;"},
        {"#define SYNC sync()\nstruct B { __device__ void sync() { __syncthreads(); } };", "B* b; b->SYNC;"},
        {"#define LIMIT limit()\n__device__ int limit() " + wait, "while (n-->LIMIT) p[i] = 1;"},
        {"#define ALIGN(n) __align__(n)\n" + guard + "typedef struct ALIGN(16) { Guard g; } Pair;", "Pair b;"},
        {"#define ALIGN(n) __align__(n)\n" + guard + "struct B { union ALIGN(16) { Guard g; float4 v; }; };", "B b;"},
    };
    for (const Form& form : forms) EXPECT_FALSE(loops(kernel(form.used, form.declared))) << form.used << form.declared;

    // Addresses that macros take, and those of another file's variables.
    const std::string map = "template <class F> __global__ void k(float* p, F f) { p[threadIdx.x] = f(1.0f); }\n";
    EXPECT_FALSE(loops("#define CHOICE meet\n" + meet + "__device__ float (*chosen)(float) = CHOICE;\n" + map));
    const std::string value = "__global__ void k(float* p) { auto f = chosen; p[threadIdx.x] = f(1.0f); }";
    EXPECT_FALSE(loops("typedef float (*F)(float); extern __device__ F chosen;\n" + value));
    EXPECT_FALSE(loops("extern __device__ float (*chosen)(float);\n" + value));
    EXPECT_TRUE(
        loops("extern __device__ float other(float);\n__device__ float twice(float x) { return 2 * x; }\n"
              "__device__ float (*chosen)(float) = twice;\n" +
              value));

    // A template parameter with the name of a class, and a variable with that of an object.
    const std::string op = "struct Op { __device__ float operator()(float x) { return x; } };\n";
    const std::string chosen = meet + "__device__ float (*chosen)(float) = meet;\n";
    const std::string call = "(float* p, Op op) { p[threadIdx.x] = op(1.0f); }";
    EXPECT_TRUE(loops(op + "template <class Op> __global__ void k" + call));
    EXPECT_FALSE(loops(op + chosen + "template <class Op> __global__ void k" + call));
    EXPECT_FALSE(loops(op + chosen + "template <class Op> struct M { static __device__ void run" + call + " };\n" +
                       "using F = float (*)(float);\n" + kernel("M<F>::run(p, chosen);")));
    const std::string two =
        "typedef void (*F)(int); typedef void G(int);\n"
        "struct A { __device__ void operator()(int) {} };\n";
    EXPECT_TRUE(loops(two + "__global__ void k(F g) { { A f; f(1); } { A f; f(1); } }"));
    EXPECT_FALSE(loops(two + "__global__ void k(F g) { { A f; f(1); } { F f = g; f(1); } }"));
    EXPECT_FALSE(loops(two + "__global__ void k(F g) { { A f; f(1); } { G* f = g; f(1); } }"));
}

TEST(Waiting, FunctionsOfTheHostAreNobodysInAKernel) {
    const std::string macro = "#define CHECK(x) do { if (x) { printf(\"%d\", x); exit(1); } } while (0)\n";
    for (const std::string before :
         {"struct Buffer { float* p; Buffer(int n) { CHECK(cudaMalloc(&p, n)); } ~Buffer() { CHECK(cudaFree(p)); } };",
          "#define N 3\nstruct A { float e[N]; }; std::ostream& operator<<(std::ostream& o, const A& a) { for (int i = "
          "0; "
          "i < N; ++i) o << setw(8) << a.e[i]; return o; }",
          "float total(float* p, int n) { return CHECK(n), printf(\"%d\", n); }",
          "struct Timer { float total() { return seconds(); } };"})
        EXPECT_TRUE(loops(kernel("float total = 0, e = 1; if (i < n) p[i] = total + e;", macro + before))) << before;
}

TEST(Waiting, AVolatileOutsideFunctionsIsAnyKernels) {
    EXPECT_FALSE(loops(kernel("while (lock.taken) ;", "struct Lock { volatile int taken; };")));
    EXPECT_FALSE(loops(kernel("p[i] = 1;", "typedef volatile int vint;")));
    EXPECT_FALSE(loops(kernel("p[i] = 1;", "using vint = std::add_volatile_t<int>;")));
    EXPECT_FALSE(loops(kernel("std::add_volatile_t<float>* q = p; while (*q == 0) ;")));
    EXPECT_FALSE(loops(kernel("p[i] = 1;", "__device__ volatile int flag;")));
    const std::string other = "__device__ void warp_sum(volatile float* s) { s[0] += s[1]; }";
    EXPECT_TRUE(loops(kernel("p[i] = 1;", other)));
    EXPECT_FALSE(loops(kernel("warp_sum(p);", other)));
}

TEST(Waiting, WhatMacrosWriteIsCalledWithoutItsNameToo) {
    const std::string body = "V a{p[i]}; p[i] = (a + a).x;";
    const std::string waits = "{ __syncthreads(); return V{a.x + b.x}; }", computes = "{ return V{a.x + b.x}; }";
    for (const std::string before :
         {// Behind another declaration none of the kernel's own words names the macro.
          "struct V { float x; };\n#define OP(op) __device__ V operator op(V a, V b) BODY\nOP(+)\ntypedef int Int;",
          "struct V { float x; };\n#define OP(op) __device__ V operator op(V a, V b) BODY\nOP(+);",
          "struct V { float x; };\n#define OPERATOR operator\n#define OPS(M) M(+) M(-)\n"
          "#define OP(op) __device__ V OPERATOR op(V a, V b) BODY\nOPS(OP)\ntypedef int Int;",
          "#define CLASS(V) struct V { float x; __device__ V operator+(V b) const { V a = *this; BODY } };\n"
          "CLASS(V)\ntypedef int Int;",
          "#define PLUS __device__ V operator+(V b) const { V a = *this; BODY }\nstruct V { float x; PLUS };",
          "struct V { float x; };\n#define FUNCTION(name) __device__ V name(V a, V b)\nFUNCTION(operator+) BODY",
          "struct V { float x; };\n#define PLUS operator+\n__device__ V PLUS(V a, V b) BODY",
          "struct V { float x; };\n#define OPERATOR operator\n__device__ V OPERATOR+(V a, V b) BODY",
          "struct V { float x; };\n#ifdef NAMED\n#define OPERATOR plus\n#else\n#define OPERATOR operator\n#endif\n"
          "__device__ V OPERATOR+(V a, V b) BODY",
          "struct V { float x; };\n#define BEGIN OPERATOR\n#define OPERATOR operator\n__device__ V BEGIN+(V a, V b) "
          "BODY",
          // What the functions are for is said ahead of the macro.
          "struct V { float x; };\n#define OP(op) V operator op(V a, V b) BODY\n__device__ OP(+)\ntypedef int Int;",
          "#define HD __host__ __device__\n#define PLUS operator+(V b) { V a = *this; BODY }\n"
          "struct V { float x; HD inline V PLUS };",
          // Between the macro and the body.
          "#define METHOD(name) __device__ V name(V b)\n"
          "struct V { float x; METHOD(operator+) const& { V a = *this; BODY } };",
          "struct V { float x; };\n#define BINARY(op) __device__ V operator op(V a, V b)\nBINARY(+) noexcept BODY",
          "struct V { float x; };\n#define BINARY(op) __device__ V operator op(V a, V b)\nBINARY(+) noexcept(true) "
          "BODY",
          "struct V { float x; };\n#define BINARY(op) __device__ auto operator op(V a, V b)\nBINARY(+) -> V BODY",
          "struct V { float x; };\n#define SAFE noexcept\n#define FUNCTION(name) __device__ V name(V a, V b)\n"
          "FUNCTION(operator+) SAFE BODY"}) {
        const auto with = [&](const std::string& text) {
            std::string all = before;
            all.replace(all.find("BODY"), 4, text);
            return loops(kernel(body, all));
        };
        EXPECT_FALSE(with(waits)) << before;
        // What a macro's parameter behind a macro for `operator` is, nobody sees.
        if (before.find("OPERATOR op") == before.npos) {
            EXPECT_TRUE(with(computes)) << before;
        }
    }
    EXPECT_FALSE(loops(kernel(body, "struct V { float x; };\n#define ALL(T) __device__ T operator+(T a, T b) " + waits +
                                        " __global__ void fill(T*) {}\nALL(V)\ntypedef int Int;")))
        << "together with a kernel";
    EXPECT_FALSE(loops(kernel("V a{p[i]}; p[i] = a.x;",
                              "#define MAKE(T) __device__ T(float v) : x(v) { __syncthreads(); }\n"
                              "struct V { float x; MAKE(V) };")));
    for (const std::string constructor :
         {"struct V { float x; __device__ V(float); };\n#define MAKE(T) __device__ T::T(float v)",
          "template <class T> struct U { float x; __device__ U(float); };\nusing V = U<int>;\n"
          "#define MAKE(T) template <> __device__ U<T>::U(float v)"}) {
        EXPECT_FALSE(loops(
            kernel("V a{p[i]}; p[i] = a.x;", constructor + " : x(v) { __syncthreads(); }\nMAKE(V)\ntypedef int Int;")))
            << constructor;
    }
    EXPECT_FALSE(loops(kernel("V a{p[i]}; p[i] = a.x;",
                              "#define END(T) ~T()\nstruct V { float x; __device__ END(V) { __syncthreads(); } };")));
    EXPECT_TRUE(loops(kernel("p[i] = 1;",
                             "#define SAYS(x) __device__ __attribute__((x))\n"
                             "SAYS(cold) float meet(float x) { __syncthreads(); return x; }")))
        << "what a macro with arguments says of a function is none";
    const std::string other =
        "#define MAKE(T) __device__ T(float v) : x(v) { __syncthreads(); }\n"
        "struct V { float x; MAKE(V) };";
    EXPECT_TRUE(loops(kernel("p[i] = 1;", other))) << "of a class that it does not come to";
}

TEST(Waiting, PointersThatOtherFilesSetAreUnknown) {
    const std::string type =
        "typedef float (*Fn)(float);\n"
        "template <class T> __device__ float call(T f, float x) { return f(x); }\n";
    EXPECT_FALSE(loops(kernel("p[i] = call(f, p[i]);", type + "extern __device__ Fn f;")));
    EXPECT_FALSE(loops(kernel("p[i] = call(f, p[i]);", type + "#define EXTERN extern\nEXTERN __device__ Fn f;")));
    EXPECT_FALSE(loops(kernel("p[i] = call(f, p[i]);", type + "#define SHARED_FN extern __device__\nSHARED_FN Fn f;")));
    EXPECT_FALSE(loops(kernel("p[i] = call(S::f, p[i]);", type + "struct S { static __device__ Fn f; };")));
    EXPECT_FALSE(loops(kernel("p[i] = call(S::f, p[i]);",
                              type + "#define DEVICE __device__\nstruct S { int n; static DEVICE Fn f; };")));
    EXPECT_FALSE(loops(kernel("auto g = S::f; p[i] = g(p[i]);", "struct S { static __device__ float (*f)(float); };")));
    EXPECT_TRUE(loops(
        kernel("p[i] = call(f, p[i]);", type + "__device__ float own(float x) { return x; }\n__device__ Fn f = own;\n"
                                               "struct S { static __device__ float g(float x) { return x; } };")))
        << "static functions are none";
    EXPECT_TRUE(loops(
        kernel("p[i] = call(f, p[i]);", type + "__device__ float own(float x) { return x; }\n__device__ Fn f = own;\n"
                                               "struct S { static constexpr __device__ int n = 3; };")));
}

TEST(Waiting, MacrosOfTheCommandLineCount) {
    const TokenizedFile file = tokenize("__global__ void k(float* p) { p[0] = X; } int main() { k<<<1, 1>>>(p); }");
    const auto loop = [&](const char* macro) {
        Words words;
        define_macro(macro, words);
        collect_macros(file, words);
        collect_words(file, words);
        return contains(
            translate(file, words).apply("__global__ void k(float* p) { p[0] = X; } int main() { k<<<1, 1>>>(p); }"),
            "row_launcher");
    };
    EXPECT_TRUE(loop("X=3"));
    EXPECT_FALSE(loop("X=wait_for(3)"));
}

TEST(Waiting, MacrosCountWhereverTheyAreDefined) {
    struct Form {
        std::string header, macro, function;
    };
    const std::vector<Form> forms{
        {"#define PLUS operator+\n", "", "__device__ V PLUS(V a, V b)"},
        {"#define FUNCTION(name) __device__ V name(V a, V b)\n", "", "FUNCTION(operator+)"},
        {"#define OPERATOR operator\n", "", "__device__ V OPERATOR+(V a, V b)"},
        {"", "PLUS=operator+", "__device__ V PLUS(V a, V b)"},
        {"", "FUNCTION(name)=__device__ V name(V a, V b)", "FUNCTION(operator+)"},
        {"", "OPERATOR=operator", "__device__ V OPERATOR+(V a, V b)"},
    };
    const Folder folder;
    const fs::path out = folder / "out.cpp";
    for (const Form& form : forms)
        // Of a kernel that waits itself: no loops between its barriers.
        for (const bool regions : {false, true}) {
            const auto text = [&](const std::string& body) {
                folder.write("macros.h", form.header);
                const fs::path main = folder.write(
                    "main.cu",
                    "#include \"macros.h\"\nstruct V { float x; };\n" + form.function + " { " + body +
                        "return V{a.x + b.x}; }\n" +
                        kernel(std::string(regions ? "__syncthreads(); " : "") + "V a{p[i]}; p[i] = (a + a).x;") +
                        "\nint main() { k<<<1, 32>>>(p, 32); }");
                Request request{main, out, {}};
                if (!form.macro.empty()) request.macros = {form.macro};
                request.regions = regions;
                return translate_program(request).files.at(out);
            };
            const std::string launcher = regions ? "region_launcher" : "row_launcher";
            EXPECT_TRUE(contains(text(""), launcher)) << form.header << form.macro;
            EXPECT_FALSE(contains(text("__syncthreads(); "), launcher)) << form.header << form.macro;
        }
}

TEST(Waiting, WhatIsAddedBehindAQuestionCounts) {
    const auto order_behind = [](const std::string& before, const std::string& behind) {
        const TokenizedFile first = tokenize(before), second = tokenize(behind);
        Waiting waiting;
        std::vector<ThreadOrder> orders;
        for (const TokenizedFile* file : {&first, &second}) {
            waiting.add_macros(*file);
            waiting.add(*file, Brackets(file->code, file->conditionals));
            orders.push_back(waiting.order_of("k"));
        }
        EXPECT_EQ(orders[0], ThreadOrder::blocks) << before;
        return orders[1];
    };
    const std::string sum =
        "struct V { float x; };\n__global__ void k(float* p) { V a{p[threadIdx.x]}; p[0] = (a + a).x; }";
    EXPECT_EQ(order_behind(sum, "#define N 3\nstruct W {};"), ThreadOrder::blocks);
    EXPECT_EQ(
        order_behind(sum, "#define OPS(T) __device__ T operator+(T a, T b) { __syncthreads(); return a; }\nOPS(V)"),
        ThreadOrder::fibers);
    const std::string call = "template <class F> __global__ void k(float* p, F f) { p[threadIdx.x] = f(1.0f); }";
    EXPECT_EQ(order_behind(call, "__constant__ float scale;"), ThreadOrder::blocks);
    EXPECT_EQ(order_behind(call, "extern __device__ float (*chosen)(float);"), ThreadOrder::fibers);
}

TEST(Waiting, KernelsThatAskForTheIndexInTheGridAloneAreLoopsOverRows) {
    const auto rows = [](const std::string& index, const std::string& before = "") {
        return launches_by("row_launcher",
                           before + "\n__global__ void k(float* p) { size_t i = " + index + "; p[i] = blockDim.x; }");
    };
    for (const std::string index :
         {"blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x",
          "(blockIdx.x * blockDim.x) + threadIdx.x", "(size_t)blockIdx.x * blockDim.x + threadIdx.x",
          "(unsigned long)(blockIdx.x * blockDim.x + threadIdx.x)", "threadIdx.y * 64 + blockIdx.z",
          "4 + blockIdx.x * (size_t)blockDim.x + (int)threadIdx.x - 4", "gridDim.x"})
        EXPECT_TRUE(rows(index)) << index;
    EXPECT_TRUE(rows("ID", "#define ID (blockIdx.x * blockDim.x + threadIdx.x)"));
    EXPECT_TRUE(rows("id()", "__device__ int id() { return blockIdx.x * blockDim.x + threadIdx.x; }"));
}

TEST(Waiting, KernelsThatKnowTheirBlockAreLoopsOverItsThreadsAlone) {
    const auto blocks = [](const std::string& index, const std::string& before = "") {
        return launches_by("loop_launcher",
                           before + "\n__global__ void k(float* p) { int i = " + index + "; p[i] = 1; }");
    };
    for (const std::string index :
         {"threadIdx.x", "blockIdx.x", "blockIdx.x * 32 + threadIdx.x", "blockIdx.x * blockDim.y + threadIdx.x",
          "blockIdx.y * blockDim.x + threadIdx.x", "2 * blockIdx.x * blockDim.x + threadIdx.x",
          "blockIdx.x * blockDim.x + threadIdx.x * 2", "99 - blockIdx.x * blockDim.x + threadIdx.x",
          "threadIdx.x + blockIdx.x * blockDim.x * 2", "threadIdx.x + blockIdx.x * blockDim.x / 2",
          "(float)blockIdx.x * blockDim.x + threadIdx.x", "(short)blockIdx.x * blockDim.x + threadIdx.x",
          "blockIdx.x * blockDim.x + threadIdx.x + threadIdx.x", "dim3(threadIdx).x"})
        EXPECT_TRUE(blocks(index)) << index;
    EXPECT_TRUE(blocks("2 * ID", "#define ID blockIdx.x * blockDim.x + threadIdx.x"));
    EXPECT_TRUE(blocks("ID(x)", "#define ID(d) (blockIdx.d * blockDim.d + threadIdx.d)"));
    EXPECT_TRUE(blocks("TWICE blockIdx.x * blockDim.x + threadIdx.x", "#define TWICE 2 *"));
    EXPECT_TRUE(blocks("blockIdx.x * blockDim.x + threadIdx.x TWICE", "#define TWICE * 2"));
    EXPECT_TRUE(blocks("id()", "__device__ int id() { return threadIdx.x; }"));
}

TEST(Waiting, AnIndexIsNotReadInAFunctionThatIsNotInlined) {
    EXPECT_TRUE(loops(kernel("p[i] = lane();", "__device__ int lane() { return threadIdx.x % 32; }")));
    EXPECT_FALSE(
        loops(kernel("p[i] = down(n);", "__device__ int down(int n) { return n ? down(n - 1) : threadIdx.x; }")));
    EXPECT_FALSE(loops(kernel("p[i] = lane();", "__noinline__ __device__ int lane() { return threadIdx.x % 32; }")));
}

}  // namespace
}  // namespace lanework::cudafe
