package render

// cacheSize is the vertex cache that triangles are ordered for. llvmpipe's draw module keeps 256 vertices in a
// direct-mapped cache, GPUs 16 to 64; an order that suits 24 serves all of them.
const cacheSize = 24

// orderTriangles returns the triangles of idx in an order that reuses vertices while they are still cached: the
// Tipsify walk (Sander, Nehab, Barczak 2007), which fans round one vertex after the other. Linear in time.
func orderTriangles(idx []uint32, vertices int) []uint32 {
	start := make([]int32, vertices+1)
	for _, v := range idx {
		start[v+1]++
	}
	for v := range vertices {
		start[v+1] += start[v]
	}
	of := make([]int32, len(idx)) // triangles of each vertex
	fill := append([]int32(nil), start[:vertices]...)
	for i, v := range idx {
		of[fill[v]] = int32(i / 3)
		fill[v]++
	}
	live := make([]int32, vertices)
	for v := range vertices {
		live[v] = start[v+1] - start[v]
	}
	w := tipsify{idx: idx, live: live, stamp: make([]int32, vertices), time: cacheSize + 1}
	done := make([]bool, len(idx)/3)
	out := make([]uint32, 0, len(idx))
	var around []uint32
	for f := w.next(nil); f >= 0; {
		around = around[:0]
		for _, t := range of[start[f]:start[f+1]] {
			if done[t] {
				continue
			}
			done[t] = true
			for _, v := range idx[t*3 : t*3+3] {
				out = append(out, v)
				w.dead = append(w.dead, v)
				around = append(around, v)
				w.live[v]--
				if w.time-w.stamp[v] > cacheSize {
					w.stamp[v] = w.time
					w.time++
				}
			}
		}
		f = w.next(around)
	}
	return out
}

type tipsify struct {
	idx    []uint32
	live   []int32 // triangles left at each vertex
	stamp  []int32 // when the vertex entered the cache
	dead   []uint32
	time   int32
	cursor int
}

// next picks the vertex to fan round: the one just seen that stays longest in the cache, otherwise a recent one, otherwise any.
func (w *tipsify) next(around []uint32) int {
	best, bestAge := -1, int32(-1)
	for _, v := range around {
		if w.live[v] == 0 {
			continue
		}
		age := int32(0)
		if a := w.time - w.stamp[v]; a+2*w.live[v] <= cacheSize {
			age = a
		}
		if age > bestAge {
			best, bestAge = int(v), age
		}
	}
	if best >= 0 {
		return best
	}
	for len(w.dead) > 0 {
		v := w.dead[len(w.dead)-1]
		w.dead = w.dead[:len(w.dead)-1]
		if w.live[v] > 0 {
			return int(v)
		}
	}
	for ; w.cursor < len(w.live); w.cursor++ {
		if w.live[w.cursor] > 0 {
			return w.cursor
		}
	}
	return -1
}
