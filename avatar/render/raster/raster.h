// The processor draws triangles: what avatar/render's shaders say (gl_source.go), eight pixels at a time. Rows run
// top down, unlike GL's. Nothing here allocates, keeps state, or knows of threads.
#ifndef YUI_RASTER_H
#define YUI_RASTER_H
#include <stdint.h>
#include "material.h"

// Roots of negative numbers do not occur, and nobody reads errno. Contracted products would differ between two passes.
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")

// What is at a vertex: place on the screen, then what is carried over the triangle.
enum { V_LIT = 0, V_TONE = 3, V_SHADE = 4, V_RIM = 7, V_UV = 8, V_OFFSET = 10, V_ALPHA = 11, V_BALL = 12, V_NORMAL = 14, V_PLACE = 17, V_FINAL = 14 };
typedef struct { float x, y, z, w, v[20]; } rvertex;

// fixedVertex of avatar/render.
typedef struct { float uv[2]; uint8_t lit[4], shade[4]; } rfixed;

// The blocks Material and Frame of gl_source.go.
typedef struct { float color[4], shade[4], toon[4], emissive[4], matcap[4], rim[4], outline[4], line[4], anim[4], uv[2 * UNIT_COUNT][4]; } rmaterial;
typedef struct { float eye[4], proj[4], light[4], misc[4]; } rview;

typedef struct { int w, h; const uint8_t *pix; } rlevel;
typedef struct { int levels, wrap_s, wrap_t, nearest; rlevel level[15]; } rtexture;

// A page to draw on. The clip is x0 <= x < x1, y0 <= y < y1. Rows have 8 pixels to spare at their end.
typedef struct {
	uint32_t *color; float *depth; int stride, x0, y0, x1, y1;
	int red, blue; // how far red and blue are shifted in a pixel
} rpage;

typedef struct {
	rpage *page; const rvertex *vertex; const uint32_t *index; int count;
	const rmaterial *material; const rview *view; const rtexture *texture[UNIT_COUNT];
	uint32_t features; int cull, front, depth_write, blend; // cull: 0 none, 1 back, 2 front faces; front: 1 counterclockwise
} rjob;

void raster_colors(rvertex *v, const rfixed *f, int n, const rmaterial *m, uint32_t fl);
void raster_vertices(rvertex *v, const float *skinned, const rfixed *f, int n, const rmaterial *m, const rview *u, uint32_t fl, float w, float h, float *box);
// raster_run is raster_draw with pointers that belong to the caller: none of them is kept.
void raster_run(rjob *j, const uint32_t *index, const rmaterial *m, const rview *u);
void raster_clear(uint32_t *color, float *depth, int stride, int x0, int y0, int x1, int y1);
void raster_halve(uint32_t *to, int to_stride, const uint32_t *from, int from_stride, int x0, int y0, int x1, int y1);

void raster_draw_base(const rjob *j);
void raster_draw_wide(const rjob *j);
#endif
