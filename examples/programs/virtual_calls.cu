// Objects that a kernel makes and another one calls through their base class.
#include <cstdio>

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    __device__ explicit Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
    float side;
};
struct Circle : Shape {
    __device__ explicit Circle(float radius) : radius(radius) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
    float radius;
};

__global__ void make(Shape** shapes) {
    const int i = threadIdx.x;
    shapes[i] = i % 2 ? static_cast<Shape*>(new Circle(i)) : new Square(i);
}
__global__ void measure(Shape* const* shapes, float* areas) { areas[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void destroy(Shape** shapes) { delete shapes[threadIdx.x]; }

int main() {
    const int n = 5;
    Shape** shapes;
    float* areas;
    cudaMalloc(&shapes, n * sizeof(Shape*));
    cudaMallocManaged(&areas, n * sizeof(float));
    make<<<1, n>>>(shapes);
    measure<<<1, n>>>(shapes, areas);
    destroy<<<1, n>>>(shapes);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) printf("%g\n", areas[i]);
    cudaFree(shapes);
}
