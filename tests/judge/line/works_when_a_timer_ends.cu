// expect: forbidden_call
// A signal's handler launches the kernel when launch() has returned and the clock has stopped.
#include <signal.h>
#include <time.h>

__global__ void line(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i] + 1;
}
static const float* later_x;
static float* later_y;
static int later_n;
static cudaStream_t later_stream;
static void later(int) { line<<<(later_n + 127) / 128, 128, 0, later_stream>>>(later_x, later_y, later_n); }
void launch(const float* x, float* y, int n, cudaStream_t stream) {
    later_x = x;
    later_y = y;
    later_n = n;
    later_stream = stream;
    static timer_t timer;
    static bool made = false;
    if (!made) {
        made = true;
        signal(SIGUSR1, later);
        sigevent event{};
        event.sigev_notify = SIGEV_SIGNAL;
        event.sigev_signo = SIGUSR1;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
    }
    itimerspec when{};
    when.it_value.tv_nsec = 2000;
    timer_settime(timer, 0, &when, nullptr);
}
