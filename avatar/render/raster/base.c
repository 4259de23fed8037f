// What every processor can.
#define NAME(x) x##_base
#include "triangle.h"
