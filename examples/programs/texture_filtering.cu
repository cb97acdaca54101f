// A 2-D texture: points and interpolation, clamped, wrapped and mirrored, bytes as numbers from 0 to 1.
#include <cstdio>
#include <cstring>

__global__ void sample(cudaTextureObject_t texture, const float2* at, float* out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, bool linear, bool normalized,
                                      bool bytes) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    description.addressMode[0] = description.addressMode[1] = mode;
    description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    description.readMode = bytes ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    description.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

int main() {
    const int width = 4, height = 2;
    const float texels[width * height] = {0, 1, 2, 3, 10, 11, 12, 13};
    const unsigned char bytes[width * height] = {0, 51, 102, 255, 0, 0, 0, 0};
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    const cudaChannelFormatDesc chars = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array, byte_array;
    cudaMallocArray(&array, &floats, width, height);
    cudaMallocArray(&byte_array, &chars, width, height);
    cudaMemcpy2DToArray(array, 0, 0, texels, width * sizeof(float), width * sizeof(float), height,
                        cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(byte_array, 0, 0, bytes, width, width, height, cudaMemcpyHostToDevice);

    float2* at;
    float* out;
    cudaMallocManaged(&at, 4 * sizeof(float2));
    cudaMallocManaged(&out, 4 * sizeof(float));
    const auto show = [&](const char* what, cudaTextureObject_t texture, float2 a, float2 b, float2 c, float2 d) {
        at[0] = a, at[1] = b, at[2] = c, at[3] = d;
        sample<<<1, 4>>>(texture, at, out, 4);
        cudaDeviceSynchronize();
        printf("%s: %g %g %g %g\n", what, out[0], out[1], out[2], out[3]);
        cudaDestroyTextureObject(texture);
    };
    show("points", texture_of(array, cudaAddressModeClamp, false, false, false), {0.5f, 0.5f}, {3.9f, 1.2f}, {-7, 0},
         {9, 9});
    show("interpolated", texture_of(array, cudaAddressModeClamp, true, false, false), {1, 0.5f}, {1.25f, 1},
         {0.25f, 0.5f}, {2.5f, 1.5f});
    show("wrapped", texture_of(array, cudaAddressModeWrap, false, true, false), {1.125f, 0.25f}, {-0.125f, 0.25f},
         {2.375f, 0.75f}, {0.625f, 1.25f});
    show("mirrored", texture_of(array, cudaAddressModeMirror, false, true, false), {1.125f, 0.25f}, {-0.125f, 0.25f},
         {2.375f, 0.75f}, {0.625f, 1.25f});
    show("border", texture_of(array, cudaAddressModeBorder, false, false, false), {-0.5f, 0.5f}, {3.5f, 0.5f},
         {4.5f, 0.5f}, {0.5f, 1.5f});
    show("bytes", texture_of(byte_array, cudaAddressModeClamp, false, false, true), {0.5f, 0.5f}, {1.5f, 0.5f},
         {2.5f, 0.5f}, {3.5f, 0.5f});
}
