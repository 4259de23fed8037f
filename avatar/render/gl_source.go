package render

// uniformBlocks mirror frameUniforms (view.go) and materialUniforms (material.go).
const uniformBlocks = `
precision highp float;
precision highp int;
layout(std140) uniform Frame {
	vec4 uEye;   // xyz
	vec4 uProj;  // x and y scale, z = depth scale, w = depth offset
	vec4 uLight; // xyz, unit; w: light from all around
	vec4 uMisc;  // metres a pixel, 1/aspect, opacity, pixels as part of half the height
};
layout(std140) uniform Material {
	vec4 uColor;
	vec4 uShadeColor;  // w: shading offset
	vec4 uToon;        // shading scale, shift texture scale, cutoff, normal scale
	vec4 uEmissive;
	vec4 uMatcapColor; // with PBR: metallic, roughness
	vec4 uRim;         // w: lift
	vec4 uOutline;     // fresnel power, width, least width in pixels, lighting mix
	vec4 uLineColor;   // linear; with FLAT as shown on the screen
	vec4 uAnim;        // scroll x, scroll y, rotation
	vec4 uUV[16];      // two for each texture unit: matrix, then offset
};
`

// sharedSource derives what both programs must agree on.
const sharedSource = `
#if !defined(UNLIT) && !defined(OUTLINE)
#define LIGHT
#ifndef VERTEX_LIT
#define SHADED
#if defined(MATCAP) || defined(RIM) || defined(NORMAL_TEX) || defined(PBR)
#define VIEWED
#endif
#endif
#endif
// Screen value of linear light: a cubic of its square root, nowhere more than half a step of 8 bits off sRGB.
vec3 encode(vec3 lin) {
	vec3 x = sqrt(clamp(lin, 0.0, 1.0));
	vec3 y = ((0.21684095 * x - 0.54036186) * x + 1.35735834) * x - 0.03194499;
	return mix(12.92 * x * x, y, greaterThan(x, vec3(0.0559)));
}
float rimAt(vec3 n, vec3 v) { return pow(clamp(1.0 - dot(n, v) + uRim.w, 0.0, 1.0), uOutline.x); }
vec2 ballAt(vec3 n, vec3 v) {
	vec3 x = normalize(vec3(v.z, 0.0, -v.x));
	return vec2(dot(x, n), -dot(cross(v, x), n)) * 0.495 + 0.5;
}
`

// vertexSource: positions and normals come skinned, in world space; the camera only moves along with them. Colours in
// vertices are square roots of linear light, as in textures.
const vertexSource = `
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUV;
layout(location = 3) in vec4 aLit;   // w: shading shift, or a vertex colour's alpha
layout(location = 4) in vec4 aShade; // w: outline width factor
#ifdef UV
out vec2 vUV;
#endif
#ifdef SHADED
out vec3 vNormal;
#endif
#ifdef VIEWED
out vec3 vView;
#endif
// Software GL pays for each vector that goes down, however full: lit and tone share one, shade and rim another.
#if defined(BAKED) || defined(LIGHT)
out vec4 vLit;   // colour; tone: light from the front, or all of it
#endif
#if defined(BAKED) && !defined(UNLIT) || defined(VERTEX_LIT) && defined(RIM)
#define SECOND
out vec4 vShade; // colour; rim
#endif
#if defined(DOUBLE) && defined(VERTEX_LIT)
out float vOffset; // the part of the tone that does not turn with the face
#endif
#if defined(VERTEX_LIT) && defined(MATCAP)
out vec2 vBall;
#endif
#ifdef COLOR
out vec4 vColor;
#endif
#if defined(OUTLINE) && !defined(FLAT)
out vec3 vLine;
#endif
void main() {
	vec3 p = aPosition;
#if defined(OUTLINE) && !defined(SCREEN)
	p += normalize(aNormal) * (max(uOutline.y, uOutline.z * uMisc.x) * aShade.w);
#endif
	vec3 q = p - uEye.xyz;
	gl_Position = vec4(uProj.xy * q.xy, uProj.w - uProj.z * q.z, -q.z);
#if defined(OUTLINE) && defined(SCREEN)
	// The width is a part of the screen's height (VRMC_materials_mtoon, outlineWidthMode).
	vec2 across = normalize(aNormal.xy + vec2(1e-9, 0.0));
	gl_Position.xy += across * vec2(uMisc.y, 1.0) * (max(2.0 * uOutline.y, uOutline.z * uMisc.w) * aShade.w * -q.z);
#endif
#ifdef UV
	vUV = aUV;
#ifdef UV_MOVE
	vUV += uAnim.xy;
	float s = sin(uAnim.z), c = cos(uAnim.z);
	vUV = mat2(c, -s, s, c) * (vUV - 0.5) + 0.5;
	vUV = mat2(uUV[0]) * vUV + uUV[1].xy;
#endif
#endif
#ifdef SHADED
	vNormal = aNormal;
#endif
#ifdef VIEWED
	vView = -q;
#endif
#ifdef COLOR
	vColor = vec4(aLit.rgb * aLit.rgb, aLit.a);
#endif
#if defined(BAKED) || defined(LIGHT)
	vLit = vec4(aLit.rgb * aLit.rgb * uColor.rgb, 0.0);
#ifdef SHOWN
	vLit.rgb = encode(vLit.rgb);
#endif
#endif
#ifdef SECOND
	vShade = vec4(aShade.rgb * aShade.rgb * uShadeColor.rgb, 0.0);
#ifdef SHOWN
	vShade.rgb = encode(vShade.rgb);
#endif
#endif
#ifdef LIGHT
	float offset = uShadeColor.w;
#ifdef BAKED
	offset += aLit.w * uToon.y;
#endif
#ifdef VERTEX_LIT
	vec3 lit = normalize(aNormal);
	vLit.w = dot(lit, uLight.xyz) * uToon.x;
#ifdef DOUBLE
	vOffset = offset;
#else
	vLit.w += offset;
#endif
#ifdef RIM
	vShade.w = rimAt(lit, normalize(-q));
#endif
#ifdef MATCAP
	vBall = ballAt(lit, normalize(-q));
#endif
#else
	vLit.w = offset;
#endif
#endif
#if defined(OUTLINE) && !defined(FLAT)
	// The line is a pixel or two wide: the surface's light is found at the vertices.
	vec3 n = normalize(aNormal);
	vec3 color = mix(aShade.rgb * aShade.rgb * uShadeColor.rgb, aLit.rgb * aLit.rgb * uColor.rgb,
		clamp(dot(n, uLight.xyz) * uToon.x + uShadeColor.w + aLit.w * uToon.y, 0.0, 1.0));
#ifdef RIM
	color += uRim.rgb * rimAt(n, normalize(-q));
#endif
#ifdef EMISSIVE
	color += uEmissive.rgb;
#endif
	vLine = encode(uLineColor.rgb * mix(vec3(1.0), color, uOutline.w));
#endif
}
`

// fragmentSource: colour textures are sRGB if the hardware decodes them, before it filters. Otherwise they hold the square
// root of linear light, so that a square decodes them.
const fragmentSource = `
#ifdef SRGB_TEX
#define LINEAR(texel) (texel)
#else
#define LINEAR(texel) ((texel) * (texel))
#endif
#ifdef UV
in vec2 vUV;
#endif
#ifdef SHADED
in vec3 vNormal;
#endif
#ifdef VIEWED
in vec3 vView;
#endif
#if defined(BAKED) || defined(LIGHT)
in vec4 vLit;
#endif
#if defined(BAKED) && !defined(UNLIT) || defined(VERTEX_LIT) && defined(RIM)
in vec4 vShade;
#endif
#if defined(DOUBLE) && defined(VERTEX_LIT)
in float vOffset;
#endif
#if defined(VERTEX_LIT) && defined(MATCAP)
in vec2 vBall;
#endif
#ifdef COLOR
in vec4 vColor;
#endif
#if defined(OUTLINE) && !defined(FLAT)
in vec3 vLine;
#endif
uniform sampler2D uBase, uShade, uShift, uNormal, uMatcap, uRimTex, uEmissiveTex, uUVMask;
out vec4 oColor;

#ifdef PBR
#ifdef METAL_TEX
#define AT_METAL texture(uShade, AT(UNIT_SHADE)).bg
#else
#define AT_METAL vec2(1.0)
#endif
// lightOn is what a surface sends to the eye of the one light: the metallic-roughness model of glTF 2.0 (appendix B),
// with the energy that rough metal loses between its facets given back (Turquin 2019); albedo is
// a fit of our own to what one bounce reflects, within 0.06.
vec3 lightOn(vec3 base, vec3 n, vec3 v, float bend, vec2 at) {
	float metal = uMatcapColor.x * at.x;
	float rough = min(max(uMatcapColor.y * at.y, 0.045) + bend, 1.0);
	vec3 h = normalize(uLight.xyz + v);
	float nl = max(dot(n, uLight.xyz), 0.0), nv = max(dot(n, v), 0.0), nh = max(dot(n, h), 0.0);
	float a2 = rough * rough * rough * rough;
	float d = nh * nh * (a2 - 1.0) + 1.0;
	float facing = nl * sqrt(a2 + (1.0 - a2) * nv * nv) + nv * sqrt(a2 + (1.0 - a2) * nl * nl);
	vec3 f0 = mix(vec3(0.04), base, metal);
	float albedo = 1.0 - 0.66 * pow(rough, 2.4) * sqrt(nv) * (1.0 + 0.3 * nv * (1.0 - nv));
	float grazing = pow(1.0 - max(dot(v, h), 0.0), 5.0);
	vec3 mirror = mix(f0, vec3(1.0), grazing) * (1.0 + f0 * (1.0 / albedo - 1.0));
	vec3 inside = base * (1.0 - metal) * (1.0 - mix(0.04, 1.0, grazing));
	return nl * (inside + mirror * (0.5 * a2 / (d * d * max(facing, 1e-6))));
}
#endif

#ifdef UV_MULTI
#define AT(unit) (mat2(uUV[2 * unit]) * uv + uUV[2 * unit + 1].xy)
#else
#define AT(unit) uv
#endif

void main() {
#ifdef UV
	vec2 uv = vUV;
#ifdef UV_MASK
	float moving = texture(uUVMask, AT(UNIT_UV_MASK)).b;
	uv += uAnim.xy * moving;
	float s = sin(uAnim.z * moving), c = cos(uAnim.z * moving);
	uv = mat2(c, -s, s, c) * (uv - 0.5) + 0.5;
#endif
#endif
	vec4 base = uColor;
	vec3 shade = uShadeColor.rgb;
	float alpha = 1.0;
#ifdef BAKED
	base.rgb = vLit.rgb;
#ifndef UNLIT
	shade = vShade.rgb;
#endif
#endif
#ifdef BASE_TEX
	vec4 tex = texture(uBase, AT(UNIT_BASE));
	base.rgb *= LINEAR(tex.rgb);
#ifdef SHADE_SAME
	shade *= LINEAR(tex.rgb);
#endif
#ifndef SHIFT_ALPHA
	base.a *= tex.a;
#endif
#endif
#ifdef COLOR
	base *= vColor;
	shade *= vColor.rgb;
#endif
#if defined(MASK)
	if (base.a < uToon.z) discard;
#elif defined(BLEND)
	alpha = base.a;
#endif
#ifdef OUTLINE
#ifdef FLAT
	vec3 shown = uLineColor.rgb;
#else
	vec3 shown = vLine;
#endif
#else
	vec3 color = base.rgb;
#ifdef LIGHT
#ifdef SHADED
	vec3 n = normalize(vNormal);
#ifdef DOUBLE
	n = gl_FrontFacing ? n : -n;
#endif
#ifdef VIEWED
	vec3 v = normalize(vView);
#endif
#ifdef PBR
	vec3 bend = max(abs(dFdx(n)), abs(dFdy(n)));
#endif
#ifdef NORMAL_TEX
	{
		vec2 at = AT(UNIT_NORMAL);
		vec3 map = texture(uNormal, at).xyz * 2.0 - 1.0;
		map.xy *= uToon.w;
		vec3 px = dFdx(-vView), py = dFdy(-vView);
		vec2 tx = dFdx(at), ty = dFdy(at);
		vec3 ay = cross(py, n), ax = cross(n, px);
		// The image's v runs down, a normal map's y up.
		vec3 t = ay * tx.x + ax * ty.x, b = -(ay * tx.y + ax * ty.y);
		float len = max(dot(t, t), dot(b, b));
		float inv = len > 0.0 ? inversesqrt(len) : 0.0;
		n = normalize(t * (map.x * inv) + b * (map.y * inv) + n * map.z);
	}
#endif
#ifdef PBR
	color = mix(lightOn(base.rgb, n, v, max(max(bend.x, bend.y), bend.z), AT_METAL), base.rgb, uLight.w);
#else
	float shading = dot(n, uLight.xyz) * uToon.x + vLit.w;
#endif
#elif defined(DOUBLE)
	float shading = (gl_FrontFacing ? vLit.w : -vLit.w) + vOffset;
#else
	float shading = vLit.w;
#endif
#ifndef PBR
#if defined(SHIFT_ALPHA)
	shading += tex.a * uToon.y;
#elif defined(SHIFT_TEX)
	shading += texture(uShift, AT(UNIT_SHIFT)).r * uToon.y;
#endif
#ifdef SHADE_TEX
	vec3 shadeTex = texture(uShade, AT(UNIT_SHADE)).rgb;
	shade *= LINEAR(shadeTex);
#endif
	color = mix(shade, color, clamp(shading, 0.0, 1.0));
#endif
#if defined(MATCAP) || defined(RIM)
	vec3 rim = vec3(0.0);
#ifdef VERTEX_LIT
#ifdef RIM
	rim += uRim.rgb * vShade.w;
#endif
#ifdef MATCAP
	vec2 ball = vBall;
#endif
#else
#ifdef RIM
	rim += uRim.rgb * rimAt(n, v);
#endif
#ifdef MATCAP
	vec2 ball = ballAt(n, v);
#endif
#endif
#ifdef MATCAP
	vec3 cap = texture(uMatcap, ball).rgb;
	rim += uMatcapColor.rgb * LINEAR(cap);
#endif
#ifdef RIM_TEX
	vec3 rimTex = texture(uRimTex, AT(UNIT_RIM)).rgb;
	rim *= LINEAR(rimTex);
#endif
	color += rim;
#endif
#endif
#ifdef EMISSIVE
	vec3 glow = uEmissive.rgb;
#ifdef EMISSIVE_TEX
	vec3 glowTex = texture(uEmissiveTex, AT(UNIT_EMISSIVE)).rgb;
	glow *= LINEAR(glowTex);
#endif
	color += glow;
#endif
#ifdef SHOWN
	vec3 shown = color;
#else
	vec3 shown = encode(color);
#endif
#endif
#ifdef BLEND
	shown *= alpha;
#endif
	oColor = vec4(shown, alpha);
#ifdef FADE
	oColor *= uMisc.z;
#endif
}
`
