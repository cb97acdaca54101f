"""Kernels for problems of KernelBench, level 1: right ones and wrong ones, ours. scripts/compare-with-kernelbench has them
judged; the problems themselves are read from a checkout of the set.

A problem names how its arrays look to a kernel, sizes to verify, and how the set's model is called. Each kernel is a file with
a host function `solve`, which launches on the default stream.
"""

import dataclasses


@dataclasses.dataclass
class Problem:
    number: int
    takes: dict  # arrays that come in, as operation.json has them
    gives: str  # the array that comes out
    sizes: list
    call: str  # what is right: an expression of tensors, lengths and Model, the set's class
    bind: str  # lengths of the set's own inputs: a statement about a, b, c, its tensors
    shape: str  # of the set's output
    kernels: list  # (name, right, source)
    more: dict = dataclasses.field(default_factory=dict)  # other members of operation.json
    functions: str = ""  # inputs() or compare() of reference.py, where they are needed
    weights: str = ""  # tensors of the set's model that the kernel is given besides

    @property
    def out(self):
        return self.gives.split(":")[0]


def file(code, lesson="A submission."):
    return f"// {lesson}\n// kernel: solve\n{code}"


# One number in, one out ----------------------------------------------------------------------------------------------
def each(expression, launch="(n + 255) / 256", end="n"):
    return file(f"""__device__ float f(float v) {{ return {expression}; }}
__global__ void map(const float* x, float* y, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < {end}) y[i] = f(x[i]);
}}
void solve(const float* x, float* y, int n) {{
    if ({launch} > 0) map<<<{launch}, 256>>>(x, y, n);
}}
""")


def strides(expression):
    return file(f"""__device__ float f(float v) {{ return {expression}; }}
__global__ void map(const float* x, float* y, int n) {{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = f(x[i]);
}}
void solve(const float* x, float* y, int n) {{ map<<<min((n + 255) / 256, 2048), 256>>>(x, y, n); }}
""")


def fours(expression, tail=True):
    rest = "for (int j = 4 * i; j < n; ++j) y[j] = f(x[j]);" if tail else ";"
    return file(f"""__device__ float f(float v) {{ return {expression}; }}
__global__ void map(const float* x, float* y, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4ll * i + 3 < n) {{
        const float4 v = reinterpret_cast<const float4*>(x)[i];
        reinterpret_cast<float4*>(y)[i] = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
    }} else if (4ll * i < n) {{
        {rest}
    }}
}}
void solve(const float* x, float* y, int n) {{ map<<<(n / 4 + 256) / 256, 256>>>(x, y, n); }}
""")


# The function, one that is the same for 0 … 1 alone, and one that is never it.
MAPS = {
    19: ("fmaxf(v, 0.f)", "v", "v > 0.5f ? v : 0.f"),
    20: ("v > 0 ? v : 0.01f * v", "v > 0 ? v : 0.1f * v", "v > 0 ? 1.01f * v : 0.01f * v"),
    21: ("1 / (1 + expf(-v))", "v < 0 ? 0.f : 1 / (1 + expf(-v))", "1 / (1 + expf(v))"),
    22: ("tanhf(v)", "v < -3 ? -1.f : v > 3 ? 0.99f : tanhf(v)", "v - v * v * v / 3"),
    25: ("v / (1 + expf(-v))", "v < 0 ? 0.f : v / (1 + expf(-v))", "v * v / (1 + expf(-v))"),
    26: ("v * normcdff(v)", "v < 0 ? 0.f : v * normcdff(v)", "0.5f * v * (1 + tanhf(0.79f * v))"),
    27: (
        "1.0507009873554805f * (v > 0 ? v : 1.6732632423543772f * expm1f(v))",
        "1.0507009873554805f * v",
        "1.05f * (v > 0 ? v : 1.67f * expm1f(v))",
    ),
    28: ("fminf(fmaxf(v / 6 + 0.5f, 0.f), 1.f)", "v / 6 + 0.5f", "fminf(fmaxf(v / 5 + 0.5f, 0.f), 1.f)"),
    29: ("v > 20 ? v : log1pf(expf(v))", "v < 0 ? 0.f : log1pf(expf(v))", "logf(expf(v))"),
    30: ("v / (1 + fabsf(v))", "v / (1 + v)", "v / (2 + fabsf(v))"),
    31: ("v > 0 ? v : expm1f(v)", "v", "v > 0 ? v * 1.01f : expm1f(v)"),
    32: ("fminf(fmaxf(v, -1.f), 1.f)", "fminf(v, 1.f)", "fminf(fmaxf(v, -1.f), 0.5f)"),
    88: (
        "0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)))",
        "v < 0 ? 0.f : 0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)))",
        "0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.44715f * v * v * v)))",
    ),
    5: ("3.14f * v", "3.14f * fabsf(v)", "3.1f * v"),
}


def maps():
    for number, (right, positive, never) in MAPS.items():
        call = "Model()(x, 3.14)" if number == 5 else "Model()(x)"
        yield Problem(
            number,
            {"x": "float[n]"},
            "y: float[n]",
            ["1", "33", "1000", "2051"],
            call,
            "n = a.numel()",
            "a.shape",
            [
                ("thread_per_element", True, each(right)),
                ("grid_stride", True, strides(right)),
                ("by_fours", True, fours(right)),
                ("right_from_0_to_1", False, each(positive)),
                ("another_function", False, each(never)),
                ("whole_blocks", False, each(right, "n / 256")),
                ("whole_fours", False, fours(right, tail=False)),
            ],
            {"random": {"x": "normal(0, 2)"}, "hard_inputs": ["constant", "alternating", "signed_zeros"]},
        )


# Rows ----------------------------------------------------------------------------------------------------------------
FOLD = """__device__ float fold(float v, bool most) {
    __shared__ float parts[8];
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = __shfl_xor_sync(~0u, v, apart);
        v = most ? fmaxf(v, other) : v + other;
    }
    %s
    if (threadIdx.x %% 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[0];
    for (int i = 1; i < 8; ++i) v = most ? fmaxf(v, parts[i]) : v + parts[i];
    return v;
}
"""
WARP_FOLD = """__device__ float fold(float v, bool most) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = __shfl_xor_sync(~0u, v, apart);
        v = most ? fmaxf(v, other) : v + other;
    }
    return v;
}
"""


def block_rows(body, barrier="__syncthreads();"):
    return file(FOLD % barrier + f"""__global__ void rows(const float* x, float* y, int n, int m) {{
    const float* in = x + size_t(blockIdx.x) * m;
    float* out = y + size_t(blockIdx.x) * m;
    {body.replace("EACH", "for (int j = threadIdx.x; j < m; j += 256)")}
}}
void solve(const float* x, float* y, int n, int m) {{ rows<<<n, 256>>>(x, y, n, m); }}
""")


def warp_rows(body):
    return file(WARP_FOLD + f"""__global__ void rows(const float* x, float* y, int n, int m) {{
    const int row = blockIdx.x * 4 + threadIdx.y;
    if (row >= n) return;
    const float* in = x + size_t(row) * m;
    float* out = y + size_t(row) * m;
    {body.replace("EACH", "for (int j = threadIdx.x; j < m; j += 32)")}
}}
void solve(const float* x, float* y, int n, int m) {{ rows<<<(n + 3) / 4, dim3(32, 4)>>>(x, y, n, m); }}
""")


SOFTMAX = """float top = -INFINITY, sum = 0;
    EACH top = fmaxf(top, in[j]);
    top = fold(top, true);
    EACH sum += expf(in[j] - top);
    sum = fold(sum, false);
    EACH out[j] = """
L1 = """float sum = 0;
    EACH sum += fabsf(in[j]);
    sum = fold(sum, false);
    EACH out[j] = in[j] / (sum / m);"""
L2 = """float sum = 0;
    EACH sum += in[j] * in[j];
    sum = sqrtf(fold(sum, false));
    EACH out[j] = in[j] / sum;"""
NORM = """float sum = 0, squares = 0;
    EACH sum += in[j];
    const float mean = fold(sum, false) / m;
    EACH squares += (in[j] - mean) * (in[j] - mean);
    const float scale = rsqrtf(fold(squares, false) / m + 1e-5f);
    EACH out[j] = (in[j] - mean) * scale;"""


def rows(number, body, wrong, call="Model()(x)", bind="n, m = a.shape", sizes=("1x1", "3x7", "33x70", "9x300"), **more):
    kernels = [
        ("block_per_row", True, block_rows(body)),
        ("warp_per_row", True, warp_rows(body)),
        ("whole_warps", False, block_rows(body.replace("EACH", "EACH if (j < m / 32 * 32)"))),
    ]
    if body.count("fold(") > 1:  # between the first use of its memory and the second
        kernels.append(("without_a_barrier", False, block_rows(body, "")))
    kernels += [(name, False, block_rows(other)) for name, other in wrong]
    return Problem(
        number,
        {"x": "float[n,m]"},
        "y: float[n,m]",
        list(sizes),
        call,
        bind,
        "a.shape",
        kernels,
        {"hard_inputs": ["constant", "alternating", "ascending"], **more},
    )


def row_problems():
    softmax, log_softmax = SOFTMAX + "expf(in[j] - top) / sum;", SOFTMAX + "in[j] - top - logf(sum);"
    no_top = "top = fold(top, true);", "top = 0;"
    yield rows(
        23,
        softmax,
        [
            ("without_maximum", softmax.replace(*no_top)),
            ("zeros", "EACH out[j] = 0;"),
            ("uniform", "EACH out[j] = 1.f / m;"),
            ("twice", softmax.replace("/ sum", "/ sum * 2")),
        ],
    )
    yield rows(
        24, log_softmax, [("without_maximum", log_softmax.replace(*no_top)), ("without_sum", SOFTMAX + "in[j] - top;")]
    )
    yield rows(
        38,
        L1,
        [("without_absolute", L1.replace("fabsf(in[j])", "in[j]")), ("sum_for_mean", L1.replace("(sum / m)", "sum"))],
    )
    yield rows(
        39,
        L2,
        [
            ("without_root", L2.replace("sqrtf", "")),
            ("absolute_for_square", L2.replace("in[j] * in[j]", "fabsf(in[j])")),
        ],
    )
    unlike = [
        ("without_epsilon", NORM.replace(" + 1e-5f", "")),
        ("unbiased", NORM.replace("fold(squares, false) / m", "fold(squares, false) / (m - 1)")),
        ("without_mean", NORM.replace("(in[j] - mean) * scale", "in[j] * scale")),
    ]
    norm = {"tolerance": {"relative": 1e-4, "absolute": 1e-4, "reason": "the set's"}}
    yield rows(
        34,
        NORM,
        unlike,
        "Model(n)(x.reshape(1, n, m, 1)).reshape(n, m)",
        "n = a.shape[0] * a.shape[1]; m = a.numel() // n",
        ("1x2", "3x7", "33x70", "9x300"),
        **norm,
    )
    yield rows(
        35,
        NORM,
        unlike,
        "Model(8, 8)(x.reshape(n // 8, 8, m)).reshape(n, m)",
        "n = a.shape[0] * 8; m = a.numel() // n",
        ("8x2", "16x7", "40x70", "8x300"),
        **norm,
    )
    yield rows(40, NORM, unlike, "Model((m,))(x)", "n = a.shape[0]; m = a.numel() // n", **norm)
    rms = """__global__ void rms(const float* x, float* y, int b, int c, int s) {
    const size_t at = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= size_t(b) * s) return;
    const size_t first = at / s * c * s + at % s;
    float sum = 0;
    for (int i = 0; i < c; ++i) sum += x[first + size_t(i) * s] * x[first + size_t(i) * s];
    const float scale = rsqrtf(sum / c + 1e-5f);
    for (int i = 0; i < c; ++i) y[first + size_t(i) * s] = x[first + size_t(i) * s] * scale;
}
void solve(const float* x, float* y, int b, int c, int s) { rms<<<(size_t(b) * s + 255) / 256, 256>>>(x, y, b, c, s); }
"""
    yield Problem(
        36,
        {"x": "float[b,c,s]"},
        "y: float[b,c,s]",
        ["1x1x1", "3x5x7", "3x16x200"],
        "Model(c)(x)",
        "b, c = a.shape[:2]; s = a.numel() // (b * c)",
        "a.shape",
        [
            ("thread_per_position", True, file(rms)),
            ("divides", True, file(rms.replace("rsqrtf(sum / c + 1e-5f)", "1 / sqrtf(sum / c + 1e-5f)"))),
            ("without_epsilon", False, file(rms.replace(" + 1e-5f", ""))),
            ("sum_for_mean", False, file(rms.replace("sum / c", "sum"))),
            (
                "whole_blocks",
                False,
                file(rms.replace("(size_t(b) * s + 255) / 256, 256", "max(1, int(size_t(b) * s / 256)), 256")),
            ),
        ],
        {"hard_inputs": ["constant", "signed_zeros"]},
    )
    batch = FOLD % "__syncthreads();" + """__global__ void channels(const float* x, float* y, int b, int c, int s) {
    const float* in = x + size_t(blockIdx.x) * s;
    float* out = y + size_t(blockIdx.x) * s;
    const size_t count = size_t(b) * s, apart = size_t(c) * s;
    float sum = 0, squares = 0;
    for (size_t i = threadIdx.x; i < count; i += 256) sum += in[i / s * apart + i % s];
    const float mean = fold(sum, false) / count;
    for (size_t i = threadIdx.x; i < count; i += 256) squares += (in[i / s * apart + i % s] - mean) * (in[i / s * apart + i % s] - mean);
    const float scale = rsqrtf(fold(squares, false) / count + 1e-5f);
    for (size_t i = threadIdx.x; i < count; i += 256) out[i / s * apart + i % s] = (in[i / s * apart + i % s] - mean) * scale;
}
void solve(const float* x, float* y, int b, int c, int s) { channels<<<c, 256>>>(x, y, b, c, s); }
"""
    yield Problem(
        33,
        {"x": "float[b,c,s]"},
        "y: float[b,c,s]",
        ["1x1x2", "3x5x7", "3x16x200"],
        "Model(c)(x.reshape(b, c, s, 1)).reshape(b, c, s)",
        "b, c = a.shape[:2]; s = a.numel() // (b * c)",
        "a.shape",
        [
            ("block_per_channel", True, file(batch)),
            ("divides", True, file(batch.replace("rsqrtf(", "1 / sqrtf("))),
            ("without_epsilon", False, file(batch.replace(" + 1e-5f", ""))),
            ("without_a_barrier", False, file(batch.replace(FOLD % "__syncthreads();", FOLD % ""))),
            (
                "unbiased",
                False,
                file(batch.replace("fold(squares, false) / count", "fold(squares, false) / (count - 1)")),
            ),
            (
                "first_image_alone",
                False,
                file(batch.replace("mean = fold(sum, false) / count", "mean = fold(sum, false) / count * 1.01f")),
            ),
        ],
        {"hard_inputs": ["constant", "signed_zeros"], **norm},
    )
    whole = """__device__ double parts[1024];
__global__ void add(const float* x, int n) {
    __shared__ double sums[256];
    double sum = 0;
    for (size_t i = blockIdx.x * 256 + threadIdx.x; i < n; i += 1024 * 256) sum += double(x[i]) * x[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}
__global__ void divide(const float* x, float* y, int n) {
    __shared__ float norm;
    if (threadIdx.x == 0) {
        double sum = 0;
        for (int i = 0; i < 1024; ++i) sum += parts[i];
        norm = sqrt(sum);
    }
    __syncthreads();
    for (size_t i = blockIdx.x * 256 + threadIdx.x; i < n; i += 1024 * 256) y[i] = x[i] / norm;
}
void solve(const float* x, float* y, int n) {
    add<<<1024, 256>>>(x, n);
    divide<<<1024, 256>>>(x, y, n);
}
"""
    fewer = whole.replace("1024", "128")
    yield Problem(
        37,
        {"x": "float[n]"},
        "y: float[n]",
        ["1", "33", "1000", "3001"],
        "Model()(x)",
        "n = a.numel()",
        "a.shape",
        [
            ("two_launches", True, file(whole)),
            ("fewer_blocks", True, file(fewer)),
            ("zeros", False, each("0.f")),
            ("without_root", False, file(fewer.replace("sqrt(sum)", "sum"))),
            (
                "without_a_barrier",
                False,
                file(
                    fewer.replace("    sums[threadIdx.x] = sum;\n    __syncthreads();", "    sums[threadIdx.x] = sum;")
                ),
            ),
            ("sixteenth_of_blocks", False, file(fewer.replace("i < 128; ++i", "i < 8; ++i"))),
        ],
        {"hard_inputs": ["constant", "alternating"]},
    )


# Scans ---------------------------------------------------------------------------------------------------------------
def scan(operation, identity, at="j", exclusive=False, value="in[{at}]", tail="m", carry=True, mask=""):
    value = value.format(at=at)
    parameters = f"const float* x, {mask}float* y, int n, int m"
    names = ("x, mask, " if mask else "x, ") + "y, n, m"
    rows_of_mask = "const float* kept = mask + size_t(row) * m;" if mask else ""
    put = "v" if not exclusive else "before"
    return file(f"""__global__ void scan({parameters}) {{
    const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
    if (row >= n) return;
    const float* in = x + size_t(row) * m;
    {rows_of_mask}
    float* out = y + size_t(row) * m;
    float carried = {identity};
    for (int first = 0; first < {tail}; first += 32) {{
        const int j = first + lane;
        float v = j < m ? {value} : {identity};
        for (int apart = 1; apart < 32; apart *= 2) {{
            const float behind = __shfl_up_sync(~0u, v, apart);
            if (lane >= apart) v = v {operation} behind;
        }}
        {f"v = v {operation} carried;" if carry else ""}
        float before = __shfl_up_sync(~0u, v, 1);
        if (lane == 0) before = carried;
        if (j < m) out[{at}] = {put};
        carried = __shfl_sync(~0u, v, 31);
    }}
}}
void solve({parameters}) {{ scan<<<(n + 3) / 4, dim3(32, 4)>>>({names}); }}
""")


def serial_scan(operation, identity, at="j", exclusive=False, value="in[{at}]", mask=""):
    value = value.format(at=at)
    parameters = f"const float* x, {mask}float* y, int n, int m"
    names = ("x, mask, " if mask else "x, ") + "y, n, m"
    rows_of_mask = "const float* kept = mask + size_t(row) * m;" if mask else ""
    step = (
        f"out[{at}] = sum; sum = sum {operation} {value};"
        if exclusive
        else f"sum = sum {operation} {value}; out[{at}] = sum;"
    )
    return file(f"""__global__ void scan({parameters}) {{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* in = x + size_t(row) * m;
    {rows_of_mask}
    float* out = y + size_t(row) * m;
    float sum = {identity};
    for (int j = 0; j < m; ++j) {{ {step} }}
}}
void solve({parameters}) {{ scan<<<(n + 63) / 64, 64>>>({names}); }}
""")


def scans():
    kinds = {
        89: {"operation": "+", "identity": "0.f"},
        90: {"operation": "*", "identity": "1.f"},
        91: {"operation": "+", "identity": "0.f", "at": "(m - 1 - j)"},
        92: {"operation": "+", "identity": "0.f", "exclusive": True},
        93: {"operation": "+", "identity": "0.f", "value": "in[{at}] * kept[{at}]", "mask": "const float* mask, "},
    }
    for number, kind in kinds.items():
        takes = {"x": "float[n,m]"} | ({"mask": "float[n,m]"} if number == 93 else {})
        kernels = [
            ("warp_per_row", True, scan(**kind)),
            ("thread_per_row", True, serial_scan(**kind)),
            ("whole_warps", False, scan(**kind, tail="m / 32 * 32")),
            ("forgets_what_came", False, scan(**kind, carry=False)),
        ]
        if number == 90:
            kernels.append(("zero_after_64", False, scan(**{**kind, "value": "(j < 64 ? in[{at}] : 0.f)"})))
        elif number == 93:
            kernels.append(("ignores_mask", False, scan(**{**kind, "value": "in[{at}]"})))
            kernels.append(
                (
                    "any_mask_is_one",
                    False,
                    scan(**{**kind, "value": "(kept[{at}] >= 0 ? in[{at}] * (kept[{at}] > 0) : 0.f)"}),
                )
            )
        else:
            kernels.append(("inclusive_or_not", False, scan(**{**kind, "exclusive": not kind.get("exclusive", False)})))
        more = {"tolerance": {"relative": 1e-4, "absolute": 1e-30 if number == 90 else 1e-4, "reason": "the set's"}}
        if number == 90:  # others overflow in float alone
            more["hard_inputs"] = ["constant"]
        more["random"] = {"x": "uniform(0.5, 1.4)" if number == 90 else "uniform(-1, 1)"}
        yield Problem(
            number,
            takes,
            "y: float[n,m]",
            ["1x1", "3x7", "70x33", "9x300"],
            "Model(1)(x, mask)" if number == 93 else "Model(1)(x)",
            "n, m = a.shape",
            "a.shape",
            kernels,
            more,
        )


# Over the middle of three axes ---------------------------------------------------------------------------------------
def columns(start, step, end, type="float", grid="(size_t(b) * s + 255) / 256", first="0", order="r"):
    return file(f"""__global__ void columns(const float* x, {type}* y, int b, int d, int s) {{
    const size_t at = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= size_t(b) * s) return;
    const float* in = x + at / s * d * s + at % s;
    {start}
    for (int r = {first}; r < d; ++r) {{
        const int i = {order};
        const float v = in[size_t(i) * s];
        {step}
    }}
    y[at] = {end};
}}
void solve(const float* x, {type}* y, int b, int d, int s) {{
    if ({grid} > 0) columns<<<{grid}, 256>>>(x, y, b, d, s);
}}
""")


ANY_OF_EQUAL = """def compare(found_y, x):
    if ((found_y < 0) | (found_y >= x.shape[1])).any():
        return "an index that there is not"
    return bool((x.gather(1, found_y.unsqueeze(1)).squeeze(1) == x.{}(1)).all())
"""


def reductions():
    kinds = {
        47: (("float sum = 0;", "sum += v;", "sum"), [("leaves_first", {"first": "1"})]),
        48: (("float sum = 0;", "sum += v;", "sum / d"), [("leaves_first", {"first": "1"})]),
        49: (
            ("float best = -INFINITY;", "best = fmaxf(best, v);", "best"),
            [("begins_at_zero", {"start": "float best = 0;"})],
        ),
        53: (
            ("float best = INFINITY;", "best = fminf(best, v);", "best"),
            [("begins_at_one", {"start": "float best = 1;"})],
        ),
        51: (
            (
                "float best = -INFINITY; long long which = 0;",
                "if (v > best) { best = v; which = i; }",
                "which",
                "long long",
            ),
            [
                ("begins_at_zero", {"start": "float best = 0; long long which = 0;"}),
                ("last_of_equal", {"step": "if (v >= best) { best = v; which = i; }"}),
            ],
        ),
        52: (
            (
                "float best = INFINITY; long long which = 0;",
                "if (v < best) { best = v; which = i; }",
                "which",
                "long long",
            ),
            [
                ("begins_at_one", {"start": "float best = 1; long long which = 0;"}),
                ("last_of_equal", {"step": "if (v <= best) { best = v; which = i; }"}),
            ],
        ),
    }
    for number, (kind, others) in kinds.items():
        parts = dict(zip(("start", "step", "end", "type"), kind))
        kernels = [
            ("thread_per_column", True, columns(**parts)),
            ("small_blocks", True, columns(**parts).replace("255) / 256, 256", "63) / 64, 64")),
            ("leaves_last", False, columns(**parts).replace("r < d;", "r < d - 1;")),
            ("whole_blocks", False, columns(**parts, grid="size_t(b) * s / 256")),
        ]
        if number in (47, 48, 49, 53):
            kernels.append(("backwards", True, columns(**parts, order="d - 1 - r")))
        # PyTorch does not say which of equal ones it takes.
        kernels += [(name, name == "last_of_equal", columns(**{**parts, **other})) for name, other in others]
        any_of_equal = ANY_OF_EQUAL.format("amax" if number == 51 else "amin") if number in (51, 52) else ""
        keep = number == 47
        yield Problem(
            number,
            {"x": "float[b,d,s]"},
            ("y: int64[b,s]" if number in (51, 52) else "y: float[b,s]"),
            ["1x1x1", "3x5x7", "2x40x300"],
            "Model(1)(x)" + (".reshape(b, s)" if keep else ""),
            "b, d, s = a.shape",
            "(b, 1, s)" if keep else "(b, s)",
            kernels,
            {
                "hard_inputs": ["constant", "alternating", "signed_zeros", "negative", "positive"],
                **(
                    {"tolerance": "exact"}
                    if number in (49, 51, 52, 53)
                    else {"tolerance": {"relative": 1e-4, "absolute": 1e-4, "reason": "the set's"}}
                ),
            },
            any_of_equal,
        )


# Losses: one number out ----------------------------------------------------------------------------------------------
def loss(term, scale, lengths="int n", count="size_t(n)", blocks=256, every="1", factor="1", tail=""):
    names = ", ".join(each.split()[-1] for each in lengths.split(", "))
    return file(f"""__device__ double parts[256];
__device__ float term(const float* x, const float* t, size_t i, {lengths}) {{ {term} }}
__device__ double fold(double v) {{
    __shared__ double sums[256];
    sums[threadIdx.x] = v;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {{
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }}
    return sums[0];
}}
__global__ void add(const float* x, const float* t, {lengths}) {{
    const size_t count = {count}{tail};
    double sum = 0;
    for (size_t i = (blockIdx.x * 256 + threadIdx.x) * size_t({every}); i < count; i += {blocks} * 256 * {every}) sum += term(x, t, i, {names});
    sum = fold(sum);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}}
__global__ void finish(float* y, {lengths}) {{
    const double sum = fold(threadIdx.x < {blocks} ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) y[0] = sum * {factor} / ({scale});
}}
void solve(const float* x, const float* t, float* y, {lengths}) {{
    add<<<{blocks}, 256>>>(x, t, {names});
    finish<<<1, 256>>>(y, {names});
}}
""")


def losses():
    flat = {"x": "float[n]", "t": "float[n]"}
    close = {"tolerance": {"relative": 1e-4, "absolute": 1e-6, "reason": "the set's"}}
    square = "const float d = x[i] - t[i]; return d * d;"
    yield Problem(
        94,
        flat,
        "y: float[1]",
        ["1", "33", "1000", "70001"],
        "Model()(x, t).reshape(1)",
        "n = a.numel()",
        "()",
        [
            ("blocks_and_one_more", True, loss(square, "double(n)")),
            ("fewer_blocks", True, loss(square, "double(n)", blocks=64)),
            ("every_second", False, loss(square, "double(n)", every="2", factor="2")),
            ("absolute_for_square", False, loss("return fabsf(x[i] - t[i]);", "double(n)")),
            ("whole_256", False, loss(square, "double(n)", tail=" / 256 * 256")),
            ("sum_for_mean", False, loss(square, "1")),
        ],
        close,
    )
    huber = "const float d = fabsf(x[i] - t[i]); return d < 1 ? 0.5f * d * d : d - 0.5f;"
    yield Problem(
        96,
        flat,
        "y: float[1]",
        ["1", "33", "1000", "70001"],
        "Model()(x, t).reshape(1)",
        "n = a.numel()",
        "()",
        [
            ("blocks_and_one_more", True, loss(huber, "double(n)")),
            ("fewer_blocks", True, loss(huber, "double(n)", blocks=64)),
            ("only_squares", False, loss("const float d = x[i] - t[i]; return 0.5f * d * d;", "double(n)")),
            ("every_second", False, loss(huber, "double(n)", every="2", factor="2")),
            ("whole_256", False, loss(huber, "double(n)", tail=" / 256 * 256")),
            ("without_half", False, loss(square, "double(n)")),
        ],
        {**close, "random": {"x": "uniform(-3, 3)", "t": "uniform(-3, 3)"}},
    )
    lengths = {"lengths": "int n, int m", "count": "size_t(n) * m"}
    divergence = "return t[i] > 0 ? t[i] * (logf(t[i]) - logf(x[i])) : 0.f;"
    yield Problem(
        98,
        {"x": "float[n,m]", "t": "float[n,m]"},
        "y: float[1]",
        ["1x1", "3x7", "33x70", "70x1001"],
        "Model()(x, t).reshape(1)",
        "n, m = a.shape",
        "()",
        [
            ("blocks_and_one_more", True, loss(divergence, "double(n)", **lengths)),
            ("fewer_blocks", True, loss(divergence, "double(n)", blocks=64, **lengths)),
            ("mean_of_all", False, loss(divergence, "double(n) * m", **lengths)),
            ("zero", False, loss("return 0;", "1.0", **lengths)),
            ("every_second", False, loss(divergence, "double(n)", every="2", factor="2", **lengths)),
        ],
        {
            "tolerance": {"relative": 1e-4, "absolute": 1e-5, "reason": "the set's"},
            "hard_inputs": ["constant"],
            "random": {"x": "uniform(0.05, 1)", "t": "uniform(0.05, 1)"},
        },
    )
    hinge = "return fmaxf(0.f, 1 - x[i] * t[i % m]);"
    yield Problem(
        100,
        {"x": "float[n,m]", "t": "float[m]"},
        "y: float[1]",
        ["1x1", "3x7", "33x70", "70x1001"],
        "Model()(x, t).reshape(1)",
        "n, m = a.shape",
        "()",
        [
            ("blocks_and_one_more", True, loss(hinge, "double(n) * m", **lengths)),
            ("fewer_blocks", True, loss(hinge, "double(n) * m", blocks=64, **lengths)),
            ("without_hinge", False, loss("return 1 - x[i] * t[i % m];", "double(n) * m", **lengths)),
            ("target_of_row", False, loss("return fmaxf(0.f, 1 - x[i] * t[i / m % m]);", "double(n) * m", **lengths)),
            ("whole_256", False, loss(hinge, "double(n) * m", tail=" / 256 * 256", **lengths)),
            ("wrong_sign", False, loss("return fmaxf(0.f, 1 + x[i] * t[i % m]);", "double(n) * m", **lengths)),
        ],
        {**close, "random": {"x": "uniform(-3, 3)", "t": "uniform(-1, 1)"}},
    )
    triplet = FOLD % "__syncthreads();" + """__device__ float parts[65536];
__global__ void distances(const float* x, const float* p, const float* q, int n, int m) {
    float near = 0, far = 0;
    for (int j = threadIdx.x; j < m; j += 256) {
        const size_t i = size_t(blockIdx.x) * m + j;
        const float a = x[i] - p[i] + 1e-6f, b = x[i] - q[i] + 1e-6f;
        near += a * a;
        far += b * b;
    }
    near = sqrtf(fold(near, false));
    far = sqrtf(fold(far, false));
    if (threadIdx.x == 0) parts[blockIdx.x] = fmaxf(near - far + 1, 0.f);
}
__global__ void add(float* y, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += parts[i];
    sum = fold(sum, false);
    if (threadIdx.x == 0) y[0] = sum / n;
}
void solve(const float* x, const float* p, const float* q, float* y, int n, int m) {
    distances<<<n, 256>>>(x, p, q, n, m);
    add<<<1, 256>>>(y, n);
}
"""
    yield Problem(
        99,
        {"x": "float[n,m]", "p": "float[n,m]", "q": "float[n,m]"},
        "y: float[1]",
        ["1x1", "3x7", "33x70", "9x300"],
        "Model(1.0)(x, p, q).reshape(1)",
        "n, m = a.shape",
        "()",
        [
            ("block_per_row", True, file(triplet)),
            ("two_roots", True, file(triplet.replace("near - far + 1", "1 + near - far"))),
            ("without_clamp", False, file(triplet.replace("fmaxf(near - far + 1, 0.f)", "near - far + 1"))),
            ("without_margin", False, file(triplet.replace("near - far + 1", "near - far"))),
            ("without_a_barrier", False, file(triplet.replace(FOLD % "__syncthreads();", FOLD % ""))),
            ("without_roots", False, file(triplet.replace("sqrtf", ""))),
        ],
        {**close, "random": {"x": "normal(0, 1)", "p": "normal(0, 1)", "q": "normal(0, 1)"}},
    )


# Products ------------------------------------------------------------------------------------------------------------
def product(
    a="A[size_t(i) * k + l]",
    b="B[size_t(l) * n + j]",
    lengths="int m, int k, int n",
    square=False,
    batch=False,
    keep="true",
    tail="k",
    skip="",
):
    names = ", ".join(each.split()[-1] for each in lengths.split(", "))
    outer = "int n" if square else ("int b, " + lengths if batch else lengths)
    call = "n, n, n" if square else names
    shift = (
        "A += size_t(blockIdx.z) * m * k; B += size_t(blockIdx.z) * k * n; C += size_t(blockIdx.z) * m * n;"
        if batch
        else ""
    )
    return file(f"""__global__ void multiply(const float* A, const float* B, float* C, {lengths}) {{
    {shift}
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= m || j >= n) return;
    float sum = 0;
    if ({keep})
        for (int l = 0; l < {tail}; ++l) sum += {a} * {b};
    {skip}
    C[size_t(i) * n + j] = sum;
}}
void solve(const float* A, const float* B, float* C, {outer}) {{
    multiply<<<dim3(({'n' if True else ''} + 31) / 32, ({'n' if square else 'm'} + 7) / 8{', b' if batch else ''}), dim3(32, 8)>>>(A, B, C, {call});
}}
""")


def tiled(
    a="A[size_t(i) * k + l]",
    b="B[size_t(l) * n + j]",
    lengths="int m, int k, int n",
    square=False,
    batch=False,
    keep="true",
    bounds=True,
    barrier="__syncthreads();",
):
    names = ", ".join(each.split()[-1] for each in lengths.split(", "))
    outer = "int n" if square else ("int b, " + lengths if batch else lengths)
    call = "n, n, n" if square else names
    shift = (
        "A += size_t(blockIdx.z) * m * k; B += size_t(blockIdx.z) * k * n; C += size_t(blockIdx.z) * m * n;"
        if batch
        else ""
    )
    load_a = "const int l = first + threadIdx.x; " + (
        f"as[threadIdx.y][threadIdx.x] = i < m && l < k ? {a} : 0.f;"
        if bounds
        else f"as[threadIdx.y][threadIdx.x] = {a};"
    )
    load_b = "const int l = first + threadIdx.y; " + (
        f"bs[threadIdx.y][threadIdx.x] = l < k && j < n ? {b} : 0.f;"
        if bounds
        else f"bs[threadIdx.y][threadIdx.x] = {b};"
    )
    return file(f"""__global__ void multiply(const float* A, const float* B, float* C, {lengths}) {{
    {shift}
    __shared__ float as[16][16], bs[16][17];
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < k; first += 16) {{
        {{ {load_a} }}
        {{ {load_b} }}
        __syncthreads();
        for (int l = 0; l < 16; ++l) sum += as[threadIdx.y][l] * bs[l][threadIdx.x];
        {barrier}
    }}
    {"if (i < m && j < n) " if bounds else ""}C[size_t(i) * n + j] = {keep} ? sum : 0.f;
}}
void solve(const float* A, const float* B, float* C, {outer}) {{
    multiply<<<dim3((n + 15) / 16, ({'n' if square else 'm'} + 15) / 16{', b' if batch else ''}), dim3(16, 16)>>>(A, B, C, {call});
}}
""")


def products():
    close = {
        "tolerance": {"relative": 1e-4, "absolute": 1e-4, "reason": "the set's"},
        "hard_inputs": ["constant", "alternating", "ascending"],
    }
    by_rows, by_columns = {"a": "A[size_t(l) * m + i]"}, {"b": "B[size_t(j) * k + l]"}
    layouts = {
        1: {},
        2: {},
        6: {},
        7: {},
        8: {},
        9: {},
        10: {},
        11: {},
        16: by_rows,
        17: by_columns,
        18: {**by_rows, **by_columns},
        3: {"batch": True},
    }

    def submissions(**kind):
        found = [
            ("thread_per_element", True, product(**kind)),
            ("shared_tile", True, tiled(**kind)),
            ("tile_without_bounds", False, tiled(**kind, bounds=False)),
            ("tile_without_a_barrier", False, tiled(**kind, barrier="")),
            ("whole_eights", False, product(**kind, tail="k / 8 * 8")),
        ]
        return found

    for number, layout in layouts.items():
        takes = {
            "A": "float[k,m]" if "a" in layout else "float[m,k]",
            "B": "float[n,k]" if "b" in layout else "float[k,n]",
        }
        gives, sizes, bind, shape = (
            "C: float[m,n]",
            ["1x1x1", "3x7x5", "33x40x17", "50x33x70"],
            "m, k = a.shape; n = b.shape[1]",
            "(m, n)",
        )
        call, axes = "Model()(A, B)", ["m", "k", "n"]
        kernels = submissions(**layout)
        if "a" in layout:
            bind = "k, m = a.shape; n = b.shape[1]"
        if "b" in layout:
            bind = bind.replace("b.shape[1]", "b.shape[0]")
        if number == 3:
            takes, gives, axes, sizes = (
                {"A": "float[b,m,k]", "B": "float[b,k,n]"},
                "C: float[b,m,n]",
                ["b", "m", "k", "n"],
                ["1x1x1x1", "2x3x7x5", "3x33x40x17"],
            )
            bind, shape = "b_, m, k = a.shape; n = b.shape[2]; b = b_", "(b_, m, n)"
        if number == 10:
            bind, shape, call = (
                "m = a.shape[0] * a.shape[1]; k = a.shape[2]; n = b.shape[1]",
                "(*a.shape[:2], n)",
                "Model()(A.reshape(1, m, k), B).reshape(m, n)",
            )
        if number == 11:
            # At the set's size they launch 131 072 and 65 536 blocks along y: more than a launch can have.
            kernels = [(name, False, source) for name, _, source in kernels]
            bind, shape, call = (
                "k = a.shape[-1]; m = a.numel() // k; n = b.shape[1]",
                "(*a.shape[:3], n)",
                "Model()(A.reshape(1, 1, m, k), B).reshape(m, n)",
            )
        yield Problem(number, takes, gives, sizes, call, bind, shape, kernels, {**close, "axes": axes})
    square = {"square": True}
    pair = {"A": "float[n,n]", "B": "float[n,n]"}
    kinds = {
        13: ("(v + v.T) / 2", "true", [("reads_columns", True, product(a="A[size_t(l) * k + i]", **square))], []),
        14: (
            "np.triu(v)",
            "i <= j",
            [],
            [("lower_left_as_it_was", False, product(**square, skip="if (i > j) return;"))],
        ),
        15: (
            "np.tril(v)",
            "i >= j",
            [],
            [
                ("upper_left_as_it_was", False, product(**square, skip="if (i < j) return;")),
                ("diagonal_left_out", False, product(**square, keep="i > j")),
            ],
        ),
    }
    for number, (shaped, keep, right, wrong) in kinds.items():
        inputs = f"def inputs(rng, n):\n    made = {{}}\n    for name in 'AB':\n        v = rng.uniform(-1, 1, (n, n))\n        made[name] = {shaped}\n    return made\n"
        kernels = submissions(**square, keep=keep)
        yield Problem(
            number,
            pair,
            "C: float[n,n]",
            ["1", "7", "33", "50"],
            "Model()(A, B)",
            "n = a.shape[0]",
            "(n, n)",
            kernels + right + wrong,
            {"tolerance": close["tolerance"], "hard_inputs": []},
            inputs,
        )
    vector = lambda fold, loop, launch: file(
        fold + f"""__global__ void multiply(const float* A, const float* B, float* C, int m, int k) {{
    {loop}
}}
void solve(const float* A, const float* B, float* C, int m, int k) {{ multiply<<<{launch}>>>(A, B, C, m, k); }}
"""
    )
    by_block = """float sum = 0;
    for (int j = threadIdx.x; j < k; j += 256) sum += A[size_t(blockIdx.x) * k + j] * B[j];
    sum = fold(sum, false);
    if (threadIdx.x == 0) C[blockIdx.x] = sum;"""
    by_warp = """const int row = blockIdx.x * 4 + threadIdx.y;
    if (row >= m) return;
    float sum = 0;
    for (int j = threadIdx.x; j < k; j += 32) sum += A[size_t(row) * k + j] * B[j];
    sum = fold(sum, false);
    if (threadIdx.x == 0) C[row] = sum;"""
    fold = FOLD % "__syncthreads();"
    yield Problem(
        4,
        {"A": "float[m,k]", "B": "float[k,1]"},
        "C: float[m,1]",
        ["1x1", "3x7", "33x70", "9x600"],
        "Model()(A, B)",
        "m, k = a.shape",
        "(m, 1)",
        [
            ("block_per_row", True, vector(fold, by_block, "m, 256")),
            ("warp_per_row", True, vector(WARP_FOLD, by_warp, "(m + 3) / 4, dim3(32, 4)")),
            ("whole_256", False, vector(fold, by_block.replace("j < k", "j < k / 256 * 256"), "m, 256")),
            ("without_vector", False, vector(fold, by_block.replace(" * B[j]", ""), "m, 256")),
            (
                "every_second",
                False,
                vector(fold, by_block.replace("j += 256) sum +=", "j += 512) sum += 2 *"), "m, 256"),
            ),
        ],
        {**close, "axes": ["m", "k"]},
    )
    diagonal = lambda value, grid="(n * m + 255) / 256", end="n * m": file(
        f"""__global__ void scale(const float* A, const float* B, float* C, int n, int m) {{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < {end}) C[i] = {value};
}}
void solve(const float* A, const float* B, float* C, int n, int m) {{
    if ({grid} > 0) scale<<<{grid}, 256>>>(A, B, C, n, m);
}}
"""
    )
    yield Problem(
        12,
        {"A": "float[n]", "B": "float[n,m]"},
        "C: float[n,m]",
        ["1x1", "3x7", "33x70"],
        "Model()(A, B)",
        "n, m = b.shape",
        "(n, m)",
        [
            ("thread_per_element", True, diagonal("A[i / m] * B[i]")),
            ("other_order", True, diagonal("B[i] * A[i / m]")),
            ("whole_blocks", False, diagonal("A[i / m] * B[i]", "n * m / 256")),
            ("scales_columns", False, diagonal("A[i % m % n] * B[i]")),
            ("without_diagonal", False, diagonal("B[i]")),
        ],
        {"hard_inputs": ["constant", "signed_zeros"]},
    )


# Windows -------------------------------------------------------------------------------------------------------------
def pool(axes, size, stride, padding, dilation, most, start=None, counted="all", grid="ceil"):
    count = "*".join([str(size)] * len(axes))
    out = [f"(({a} + {2 * padding} - {dilation * (size - 1) + 1}) / {stride} + 1)" for a in axes]
    lengths = "int c, " + ", ".join(f"int {a}" for a in axes)
    total = " * ".join(["size_t(c)"] + [f"o{a}" for a in axes])
    code = "    size_t rest = at;\n"
    for a in reversed(axes):
        code += f"    const int p{a} = int(rest % o{a}) * {stride} - {padding}; rest /= o{a};\n"
    loops = "".join(f"    for (int i{a} = 0, q{a} = p{a}; i{a} < {size}; ++i{a}, q{a} += {dilation})\n" for a in axes)
    inside = " && ".join(f"q{a} >= 0 && q{a} < {a}" for a in axes)
    place = "rest"
    for a in axes:
        place = f"({place} * {a} + q{a})"
    step = "v = fmaxf(v, x[%s]);" % place if most else "{ v += x[%s]; ++inside; }" % place
    start = start or ("-INFINITY" if most else "0")
    end = "v" if most else ("v / (%s)" % count if counted == "all" else "v / inside")
    blocks = f"(({total}) + 255) / 256" if grid == "ceil" else f"({total}) / 256"
    sizes = "".join(f"    const int o{a} = {o};\n" for a, o in zip(axes, out))
    return file(f"""__global__ void pool(const float* x, float* y, {lengths}) {{
{sizes}    const size_t at = size_t(blockIdx.x) * 256 + threadIdx.x;
    if (at >= {total}) return;
{code}    float v = {start};
    int inside = 0;
{loops}        if ({inside}) {step}
    y[at] = {end};
}}
void solve(const float* x, float* y, {lengths}) {{
{sizes}    const size_t blocks = {blocks};
    if (blocks > 0) pool<<<blocks, 256>>>(x, y, c, {", ".join(axes)});
}}
""")


def windows():
    kinds = {
        41: ("l", 8, 1, 4, 3, True),
        42: ("hw", 4, 1, 1, 1, True),
        43: ("dhw", 3, 2, 1, 3, True),
        44: ("l", 8, 1, 4, 1, False),
        45: ("hw", 11, 11, 0, 1, False),
        46: ("dhw", 3, 2, 1, 1, False),
    }
    sizes = {
        "l": ["1x30", "3x41", "5x300"],
        "hw": ["1x11x11", "3x25x33", "2x40x60"],
        "dhw": ["1x7x7x7", "3x9x8x12", "2x20x11x17"],
    }
    for number, (letters, size, stride, padding, dilation, most) in kinds.items():
        axes = list(letters)
        out = ",".join(f"floor(({a}+{2 * padding}-{dilation * (size - 1) + 1})/{stride})+1" for a in axes)
        same = (axes, size, stride, padding, dilation, most)
        model = f"Model({size}, {stride}, {padding}{f', {dilation}' if most else ''})"
        kernels = [
            ("thread_per_window", True, pool(*same)),
            ("small_blocks", True, pool(*same).replace("256", "64").replace("255", "63")),
            ("whole_blocks", False, pool(*same, grid="floor")),
            (
                "window_too_small",
                False,
                pool(*same).replace(f"< {size}; ++i{axes[-1]}", f"< {size - 1}; ++i{axes[-1]}"),
            ),
        ]
        kernels.append(
            ("begins_at_zero", False, pool(*same, start="0"))
            if most
            else ("divides_by_inside", padding == 0, pool(*same, counted="inside"))
        )
        n = len(axes)
        yield Problem(
            number,
            {"x": f"float[c,{','.join(axes)}]"},
            f"y: float[c,{out}]",
            sizes[letters],
            f"{model}(x.unsqueeze(0)).squeeze(0)",
            f"c = a.shape[0] * a.shape[1]; {', '.join(axes)}{',' if n == 1 else ''} = a.shape[2:]",
            "(*a.shape[:2], "
            + ", ".join(f"({a}+{2 * padding}-{dilation * (size - 1) + 1})//{stride}+1" for a in axes)
            + ")",
            kernels,
            {
                "hard_inputs": ["constant", "alternating", "ascending", "negative", "positive"],
                "tolerance": {"relative": 1e-4, "absolute": 1e-5, "reason": "the set's"},
            },
        )


def convolutions():
    def conv(lengths, total, body, grid="up"):
        names = ", ".join(each.split()[-1] for each in lengths.split(", "))
        return file(f"""__global__ void convolve(const float* x, const float* weight, float* y, {lengths}) {{
    const size_t at = size_t(blockIdx.x) * 256 + threadIdx.x;
    if (at >= {total}) return;
    float sum = 0;
{body}
    y[at] = sum;
}}
void solve(const float* x, const float* weight, float* y, {lengths}) {{
    const size_t blocks = ({total} + {255 if grid == "up" else 0}) / 256;
    if (blocks > 0) convolve<<<blocks, 256>>>(x, weight, y, {names});
}}
""")

    close = {
        "tolerance": {"relative": 1e-4, "absolute": 1e-4, "reason": "the set's"},
        "hard_inputs": ["constant", "alternating"],
    }

    def submissions(lengths, total, body, flipped):
        return [
            ("thread_per_output", True, conv(lengths, total, body)),
            ("small_blocks", True, conv(lengths, total, body).replace("256", "64").replace("255", "63")),
            ("whole_blocks", False, conv(lengths, total, body, "down")),
            ("turned_filter", False, conv(lengths, total, body.replace(*flipped))),
        ]

    one = """    const int p = at % (l - 2), to = at / (l - 2) % o;
    const size_t image = at / (l - 2) / o;
    for (int from = 0; from < i; ++from)
        for (int t = 0; t < 3; ++t) sum += x[(image * i + from) * l + p + t] * weight[(to * i + from) * 3 + t];"""
    yield Problem(
        67,
        {"x": "float[b,i,l]", "weight": "float[o,i,3]"},
        "y: float[b,o,l-2]",
        ["1x1x3x1", "2x3x17x5", "2x4x130x3"],
        "layer(Model(i, o, 3), 'conv1d', weight)(x)",
        "b_, i, l = a.shape; o = self.conv1d.weight.shape[0]; b = b_",
        "(b_, o, l - 2)",
        submissions("int b, int i, int l, int o", "size_t(b) * o * (l - 2)", one, ("* 3 + t]", "* 3 + 2 - t]")),
        {**close, "axes": ["b", "i", "l", "o"]},
        weights="self.conv1d.weight",
    )
    deep = """    const int px = at % (w - 2), py = at / (w - 2) % (h - 2);
    const size_t plane = at / (w - 2) / (h - 2);
    for (int t = 0; t < 9; ++t) sum += x[(plane * h + py + t / 3) * w + px + t % 3] * weight[plane % c * 9 + t];"""
    yield Problem(
        82,
        {"x": "float[b,c,h,w]", "weight": "float[c,1,3,3]"},
        "y: float[b,c,h-2,w-2]",
        ["1x1x3x3", "2x3x7x9", "2x4x20x31"],
        "layer(Model(c, 3), 'conv2d', weight)(x)",
        "b_, c, h, w = a.shape; b = b_",
        "(b_, c, h - 2, w - 2)",
        submissions(
            "int b, int c, int h, int w", "size_t(b) * c * (h - 2) * (w - 2)", deep, ("* 9 + t]", "* 9 + 8 - t]")
        ),
        close,
        weights="self.conv2d.weight",
    )
    point = """    const size_t p = at % s, to = at / s % o, image = at / s / o;
    for (int from = 0; from < i; ++from) sum += x[(image * i + from) * s + p] * weight[to * i + from];"""
    yield Problem(
        87,
        {"x": "float[b,i,s]", "weight": "float[o,i,1,1]"},
        "y: float[b,o,s]",
        ["1x1x1x1", "2x3x17x5", "2x4x130x3"],
        "layer(Model(i, o), 'conv1d', weight)(x.unsqueeze(-1)).squeeze(-1)",
        "b_, i = a.shape[:2]; s = a.numel() // (b_ * i); o = self.conv1d.weight.shape[0]; b = b_",
        "(b_, o, *a.shape[2:])",
        submissions(
            "int b, int i, int s, int o",
            "size_t(b) * o * s",
            point,
            ("weight[to * i + from]", "weight[to * i + i - 1 - from]"),
        ),
        {**close, "axes": ["b", "i", "s", "o"]},
        weights="self.conv1d.weight",
    )


def attention():
    code = (
        FOLD % "__syncthreads();"
        + """__global__ void attend(const float* Q, const float* K, const float* V, float* y, int r, int n, int d) {
    __shared__ float shares[1024];
    const size_t head = blockIdx.x / n;
    const float* query = Q + size_t(blockIdx.x) * d;
    const int lane = threadIdx.x % 32;
    for (int j = threadIdx.x / 32; j < n; j += 8) {
        float dot = 0;
        for (int i = lane; i < d; i += 32) dot += query[i] * K[(head * n + j) * d + i];
        for (int apart = 16; apart > 0; apart /= 2) dot += __shfl_xor_sync(~0u, dot, apart);
        if (lane == 0) shares[j] = dot * rsqrtf(d);
    }
    __syncthreads();
    float top = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < n; j += 256) top = fmaxf(top, shares[j]);
    top = fold(top, true);
    for (int j = threadIdx.x; j < n; j += 256) sum += shares[j] = expf(shares[j] - top);
    sum = fold(sum, false);
    __syncthreads();
    for (int i = threadIdx.x; i < d; i += 256) {
        float mixed = 0;
        for (int j = 0; j < n; ++j) mixed += shares[j] * V[(head * n + j) * d + i];
        y[size_t(blockIdx.x) * d + i] = mixed / sum;
    }
}
void solve(const float* Q, const float* K, const float* V, float* y, int r, int n, int d) { attend<<<r * n, 256>>>(Q, K, V, y, r, n, d); }
"""
    )
    yield Problem(
        97,
        {"Q": "float[r,n,d]", "K": "float[r,n,d]", "V": "float[r,n,d]"},
        "y: float[r,n,d]",
        ["1x1x1", "2x7x5", "2x33x40"],
        "Model()(Q, K, V)",
        "n, d = a.shape[2:]; r = a.shape[0] * a.shape[1]",
        "a.shape",
        [
            ("block_per_query", True, file(code)),
            (
                "without_a_barrier",
                False,
                file(code.replace("    }\n    __syncthreads();\n    float top", "    }\n    float top")),
            ),
            ("without_maximum", False, file(code.replace("top = fold(top, true);", "top = 0;"))),
            ("without_scale", False, file(code.replace("dot * rsqrtf(d)", "dot"))),
        ],
        {
            "random": {"Q": "normal(0, 6)", "K": "normal(0, 6)"},
            "tolerance": {"relative": 1e-3, "absolute": 1e-4, "reason": "differences of scores of some hundred"},
        },
    )


def problems():
    """All of them, by number."""
    found = [
        p
        for group in (maps, row_problems, scans, reductions, losses, products, windows, convolutions, attention)
        for p in group()
    ]
    return sorted(found, key=lambda p: p.number)
