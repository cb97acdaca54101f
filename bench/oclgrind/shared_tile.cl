// The OpenCL counterpart of matmul/shared_tile: the same 32 × 32 tiles, bounds checks, barriers and index widths, so that
// an interpreter of OpenCL and the simt device are given the same work.
#define TILE 32

int at(global const int* matrix, long rows, long cols, long row, long col) {
    return row < rows && col < cols ? matrix[row * cols + col] : 0;
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void shared_tile(global const int* a, global const int* b,
                                                                             global int* c, long m, long n, long k) {
    local int a_tile[TILE][TILE], b_tile[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const long row = (long)get_group_id(1) * TILE + y, col = (long)get_group_id(0) * TILE + x;
    uint sum = 0;  // wraps around
    for (long first = 0; first < n; first += TILE) {
        a_tile[y][x] = at(a, m, n, row, first + x);
        b_tile[y][x] = at(b, n, k, first + y, col);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; ++i) sum += (uint)a_tile[y][i] * (uint)b_tile[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && col < k) c[row * k + col] = (int)sum;
}
