// Times the OpenCL matrix product on whatever OpenCL device it is given: under `oclgrind`, Oclgrind's. Writes one JSON
// object. A result that differs from a serial product is an error, and no time is shown.
// Usage: matmul KERNEL.cl SIZE REPEATS
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kTile = 32;
using Matrix = std::vector<std::int32_t>;

void check(cl_int code, const char* call) {
    if (code != CL_SUCCESS)
        throw std::runtime_error(std::string(call) + " failed with OpenCL error " + std::to_string(code));
}

std::string read_text(const char* path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(std::string("cannot read ") + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

cl_device_id first_device() {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    cl_device_id device = nullptr;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    return device;
}

std::string fact(cl_device_id device, cl_device_info what) {
    std::array<char, 256> text{};
    check(clGetDeviceInfo(device, what, text.size() - 1, text.data(), nullptr), "clGetDeviceInfo");
    return text.data();
}

// The matrices in device memory and the kernel that multiplies them. The process's end releases them.
class Product {
public:
    Product(cl_device_id device, const std::string& source, std::size_t size, const Matrix& a, const Matrix& b)
        : size_(size) {
        cl_int code = CL_SUCCESS;
        const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
        check(code, "clCreateContext");
        queue_ = clCreateCommandQueue(context, device, 0, &code);
        check(code, "clCreateCommandQueue");
        const char* text = source.c_str();
        const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
        check(code, "clCreateProgramWithSource");
        check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
        kernel_ = clCreateKernel(program, "shared_tile", &code);
        check(code, "clCreateKernel");
        const std::array arrays{upload(context, a), upload(context, b), upload(context, Matrix(size * size, -1))};
        for (cl_uint i = 0; i < arrays.size(); ++i)
            check(clSetKernelArg(kernel_, i, sizeof(cl_mem), &arrays[i]), "clSetKernelArg");
        const cl_long extent = static_cast<cl_long>(size);
        for (cl_uint i = 3; i < 6; ++i) check(clSetKernelArg(kernel_, i, sizeof extent, &extent), "clSetKernelArg");
        c_ = arrays[2];
    }

    void run() {
        const std::array global{(size_ + kTile - 1) / kTile * kTile, (size_ + kTile - 1) / kTile * kTile};
        const std::array local{kTile, kTile};
        check(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, global.data(), local.data(), 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue_), "clFinish");
    }

    Matrix result() {
        Matrix c(size_ * size_);
        check(clEnqueueReadBuffer(queue_, c_, CL_TRUE, 0, c.size() * sizeof c[0], c.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        return c;
    }

private:
    static cl_mem upload(cl_context context, const Matrix& host) {
        cl_int code = CL_SUCCESS;
        const cl_mem memory =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, host.size() * sizeof host[0],
                           const_cast<std::int32_t*>(host.data()), &code);
        check(code, "clCreateBuffer");
        return memory;
    }

    std::size_t size_;
    cl_command_queue queue_ = nullptr;
    cl_kernel kernel_ = nullptr;
    cl_mem c_ = nullptr;
};

Matrix random_matrix(std::size_t size, std::uint32_t seed) {
    std::mt19937 draw(seed);
    Matrix matrix(size * size);
    for (auto& element : matrix) element = static_cast<std::int32_t>(draw());
    return matrix;
}

Matrix serial_product(const Matrix& a, const Matrix& b, std::size_t size) {
    Matrix c(size * size);
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t col = 0; col < size; ++col) {
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < size; ++i)
                sum += static_cast<std::uint32_t>(a[row * size + i]) * static_cast<std::uint32_t>(b[i * size + col]);
            c[row * size + col] = static_cast<std::int32_t>(sum);
        }
    return c;
}

std::vector<double> seconds_of_runs(Product& product, int repeats) {
    std::vector<double> seconds;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        product.run();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds;
}

void time_product(const char* kernel_file, std::size_t size, int repeats) {
    const cl_device_id device = first_device();
    const Matrix a = random_matrix(size, 1), b = random_matrix(size, 2);
    Product product(device, read_text(kernel_file), size, a, b);
    const std::vector<double> seconds = seconds_of_runs(product, repeats);
    if (product.result() != serial_product(a, b, size)) throw std::runtime_error("the product is wrong");
    std::printf("{\"device\": \"%s\", \"driver\": \"%s\", \"samples_s\": [", fact(device, CL_DEVICE_NAME).c_str(),
                fact(device, CL_DRIVER_VERSION).c_str());
    for (std::size_t i = 0; i < seconds.size(); ++i) std::printf("%s%.6f", i ? ", " : "", seconds[i]);
    std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
    const long size = argc == 4 ? std::strtol(argv[2], nullptr, 10) : 0;
    const long repeats = argc == 4 ? std::strtol(argv[3], nullptr, 10) : 0;
    if (size < 1 || repeats < 1) {
        std::fprintf(stderr, "usage: matmul KERNEL.cl SIZE REPEATS (both from 1 on)\n");
        return 2;
    }
    try {
        time_product(argv[1], static_cast<std::size_t>(size), static_cast<int>(repeats));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "matmul: %s\n", error.what());
        return 1;
    }
}
