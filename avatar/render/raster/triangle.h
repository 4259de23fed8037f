// Included by base.c and wide.c, which differ in the instructions that the compiler may use.
#include "raster.h"
#include <math.h>
#include <string.h>
#ifdef WIDE
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define N 8
typedef float F __attribute__((vector_size(4 * N)));
typedef int32_t I __attribute__((vector_size(4 * N)));
typedef float F4 __attribute__((vector_size(16)));
typedef float Fu __attribute__((vector_size(4 * N), aligned(4)));
typedef int32_t Iu __attribute__((vector_size(4 * N), aligned(4)));

INLINE F all(float x) { return (F){x, x, x, x, x, x, x, x}; }
INLINE F pick(I m, F a, F b) { return (F)((m & (I)a) | (~m & (I)b)); }
INLINE int any(I m) {
#ifdef WIDE
	return _mm256_movemask_ps((__m256)m) != 0;
#else
	return (m[0] | m[1] | m[2] | m[3] | m[4] | m[5] | m[6] | m[7]) != 0;
#endif
}
INLINE F least(F a, F b) {
#ifdef WIDE
	return (F)_mm256_min_ps((__m256)a, (__m256)b);
#else
	return pick(a < b, a, b);
#endif
}
INLINE F most(F a, F b) {
#ifdef WIDE
	return (F)_mm256_max_ps((__m256)a, (__m256)b);
#else
	return pick(a > b, a, b);
#endif
}
INLINE F unit(F x) { return least(most(x, all(0)), all(1)); }
INLINE F root(F x) {
#ifdef WIDE
	return (F)_mm256_sqrt_ps((__m256)x);
#else
	for (int i = 0; i < N; i++) x[i] = sqrtf(x[i]);
	return x;
#endif
}
INLINE I whole(F x) {
#ifdef WIDE
	return (I)_mm256_cvttps_epi32((__m256)x);
#else
	return __builtin_convertvector(x, I);
#endif
}

INLINE F encode(F lin) {
	F x = root(unit(lin));
	F y = ((all(0.21684095f) * x - all(0.54036186f)) * x + all(1.35735834f)) * x - all(0.03194499f);
	return pick(x > all(0.0559f), y, all(12.92f) * x * x);
}

typedef struct { F r, g, b, a; } color;

static int wrapped(int i, int n, int mode) {
	if (mode == 0x812F) return i < 0 ? 0 : i >= n ? n - 1 : i; // CLAMP_TO_EDGE
	if (mode == 0x8370) {                                      // MIRRORED_REPEAT
		i = (i % (2 * n) + 2 * n) % (2 * n);
		return i < n ? i : 2 * n - 1 - i;
	}
	return (i % n + n) % n;
}

INLINE F4 texel(const rlevel *l, int x, int y) {
	const uint8_t *p = l->pix + 4 * ((long)y * l->w + x);
	return (F4){p[0], p[1], p[2], p[3]};
}

#ifdef WIDE
// gathered is sample for pixels that all lie inside the picture, with no wrapping; otherwise it returns 0.
static int NAME(gathered)(const rlevel *l, F u, F v, I mask, color *o) {
	F x = u * all(l->w) - all(0.5f), y = v * all(l->h) - all(0.5f);
	I in = (x >= all(0)) & (y >= all(0)) & (x < all(l->w - 1)) & (y < all(l->h - 1));
	if (any(mask & ~in)) return 0;
	I xi = whole(x), yi = whole(y), at = (yi * l->w + xi) & mask & in; // pixels outside the mask read the first texel
	F fx = x - __builtin_convertvector(xi, F), fy = y - __builtin_convertvector(yi, F);
	const int *p = (const int *)l->pix;
	I a = (I)_mm256_i32gather_epi32(p, (__m256i)at, 4), b = (I)_mm256_i32gather_epi32(p + 1, (__m256i)at, 4);
	I c = (I)_mm256_i32gather_epi32(p + l->w, (__m256i)at, 4), d = (I)_mm256_i32gather_epi32(p + l->w + 1, (__m256i)at, 4);
	F r[4];
	for (int k = 0; k < 4; k++) {
		F q = __builtin_convertvector(a >> 8 * k & 255, F), s = __builtin_convertvector(c >> 8 * k & 255, F);
		q += (__builtin_convertvector(b >> 8 * k & 255, F) - q) * fx;
		s += (__builtin_convertvector(d >> 8 * k & 255, F) - s) * fx;
		r[k] = (q + (s - q) * fy) * all(1 / 255.0f);
	}
	*o = (color){r[0], r[1], r[2], r[3]};
	return 1;
}
#endif

// sample reads a texture at the pixels of a mask.
static color NAME(sample)(const rtexture *t, int level, F u, F v, I mask) {
	float out[N][4] = {{0}};
	if (!t || !t->levels) {
		F one = all(1);
		return (color){one, one, one, one};
	}
	const rlevel *l = &t->level[level < t->levels ? level : t->levels - 1];
#ifdef WIDE
	color fast;
	if (!t->nearest && NAME(gathered)(l, u, v, mask, &fast)) return fast;
#endif
	for (int i = 0; i < N; i++) {
		if (!mask[i]) continue;
		float x = u[i] * l->w, y = v[i] * l->h;
		if (!(x > -1e6f && x < 1e6f && y > -1e6f && y < 1e6f)) continue;
		F4 c;
		if (t->nearest) {
			c = texel(l, wrapped((int)floorf(x), l->w, t->wrap_s), wrapped((int)floorf(y), l->h, t->wrap_t));
		} else {
			x -= 0.5f;
			y -= 0.5f;
			int xi = (int)x - (x < 0), yi = (int)y - (y < 0), xj = xi + 1, yj = yi + 1;
			float fx = x - xi, fy = y - yi;
			if (xi < 0 || xj >= l->w) xi = wrapped(xi, l->w, t->wrap_s), xj = wrapped(xj, l->w, t->wrap_s);
			if (yi < 0 || yj >= l->h) yi = wrapped(yi, l->h, t->wrap_t), yj = wrapped(yj, l->h, t->wrap_t);
			F4 a = texel(l, xi, yi), b = texel(l, xj, yi), d = texel(l, xi, yj), e = texel(l, xj, yj);
			a += (b - a) * fx;
			d += (e - d) * fx;
			c = a + (d - a) * fy;
		}
		c *= 1 / 255.0f;
		memcpy(out[i], &c, 16);
	}
	color k;
	for (int i = 0; i < N; i++) k.r[i] = out[i][0], k.g[i] = out[i][1], k.b[i] = out[i][2], k.a[i] = out[i][3];
	return k;
}

// tri is one triangle on its way: its corners, and how the weights of the second and third corner grow by the pixel.
typedef struct {
	const rjob *j; const rvertex *a, *b, *c;
	float l1x, l1y, l2x, l2y, zx, zy, z0, z1; int level[UNIT_COUNT], bent, facing, from;
	uint32_t pixel;
} tri;

// How a triangle's colour is found, beside the features: it is one colour, or carried from the corners as it is shown.
enum { ONE = 1 << 30, CARRIED = 1 << 29 };

INLINE F at(const tri *t, int k, F l1, F l2) {
	float a = t->a->v[k];
	return all(a) + l1 * all(t->b->v[k] - a) + l2 * all(t->c->v[k] - a);
}

static color NAME(look_up)(const tri *t, int unit, uint32_t fl, F u, F v, I mask) {
	if (fl & F_UV_MULTI) {
		const float *c = t->j->material->uv[2 * unit], *o = t->j->material->uv[2 * unit + 1];
		F x = all(c[0]) * u + all(c[2]) * v + all(o[0]);
		v = all(c[1]) * u + all(c[3]) * v + all(o[1]);
		u = x;
	}
	return NAME(sample)(t->j->texture[unit], t->level[unit], u, v, mask);
}

// looked is light that is found at the pixel: normals of a texture bend it, metal and roughness shape it.
typedef struct { F tone, rim, bu, bv; color sent; } looked;

// sent_to is lightOn of the shaders: what a surface of a colour sends to the eye of the one light.
static void sent_to(float *o, const float *base, const float *n, const float *d, const rview *w, float metal, float rough) {
	float h[3], hh = 0, nl = 0, nv = 0, nh = 0, vh = 0;
	for (int k = 0; k < 3; k++) h[k] = w->light[k] + d[k], hh += h[k] * h[k];
	hh = 1 / sqrtf(fmaxf(hh, 1e-20f));
	for (int k = 0; k < 3; k++) {
		h[k] *= hh;
		nl += n[k] * w->light[k], nv += n[k] * d[k], nh += n[k] * h[k], vh += d[k] * h[k];
	}
	nl = fmaxf(nl, 0), nv = fmaxf(nv, 0), nh = fmaxf(nh, 0), vh = fmaxf(vh, 0);
	float a2 = rough * rough * rough * rough, q = nh * nh * (a2 - 1) + 1;
	float facing = nl * sqrtf(a2 + (1 - a2) * nv * nv) + nv * sqrtf(a2 + (1 - a2) * nl * nl);
	float albedo = 1 - 0.66f * powf(rough, 2.4f) * sqrtf(nv) * (1 + 0.3f * nv * (1 - nv));
	float g = 1 - vh, grazing = g * g * g * g * g, gloss = 0.5f * a2 / (q * q * fmaxf(facing, 1e-6f));
	for (int k = 0; k < 3; k++) {
		float f0 = 0.04f + (base[k] - 0.04f) * metal;
		float mirror = (f0 + (1 - f0) * grazing) * (1 + f0 * (1 / albedo - 1));
		float inside = base[k] * (1 - metal) * (0.96f - 0.96f * grazing);
		float c = nl * (inside + mirror * gloss);
		o[k] = c + (base[k] - c) * w->light[3];
	}
}

// bend_of is by how much the normal turns from one pixel to the next.
INLINE float bend_of(const tri *t) {
	float most = 0;
	for (int k = 0; k < 3; k++) {
		float e = t->b->v[V_NORMAL + k] - t->a->v[V_NORMAL + k], f = t->c->v[V_NORMAL + k] - t->a->v[V_NORMAL + k];
		most = fmaxf(most, fmaxf(fabsf(t->l1x * e + t->l2x * f), fabsf(t->l1y * e + t->l2y * f)));
	}
	return most;
}

static looked NAME(look)(const tri *t, uint32_t fl, F l1, F l2, F u, F v, const color *base, I mask) {
	const rmaterial *m = t->j->material;
	const rview *w = t->j->view;
	looked o = {at(t, V_TONE, l1, l2), all(0), all(0), all(0), *base};
	color map = {all(0.5f), all(0.5f), all(1), all(1)}, metal = {all(1), all(1), all(1), all(1)};
	if (fl & F_NORMAL_TEX) map = NAME(look_up)(t, UNIT_NORMAL, fl, u, v, mask);
	if (fl & F_METAL_TEX) metal = NAME(look_up)(t, UNIT_SHADE, fl, u, v, mask);
	float bend = fl & F_PBR ? bend_of(t) : 0;
	F nx = at(t, V_NORMAL, l1, l2), ny = at(t, V_NORMAL + 1, l1, l2), nz = at(t, V_NORMAL + 2, l1, l2);
	float px[3], py[3], tx[2], ty[2];
	for (int k = 0; k < 3; k++) {
		float e = t->b->v[V_PLACE + k] - t->a->v[V_PLACE + k], f = t->c->v[V_PLACE + k] - t->a->v[V_PLACE + k];
		px[k] = t->l1x * e + t->l2x * f;
		py[k] = -(t->l1y * e + t->l2y * f); // y runs down
	}
	float e[2], f[2];
	for (int k = 0; k < 2; k++) e[k] = t->b->v[V_UV + k] - t->a->v[V_UV + k], f[k] = t->c->v[V_UV + k] - t->a->v[V_UV + k];
	if (fl & F_UV_MULTI) {
		const float *c = m->uv[2 * UNIT_NORMAL];
		float a = e[0], b = f[0];
		e[0] = c[0] * a + c[2] * e[1], e[1] = c[1] * a + c[3] * e[1];
		f[0] = c[0] * b + c[2] * f[1], f[1] = c[1] * b + c[3] * f[1];
	}
	for (int k = 0; k < 2; k++) tx[k] = t->l1x * e[k] + t->l2x * f[k], ty[k] = -(t->l1y * e[k] + t->l2y * f[k]);
	for (int i = 0; i < N; i++) {
		if (!mask[i]) continue;
		float n[3] = {nx[i], ny[i], nz[i]}, s = 1 / sqrtf(fmaxf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1e-20f));
		if ((fl & F_DOUBLE) && !t->facing) s = -s;
		for (int k = 0; k < 3; k++) n[k] *= s;
		float x = (map.r[i] * 2 - 1) * m->toon[3], y = (map.g[i] * 2 - 1) * m->toon[3], z = map.b[i] * 2 - 1;
		float ay[3] = {py[1] * n[2] - py[2] * n[1], py[2] * n[0] - py[0] * n[2], py[0] * n[1] - py[1] * n[0]};
		float ax[3] = {n[1] * px[2] - n[2] * px[1], n[2] * px[0] - n[0] * px[2], n[0] * px[1] - n[1] * px[0]};
		float g[3], b[3], gg = 0, bb = 0, len = 0;
		for (int k = 0; k < 3; k++) {
			g[k] = ay[k] * tx[0] + ax[k] * ty[0];
			b[k] = -(ay[k] * tx[1] + ax[k] * ty[1]);
			gg += g[k] * g[k];
			bb += b[k] * b[k];
		}
		float inv = fmaxf(gg, bb);
		inv = inv > 0 ? 1 / sqrtf(inv) : 0;
		if (!(fl & F_NORMAL_TEX)) inv = 0, z = 1;
		for (int k = 0; k < 3; k++) {
			n[k] = g[k] * (x * inv) + b[k] * (y * inv) + n[k] * z;
			len += n[k] * n[k];
		}
		len = 1 / sqrtf(fmaxf(len, 1e-20f));
		for (int k = 0; k < 3; k++) n[k] *= len;
		o.tone[i] += (n[0] * w->light[0] + n[1] * w->light[1] + n[2] * w->light[2]) * m->toon[0];
		if (!(fl & (F_RIM | F_MATCAP | F_PBR))) continue;
		float d[3], dd = 0;
		for (int k = 0; k < 3; k++) {
			float a = t->a->v[V_PLACE + k];
			d[k] = w->eye[k] - (a + l1[i] * (t->b->v[V_PLACE + k] - a) + l2[i] * (t->c->v[V_PLACE + k] - a));
			dd += d[k] * d[k];
		}
		dd = 1 / sqrtf(fmaxf(dd, 1e-20f));
		for (int k = 0; k < 3; k++) d[k] *= dd;
		if (fl & F_PBR) {
			float lit[3] = {base->r[i], base->g[i], base->b[i]};
			float rough = fminf(fmaxf(m->matcap[1] * metal.g[i], 0.045f) + bend, 1);
			sent_to(lit, lit, n, d, w, m->matcap[0] * metal.b[i], rough);
			o.sent.r[i] = lit[0], o.sent.g[i] = lit[1], o.sent.b[i] = lit[2];
			continue;
		}
		float r = 1 - (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) + m->rim[3];
		o.rim[i] = powf(r < 0 ? 0 : r > 1 ? 1 : r, m->outline[0]);
		float q = 1 / sqrtf(fmaxf(d[2] * d[2] + d[0] * d[0], 1e-20f)), bx = d[2] * q, bz = -d[0] * q;
		o.bu[i] = (bx * n[0] + bz * n[2]) * 0.495f + 0.5f;
		o.bv[i] = -(d[1] * bz * n[0] + (d[2] * bx - d[0] * bz) * n[1] - d[1] * bx * n[2]) * 0.495f + 0.5f;
	}
	return o;
}

// paint is the fragment program: the colour of eight pixels, premultiplied. It takes pixels out of the mask.
INLINE color paint(const tri *t, const uint32_t fl, F l1, F l2, I *mask) {
	const rmaterial *m = t->j->material;
	color base = {all(m->color[0]), all(m->color[1]), all(m->color[2]), all(m->color[3])};
	color shade = {all(m->shade[0]), all(m->shade[1]), all(m->shade[2]), all(1)};
	F u = all(0), v = all(0), alpha = all(1);
	color tex = {u, u, u, u};
	if (fl & F_TEXTURED) {
		u = at(t, V_UV, l1, l2);
		v = at(t, V_UV + 1, l1, l2);
		if (fl & F_UV_MASK) {
			F moving = NAME(look_up)(t, UNIT_UV_MASK, fl, u, v, *mask).b, x, y;
			for (int i = 0; i < N; i++) x[i] = sinf(m->anim[2] * moving[i]), y[i] = cosf(m->anim[2] * moving[i]);
			F a = u + all(m->anim[0]) * moving - all(0.5f), b = v + all(m->anim[1]) * moving - all(0.5f);
			u = y * a + x * b + all(0.5f);
			v = y * b - x * a + all(0.5f);
		}
	}
	if (fl & F_BAKED) {
		base.r = at(t, V_LIT, l1, l2), base.g = at(t, V_LIT + 1, l1, l2), base.b = at(t, V_LIT + 2, l1, l2);
		if (!(fl & F_UNLIT)) shade.r = at(t, V_SHADE, l1, l2), shade.g = at(t, V_SHADE + 1, l1, l2), shade.b = at(t, V_SHADE + 2, l1, l2);
	}
	if (fl & F_BASE_TEX) {
		tex = NAME(look_up)(t, UNIT_BASE, fl, u, v, *mask);
		F r = tex.r * tex.r, g = tex.g * tex.g, b = tex.b * tex.b;
		base.r *= r, base.g *= g, base.b *= b;
		if (fl & F_SHADE_SAME) shade.r *= r, shade.g *= g, shade.b *= b;
		if (!(fl & F_SHIFT_ALPHA)) base.a *= tex.a;
	}
	if (fl & F_COLOR) {
		F r = at(t, V_LIT, l1, l2), g = at(t, V_LIT + 1, l1, l2), b = at(t, V_LIT + 2, l1, l2);
		base.r *= r, base.g *= g, base.b *= b, base.a *= at(t, V_ALPHA, l1, l2);
		shade.r *= r, shade.g *= g, shade.b *= b;
	}
	if (fl & F_MASK) *mask &= base.a >= all(m->toon[2]);
	else if (fl & F_BLEND) alpha = unit(base.a);
	color out = base;
	if (fl & F_OUTLINE) {
		if (fl & F_FLAT) out.r = all(m->line[0]), out.g = all(m->line[1]), out.b = all(m->line[2]);
		else out.r = at(t, V_LIT, l1, l2), out.g = at(t, V_LIT + 1, l1, l2), out.b = at(t, V_LIT + 2, l1, l2);
	} else {
		if (fl & F_PBR) {
			looked at_pixel = NAME(look)(t, fl, l1, l2, u, v, &base, *mask);
			out.r = at_pixel.sent.r, out.g = at_pixel.sent.g, out.b = at_pixel.sent.b;
		} else if (!(fl & F_UNLIT)) {
			looked at_pixel;
			F tone;
			if (fl & F_VERTEX_LIT) {
				tone = at(t, V_TONE, l1, l2);
				if (fl & F_DOUBLE) tone = (t->facing ? tone : -tone) + at(t, V_OFFSET, l1, l2);
			} else {
				at_pixel = NAME(look)(t, fl, l1, l2, u, v, &base, *mask);
				tone = at_pixel.tone;
			}
			if (fl & F_SHIFT_ALPHA) tone += tex.a * all(m->toon[1]);
			else if (fl & F_SHIFT_TEX) tone += NAME(look_up)(t, UNIT_SHIFT, fl, u, v, *mask).r * all(m->toon[1]);
			if (fl & F_SHADE_TEX) {
				color s = NAME(look_up)(t, UNIT_SHADE, fl, u, v, *mask);
				shade.r *= s.r * s.r, shade.g *= s.g * s.g, shade.b *= s.b * s.b;
			}
			tone = unit(tone);
			out.r = shade.r + (base.r - shade.r) * tone;
			out.g = shade.g + (base.g - shade.g) * tone;
			out.b = shade.b + (base.b - shade.b) * tone;
			if (fl & (F_MATCAP | F_RIM)) {
				F k = fl & F_RIM ? (fl & F_VERTEX_LIT ? at(t, V_RIM, l1, l2) : at_pixel.rim) : all(0);
				color rim = {k * all(m->rim[0]), k * all(m->rim[1]), k * all(m->rim[2]), k};
				if (fl & F_MATCAP) {
					F x = fl & F_VERTEX_LIT ? at(t, V_BALL, l1, l2) : at_pixel.bu, y = fl & F_VERTEX_LIT ? at(t, V_BALL + 1, l1, l2) : at_pixel.bv;
					color c = NAME(sample)(t->j->texture[UNIT_MATCAP], t->level[UNIT_MATCAP], x, y, *mask);
					rim.r += all(m->matcap[0]) * c.r * c.r, rim.g += all(m->matcap[1]) * c.g * c.g, rim.b += all(m->matcap[2]) * c.b * c.b;
				}
				if (fl & F_RIM_TEX) {
					color c = NAME(look_up)(t, UNIT_RIM, fl, u, v, *mask);
					rim.r *= c.r * c.r, rim.g *= c.g * c.g, rim.b *= c.b * c.b;
				}
				out.r += rim.r, out.g += rim.g, out.b += rim.b;
			}
		}
		if (fl & F_EMISSIVE) {
			color glow = {all(m->emissive[0]), all(m->emissive[1]), all(m->emissive[2]), all(1)};
			if (fl & F_EMISSIVE_TEX) {
				color c = NAME(look_up)(t, UNIT_EMISSIVE, fl, u, v, *mask);
				glow.r *= c.r * c.r, glow.g *= c.g * c.g, glow.b *= c.b * c.b;
			}
			out.r += glow.r, out.g += glow.g, out.b += glow.b;
		}
		if (!(fl & F_SHOWN)) out.r = encode(out.r), out.g = encode(out.g), out.b = encode(out.b);
	}
	if (fl & F_BLEND) out.r *= alpha, out.g *= alpha, out.b *= alpha;
	out.a = alpha;
	if (fl & F_FADE) {
		F o = all(t->j->view->misc[2]);
		out.r *= o, out.g *= o, out.b *= o, out.a *= o;
	}
	return out;
}

// fill draws the pixels of one row of a triangle, from x0 to before x1.
INLINE void fill(const tri *t, const uint32_t fl, int y, int x0, int x1) {
	const rjob *j = t->j;
	const rpage *p = j->page;
	const I lane = {0, 1, 2, 3, 4, 5, 6, 7};
	const F step = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
	float dy = y + 0.5f - t->a->y, zr = t->a->z + dy * t->zy;
	float *depth = p->depth + (long)y * p->stride + x0;
	uint32_t *pixel = p->color + (long)y * p->stride + x0;
	for (int x = x0; x < x1; x += N, depth += N, pixel += N) {
		F dx = all(x - t->a->x) + step, old = *(Fu *)depth;
		F z = least(most(dx * all(t->zx) + all(zr), all(t->z0)), all(t->z1));
		I mask = (lane < (I){0} + (x1 - x)) & (z <= old);
		if (!any(mask)) continue;
		if ((fl & F_DEPTH_ONLY) && !(fl & F_MASK)) {
			*(Fu *)depth = pick(mask, z, old);
			continue;
		}
		I was = *(Iu *)pixel;
		if (fl & ONE) {
			*(Fu *)depth = pick(mask, z, old);
			*(Iu *)pixel = (mask & ((I){0} + (int32_t)t->pixel)) | (~mask & was);
			continue;
		}
		F l1 = unit(dx * all(t->l1x) + all(dy * t->l1y)), l2 = unit(dx * all(t->l2x) + all(dy * t->l2y));
		F k = all(255), h = all(0.5f);
		if (fl & CARRIED) {
			F r = at(t, t->from, l1, l2), g = at(t, t->from + 1, l1, l2), b = at(t, t->from + 2, l1, l2);
			*(Fu *)depth = pick(mask, z, old);
			I out = whole(r * k + h) << p->red | whole(g * k + h) << 8 | whole(b * k + h) << p->blue | ((I){0} + (int32_t)0xFF000000);
			*(Iu *)pixel = (mask & out) | (~mask & was);
			continue;
		}
		if (t->bent) {
			F i0 = (all(1) - l1 - l2) * all(1 / t->a->w), i1 = l1 * all(1 / t->b->w), i2 = l2 * all(1 / t->c->w);
			F s = all(1) / (i0 + i1 + i2);
			l1 = i1 * s;
			l2 = i2 * s;
		}
		color c = paint(t, fl, l1, l2, &mask);
		if (j->depth_write) *(Fu *)depth = pick(mask, z, old);
		if (fl & F_DEPTH_ONLY) continue;
		c.r *= k, c.g *= k, c.b *= k, c.a *= k;
		if (j->blend) {
			F rest = all(1) - c.a * all(1 / 255.0f);
			c.r += rest * __builtin_convertvector(was >> p->red & 255, F);
			c.g += rest * __builtin_convertvector(was >> 8 & 255, F);
			c.b += rest * __builtin_convertvector(was >> p->blue & 255, F);
			c.a += rest * __builtin_convertvector(was >> 24 & 255, F);
		}
		I out = whole(least(most(c.r, all(0)), k) + h) << p->red | whole(least(most(c.g, all(0)), k) + h) << 8 |
			whole(least(most(c.b, all(0)), k) + h) << p->blue | whole(least(c.a, k) + h) << 24;
		*(Iu *)pixel = (mask & out) | (~mask & was);
	}
}

INLINE float slope(const rvertex *p, const rvertex *q) { return q->y > p->y ? (q->x - p->x) / (q->y - p->y) : 0; }
// first is the first whole pixel whose centre is at or after x, within lo and hi.
INLINE int first(float x, float lo, float hi) {
	x -= 0.5f;
	x = x > lo ? x : lo;
	x = x < hi ? x : hi;
	int i = (int)x;
	return i + (x > i);
}

// rows walks over a triangle from its lowest corner to its highest. Both triangles at an edge find the same pixels of it,
// so that there is neither gap nor overlap: the edge is always walked the same way, from the same corner.
INLINE void rows(const tri *t, const uint32_t fl) {
	const rpage *g = t->j->page;
	const rvertex *a = t->a, *b = t->b, *c = t->c, *s;
#define BEFORE(p, q) ((p)->y < (q)->y || ((p)->y == (q)->y && (p)->x < (q)->x))
	if (BEFORE(b, a)) s = a, a = b, b = s;
	if (BEFORE(c, a)) s = a, a = c, c = s;
	if (BEFORE(c, b)) s = b, b = c, c = s;
	float x0 = g->x0, x1 = g->x1;
	int y = first(a->y, g->y0, g->y1), end = first(c->y, g->y0, g->y1);
	if (y >= end) return;
	int bend = first(b->y, g->y0, g->y1);
	float ac = slope(a, c), ab = slope(a, b), bc = slope(b, c);
	int right = (c->x - a->x) * (b->y - a->y) < (c->y - a->y) * (b->x - a->x); // b lies to the right of the long edge
	for (; y < end; y++) {
		float at = y + 0.5f, l = a->x + (at - a->y) * ac, r = y < bend ? a->x + (at - a->y) * ab : b->x + (at - b->y) * bc;
		int from = first(right ? l : r, x0, x1), to = first(right ? r : l, x0, x1);
		if (from < to) fill(t, fl, y, from, to);
	}
}

// levels chooses how far each texture is shrunk, for the whole triangle.
static void NAME(levels)(tri *t) {
	float e0 = t->b->v[V_UV] - t->a->v[V_UV], e1 = t->b->v[V_UV + 1] - t->a->v[V_UV + 1];
	float f0 = t->c->v[V_UV] - t->a->v[V_UV], f1 = t->c->v[V_UV + 1] - t->a->v[V_UV + 1];
	float ux = t->l1x * e0 + t->l2x * f0, vx = t->l1x * e1 + t->l2x * f1, uy = t->l1y * e0 + t->l2y * f0, vy = t->l1y * e1 + t->l2y * f1;
	for (int k = 0; k < UNIT_COUNT; k++) {
		const rtexture *x = t->j->texture[k];
		t->level[k] = 0;
		if (!x || x->levels < 2 || k == UNIT_MATCAP) continue;
		float w = x->level[0].w, h = x->level[0].h, scale = 1;
		if (t->j->features & F_UV_MULTI) {
			const float *c = t->j->material->uv[2 * k];
			scale = sqrtf(fabsf(c[0] * c[3] - c[1] * c[2]));
		}
		float a = ux * w * ux * w + vx * h * vx * h, b = uy * w * uy * w + vy * h * vy * h;
		float rho = sqrtf(a > b ? a : b) * scale; // texels a pixel
		int level = 0;
		while (rho > 1.41421356f && level < x->levels - 1) rho *= 0.5f, level++;
		t->level[k] = level;
	}
}

INLINE int same(const float *a, const float *b, const float *c) {
	const float e = 0.6f / 255;
	for (int k = 0; k < 3; k++)
		if (fabsf(a[k] - b[k]) > e || fabsf(a[k] - c[k]) > e) return 0;
	return 1;
}

INLINE uint32_t packed(const rpage *p, const float *c) {
	uint32_t o[3];
	for (int k = 0; k < 3; k++) o[k] = (uint32_t)((c[k] < 0 ? 0 : c[k] > 1 ? 1 : c[k]) * 255 + 0.5f);
	return o[0] << p->red | o[1] << 8 | o[2] << p->blue | 0xFF000000u;
}

// SMALL is up to how many pixels a triangle's colours are carried from its corners as they are shown, where light changes
// gently within.
#define SMALL 24

// simple reports whether a triangle is one colour or carries its corners' colours.
INLINE uint32_t simple(tri *t, const uint32_t fl) {
	const float *a = t->a->v, *b = t->b->v, *c = t->c->v;
	int from;
	if (fl == F_OUTLINE) {
		from = V_LIT;
	} else if (fl == (F_BAKED | F_SHOWN | F_UNLIT)) {
		from = V_LIT;
	} else {
		float lo = a[V_TONE] < b[V_TONE] ? a[V_TONE] : b[V_TONE], hi = a[V_TONE] < b[V_TONE] ? b[V_TONE] : a[V_TONE];
		lo = c[V_TONE] < lo ? c[V_TONE] : lo, hi = c[V_TONE] > hi ? c[V_TONE] : hi;
		if (lo < 1 && hi > 0) return 0; // the edge of the shade runs through
		from = lo >= 1 ? V_LIT : V_SHADE;
		if (!(fl & F_SHOWN)) {
			float x0 = t->a->x, y0 = t->a->y;
			if (fabsf(t->b->x - x0) > SMALL || fabsf(t->c->x - x0) > SMALL || fabsf(t->b->y - y0) > SMALL || fabsf(t->c->y - y0) > SMALL) return 0;
			from = V_FINAL;
		}
	}
	if (same(a + from, b + from, c + from)) {
		t->pixel = packed(t->j->page, a + from);
		return ONE;
	}
	t->from = from;
	return CARRIED;
}

INLINE void triangles(const rjob *j, const uint32_t fl) {
	tri t = {.j = j};
	const rpage *g = j->page;
	const int textured = (fl & (F_TEXTURED | F_MATCAP)) != 0;
	const int quick = fl == F_OUTLINE || fl == (F_BAKED | F_SHOWN | F_UNLIT) || fl == (F_BAKED | F_SHOWN | F_VERTEX_LIT) ||
		fl == (F_BAKED | F_VERTEX_LIT) || fl == (F_BAKED | F_VERTEX_LIT | F_RIM);
	if (fl == ONE) t.pixel = packed(g, j->material->line);
	float gx0 = g->x0, gx1 = g->x1, gy0 = g->y0, gy1 = g->y1;
	for (int i = 0; i + 2 < j->count; i += 3) {
		const rvertex *a = &j->vertex[j->index[i]], *b = &j->vertex[j->index[i + 1]], *c = &j->vertex[j->index[i + 2]];
		float e1x = b->x - a->x, e1y = b->y - a->y, e2x = c->x - a->x, e2y = c->y - a->y;
		float det = e1x * e2y - e1y * e2x;
		int facing = (det < 0) == j->front; // y runs down
		if ((j->cull == 1 && !facing) || (j->cull == 2 && facing) || !(fabsf(det) > 1e-9f)) continue;
		if (a->w <= 1e-6f || b->w <= 1e-6f || c->w <= 1e-6f) continue;
		if ((a->x < gx0 && b->x < gx0 && c->x < gx0) || (a->x > gx1 && b->x > gx1 && c->x > gx1)) continue;
		if ((a->y < gy0 && b->y < gy0 && c->y < gy0) || (a->y > gy1 && b->y > gy1 && c->y > gy1)) continue;
		if (a->z < -1 && b->z < -1 && c->z < -1) continue;
		float inv = 1 / det;
		t.a = a, t.b = b, t.c = c, t.facing = facing;
		t.l1x = e2y * inv, t.l1y = -e2x * inv, t.l2x = -e1y * inv, t.l2y = e1x * inv;
		float z1 = b->z - a->z, z2 = c->z - a->z;
		t.zx = t.l1x * z1 + t.l2x * z2, t.zy = t.l1y * z1 + t.l2y * z2;
		t.z0 = a->z < b->z ? a->z : b->z, t.z1 = a->z < b->z ? b->z : a->z;
		t.z0 = c->z < t.z0 ? c->z : t.z0, t.z1 = c->z > t.z1 ? c->z : t.z1;
		if (fl & (ONE | F_DEPTH_ONLY) && !(fl & F_MASK)) {
			rows(&t, fl);
			continue;
		}
		if (quick) { // opaque, says raster_draw
			uint32_t how = simple(&t, fl);
			if (how == ONE) {
				rows(&t, ONE);
				continue;
			}
			if (how == CARRIED) {
				rows(&t, CARRIED);
				continue;
			}
		}
		float lo = a->w < b->w ? a->w : b->w, hi = a->w < b->w ? b->w : a->w;
		lo = c->w < lo ? c->w : lo, hi = c->w > hi ? c->w : hi;
		t.bent = hi > lo * (textured ? 1.002f : 1.02f);
		if (textured) NAME(levels)(&t);
		rows(&t, fl);
	}
}

// A function for each common kind, in which the compiler knows the features.
#define KIND(name, fl) static __attribute__((noinline)) void NAME(name)(const rjob *j) { triangles(j, fl); }
KIND(depth, F_DEPTH_ONLY)
KIND(one, ONE)
KIND(line, F_OUTLINE)
KIND(shown_lit, F_BAKED | F_SHOWN | F_VERTEX_LIT)
KIND(shown_flat, F_BAKED | F_SHOWN | F_UNLIT)
KIND(baked_lit, F_BAKED | F_VERTEX_LIT)
KIND(baked_rim, F_BAKED | F_VERTEX_LIT | F_RIM)
KIND(textured_lit, F_BASE_TEX | F_SHADE_SAME | F_VERTEX_LIT)
KIND(textured_rim, F_BASE_TEX | F_SHADE_SAME | F_VERTEX_LIT | F_RIM)
KIND(whatever, j->features & ~F_SCREEN)

void NAME(raster_draw)(const rjob *j) {
	uint32_t fl = j->features & ~F_SCREEN;
	int plain = !j->blend && j->depth_write;
	if ((fl & F_DEPTH_ONLY) && !(fl & F_MASK)) {
		NAME(depth)(j);
		return;
	}
	if (fl == (F_OUTLINE | F_RIM) || fl == (F_OUTLINE | F_EMISSIVE) || fl == (F_OUTLINE | F_RIM | F_EMISSIVE)) fl = F_OUTLINE; // done at the vertices
	switch (plain ? fl : ~0u) {
	case F_OUTLINE | F_FLAT: NAME(one)(j); break;
	case F_OUTLINE: NAME(line)(j); break;
	case F_BAKED | F_SHOWN | F_VERTEX_LIT: NAME(shown_lit)(j); break;
	case F_BAKED | F_SHOWN | F_UNLIT: NAME(shown_flat)(j); break;
	case F_BAKED | F_VERTEX_LIT: NAME(baked_lit)(j); break;
	case F_BAKED | F_VERTEX_LIT | F_RIM: NAME(baked_rim)(j); break;
	case F_BASE_TEX | F_SHADE_SAME | F_VERTEX_LIT: NAME(textured_lit)(j); break;
	case F_BASE_TEX | F_SHADE_SAME | F_VERTEX_LIT | F_RIM: NAME(textured_rim)(j); break;
	default: NAME(whatever)(j);
	}
}
