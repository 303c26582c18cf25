// Answers the calls that torch makes to CUDA while it works on tensors without content: one device, and nothing to do.
// Preloaded for trace.py only. As `libcudart`'s functions answer 0 for success, so do these.

typedef void *stream;

int cudaGetDeviceCount(int *count) { *count = 1; return 0; }
int cudaGetDevice(int *device) { *device = 0; return 0; }
int cudaSetDevice(int device) { (void)device; return 0; }
int cudaGetLastError(void) { return 0; }
int cudaPeekAtLastError(void) { return 0; }
int cudaDriverGetVersion(int *version) { *version = 13020; return 0; }
int cudaRuntimeGetVersion(int *version) { *version = 13020; return 0; }
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { *least = *greatest = 0; return 0; }
int cudaStreamCreateWithPriority(stream *created, unsigned flags, int priority) {
    (void)flags; (void)priority; *created = (stream)1; return 0;
}
int cudaStreamIsCapturing(stream of, int *status) { (void)of; *status = 0; return 0; }
int cudaStreamSynchronize(stream of) { (void)of; return 0; }
int cudaStreamQuery(stream of) { (void)of; return 0; }
int cudaStreamWaitEvent(stream of, void *event, unsigned flags) { (void)of; (void)event; (void)flags; return 0; }
int cudaEventCreateWithFlags(void **created, unsigned flags) { (void)flags; *created = (void *)1; return 0; }
int cudaEventRecord(void *event, stream of) { (void)event; (void)of; return 0; }
int cudaEventRecordWithFlags(void *event, stream of, unsigned flags) { (void)event; (void)of; (void)flags; return 0; }
int cudaEventQuery(void *event) { (void)event; return 0; }
int cudaEventSynchronize(void *event) { (void)event; return 0; }
int cudaEventDestroy(void *event) { (void)event; return 0; }
int cudaDeviceSynchronize(void) { return 0; }
// Compute capability 8.1, and 1 for everything else that is asked.
int cudaDeviceGetAttribute(int *value, int attribute, int device) { (void)device; *value = attribute == 75 ? 8 : 1; return 0; }

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { (void)device; *flags = 0; *active = 0; return 0; }
int cuCtxGetCurrent(void **context) { *context = 0; return 0; }
int cuCtxSetCurrent(void *context) { (void)context; return 0; }
int cuGetErrorString(int error, const char **text) { (void)error; *text = "none"; return 0; }
int cuInit(unsigned flags) { (void)flags; return 0; }
int cuDriverGetVersion(int *version) { *version = 13020; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
