// The same for processors with AVX2; draw asks first.
#if defined(__x86_64__)
#pragma GCC target("avx2")
#define NAME(x) x##_wide
#define WIDE 1
#include "triangle.h"
#endif
