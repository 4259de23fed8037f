package render

/*
#include <malloc.h>
// Software GL allocates and frees some hundred kilobytes in each frame at the top of the heap. By default glibc gives
// them back to the system and faults them in again: a tenth of a frame's time (seen with Mesa 22.3, llvmpipe).
static void keepHeap(void) {
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
	mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}
*/
import "C"

// keepHeap lets the C heap keep a few megabytes between frames. For the whole process.
func keepHeap() { C.keepHeap() }
