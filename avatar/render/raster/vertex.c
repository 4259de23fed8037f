#include "raster.h"
#include <math.h>
#include <string.h>

static inline float clamp01(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static float encode(float lin) {
	float x = sqrtf(clamp01(lin));
	if (x <= 0.0559f) return 12.92f * x * x;
	return ((0.21684095f * x - 0.54036186f) * x + 1.35735834f) * x - 0.03194499f;
}

// raster_colors fills in what of a vertex changes with its material only.
void raster_colors(rvertex *v, const rfixed *f, int n, const rmaterial *m, uint32_t fl) {
	float sn = sinf(m->anim[2]), cs = cosf(m->anim[2]);
	for (int i = 0; i < n; i++) {
		float *o = v[i].v;
		for (int k = 0; k < 3; k++) {
			float l = f[i].lit[k] / 255.0f, s = f[i].shade[k] / 255.0f;
			l *= l;
			s *= s;
			if (!(fl & F_COLOR)) l *= m->color[k];
			s *= m->shade[k];
			if (fl & F_SHOWN) l = encode(l), s = encode(s);
			o[V_LIT + k] = l;
			o[V_SHADE + k] = s;
		}
		o[V_ALPHA] = f[i].lit[3] / 255.0f;
		float x = f[i].uv[0], y = f[i].uv[1];
		if (fl & F_UV_MOVE) {
			x += m->anim[0] - 0.5f;
			y += m->anim[1] - 0.5f;
			float a = cs * x + sn * y + 0.5f, b = -sn * x + cs * y + 0.5f;
			const float *c = m->uv[0];
			x = c[0] * a + c[2] * b + m->uv[1][0];
			y = c[1] * a + c[3] * b + m->uv[1][1];
		}
		o[V_UV] = x;
		o[V_UV + 1] = y;
	}
}

static inline float dot3(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void unit3(float *o, const float *a) {
	float d = dot3(a, a), s = d > 0 ? 1 / sqrtf(d) : 0;
	o[0] = a[0] * s;
	o[1] = a[1] * s;
	o[2] = a[2] * s;
}

static float rim_at(const float *n, const float *v, const rmaterial *m) {
	return powf(clamp01(1 - dot3(n, v) + m->rim[3]), m->outline[0]);
}

static void ball_at(float *o, const float *n, const float *v) {
	float x[3] = {v[2], 0, -v[0]}, y[3];
	unit3(x, x);
	y[0] = v[1] * x[2] - v[2] * x[1];
	y[1] = v[2] * x[0] - v[0] * x[2];
	y[2] = v[0] * x[1] - v[1] * x[0];
	o[0] = dot3(x, n) * 0.495f + 0.5f;
	o[1] = -dot3(y, n) * 0.495f + 0.5f;
}

// line_color is the light on an outline, found at its vertices.
static void line_color(float *o, const rfixed *f, const float *n, const float *back, const rmaterial *m, const rview *u, uint32_t fl) {
	float t = clamp01(dot3(n, u->light) * m->toon[0] + m->shade[3] + f->lit[3] / 255.0f * m->toon[1]);
	float r = fl & F_RIM ? rim_at(n, back, m) : 0;
	for (int k = 0; k < 3; k++) {
		float l = f->lit[k] / 255.0f, s = f->shade[k] / 255.0f;
		l = l * l * m->color[k];
		s = s * s * m->shade[k];
		float c = s + (l - s) * t;
		if (fl & F_RIM) c += m->rim[k] * r;
		if (fl & F_EMISSIVE) c += m->emissive[k];
		o[k] = encode(m->line[k] * (1 + (c - 1) * m->outline[3]));
	}
}

// final_color is a vertex's colour as it is shown.
static void final_color(float *o, const rmaterial *m, uint32_t fl) {
	float t = clamp01(o[V_TONE]);
	for (int k = 0; k < 3; k++) {
		float c = o[V_SHADE + k] + (o[V_LIT + k] - o[V_SHADE + k]) * t;
		if (fl & F_RIM) c += m->rim[k] * o[V_RIM];
		o[V_FINAL + k] = encode(c);
	}
}

// raster_vertices places vertices on a page of w by h pixels and finds their light. box grows round them.
void raster_vertices(rvertex *v, const float *skinned, const rfixed *f, int n, const rmaterial *m, const rview *u, uint32_t fl, float w, float h, float *box) {
	float world = fmaxf(m->outline[1], m->outline[2] * u->misc[0]), screen = fmaxf(2 * m->outline[1], m->outline[2] * u->misc[3]);
	int light = !(fl & (F_UNLIT | F_OUTLINE));
	float x0 = box[0], y0 = box[1], x1 = box[2], y1 = box[3];
	for (int i = 0; i < n; i++, skinned += 6) {
		rvertex *o = &v[i];
		float nn[3], p[3] = {skinned[0], skinned[1], skinned[2]};
		unit3(nn, skinned + 3);
		float wide = f[i].shade[3] / 255.0f;
		if ((fl & (F_OUTLINE | F_SCREEN)) == F_OUTLINE)
			for (int k = 0; k < 3; k++) p[k] += nn[k] * (world * wide);
		float q[3] = {p[0] - u->eye[0], p[1] - u->eye[1], p[2] - u->eye[2]};
		float cx = u->proj[0] * q[0], cy = u->proj[1] * q[1], cz = u->proj[3] - u->proj[2] * q[2], cw = -q[2];
		if ((fl & (F_OUTLINE | F_SCREEN)) == (F_OUTLINE | F_SCREEN)) {
			float ax = skinned[3] + 1e-9f, ay = skinned[4], s = screen * wide * cw / sqrtf(ax * ax + ay * ay);
			cx += ax * u->misc[1] * s;
			cy += ay * s;
		}
		float inv = cw > 1e-6f ? 1 / cw : 0;
		o->w = cw;
		o->z = cz * inv;
		o->x = (cx * inv * 0.5f + 0.5f) * w;
		o->y = (0.5f - cy * inv * 0.5f) * h;
		if (o->x < x0) x0 = o->x;
		if (o->x > x1) x1 = o->x;
		if (o->y < y0) y0 = o->y;
		if (o->y > y1) y1 = o->y;
		float back[3];
		if (fl & (F_RIM | F_MATCAP)) {
			float b[3] = {-q[0], -q[1], -q[2]};
			unit3(back, b);
		}
		if ((fl & F_OUTLINE) && !(fl & F_FLAT)) line_color(o->v, &f[i], nn, back, m, u, fl);
		if (!light) continue;
		float offset = m->shade[3];
		if (fl & F_BAKED) offset += f[i].lit[3] / 255.0f * m->toon[1];
		if (fl & F_VERTEX_LIT) {
			o->v[V_TONE] = dot3(nn, u->light) * m->toon[0] + (fl & F_DOUBLE ? 0 : offset);
			o->v[V_OFFSET] = offset;
			if (fl & F_RIM) o->v[V_RIM] = rim_at(nn, back, m);
			if (fl & F_MATCAP) ball_at(o->v + V_BALL, nn, back);
			if ((fl & ~F_RIM) == (F_BAKED | F_VERTEX_LIT)) final_color(o->v, m, fl);
		} else {
			o->v[V_TONE] = offset;
			memcpy(o->v + V_NORMAL, skinned + 3, 12);
			memcpy(o->v + V_PLACE, p, 12);
		}
	}
	box[0] = x0;
	box[1] = y0;
	box[2] = x1;
	box[3] = y1;
}

void raster_clear(uint32_t *color, float *depth, int stride, int x0, int y0, int x1, int y1) {
	for (int y = y0; y < y1; y++) {
		if (color) memset(color + (long)y * stride + x0, 0, 4 * (size_t)(x1 - x0));
		if (depth)
			for (int x = x0; x < x1; x++) depth[(long)y * stride + x] = 2;
	}
}

// raster_halve averages two by two pixels of from into the pixels x0 <= x < x1, y0 <= y < y1 of to.
void raster_halve(uint32_t *to, int to_stride, const uint32_t *from, int from_stride, int x0, int y0, int x1, int y1) {
	for (int y = y0; y < y1; y++) {
		const uint32_t *a = from + (long)2 * y * from_stride, *b = a + from_stride;
		uint32_t *o = to + (long)y * to_stride;
		for (int x = x0; x < x1; x++) {
			uint32_t p = a[2 * x], q = a[2 * x + 1], r = b[2 * x], s = b[2 * x + 1];
			const uint32_t k = 0x00FF00FF;
			uint32_t even = (p & k) + (q & k) + (r & k) + (s & k) + 0x00020002;
			uint32_t odd = (p >> 8 & k) + (q >> 8 & k) + (r >> 8 & k) + (s >> 8 & k) + 0x00020002;
			o[x] = (even >> 2 & k) | (odd >> 2 & k) << 8;
		}
	}
}

static void draw(const rjob *j) {
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		raster_draw_wide(j);
		return;
	}
#endif
	raster_draw_base(j);
}

void raster_run(rjob *j, const uint32_t *index, const rmaterial *m, const rview *u) {
	j->index = index;
	j->material = m;
	j->view = u;
	draw(j);
	j->index = 0;
	j->material = 0;
	j->view = 0;
}
