// Layers of an array, faces of a cube and a volume through textures.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void layers(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, threadIdx.x);
}
__global__ void faces(cudaTextureObject_t texture, float* out) {
    const float3 direction[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const float3 d = direction[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(texture, d.x, d.y, d.z);
}
__global__ void between(cudaTextureObject_t texture, float* out) { *out = tex3D<float>(texture, 1.0f, 1.0f, 1.0f); }

static cudaTextureObject_t made(const std::vector<float>& texels, cudaExtent extent, unsigned flags, bool linear,
                                size_t slices) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &format, extent, flags);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels.data()), extent.width * sizeof(float), extent.width,
                                      extent.height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, extent.height, slices);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    description.normalizedCoords = (flags & cudaArrayCubemap) != 0;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

int main() {
    float* out;
    cudaMallocManaged(&out, 6 * sizeof(float));
    std::vector<float> texels(24);
    for (int i = 0; i < 24; ++i) texels[i] = i;
    layers<<<1, 3>>>(made(texels, make_cudaExtent(4, 2, 3), cudaArrayLayered, false, 3), out);
    cudaDeviceSynchronize();
    printf("layers %g %g %g\n", out[0], out[1], out[2]);
    for (int i = 0; i < 24; ++i) texels[i] = i / 4;
    faces<<<1, 6>>>(made(texels, make_cudaExtent(2, 2, 6), cudaArrayCubemap, false, 6), out);
    cudaDeviceSynchronize();
    printf("faces %g %g %g %g %g %g\n", out[0], out[1], out[2], out[3], out[4], out[5]);
    for (int i = 0; i < 24; ++i) texels[i] = i;
    between<<<1, 1>>>(made(texels, make_cudaExtent(2, 2, 2), 0, true, 2), out);
    cudaDeviceSynchronize();
    printf("between %g\n", out[0]);
}
