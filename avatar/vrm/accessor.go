package vrm

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The component types of glTF 2.0 section 3.6.2.2.
const (
	int8Type    = 5120
	uint8Type   = 5121
	int16Type   = 5122
	uint16Type  = 5123
	uint32Type  = 5125
	float32Type = 5126
)

var widths = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

// span is an accessor whose every element is known to lie inside its buffer.
type span struct {
	data   []byte // nil: all zeros
	count  int
	stride int
	comp   int
	size   int // bytes a component
	width  int // components an element
	norm   bool
	// sparse replacements: places are element numbers, values are packed
	places    []byte
	placeSize int
	values    []byte
	replaced  int
}

func componentSize(comp int) int {
	switch comp {
	case int8Type, uint8Type:
		return 1
	case int16Type, uint16Type:
		return 2
	case uint32Type, float32Type:
		return 4
	}
	return 0
}

// accessor resolves accessor i and checks its bounds; nothing is allocated.
func (f *file) accessor(i int) (span, error) {
	s, err := f.resolve(i)
	if err != nil {
		return span{}, fmt.Errorf("accessor %d: %w", i, err)
	}
	return s, nil
}

func (f *file) resolve(i int) (span, error) {
	if i < 0 || i >= len(f.Accessors) {
		return span{}, fmt.Errorf("does not exist")
	}
	a := &f.Accessors[i]
	s := span{comp: a.ComponentType, size: componentSize(a.ComponentType), width: widths[a.Type], norm: a.Normalized}
	if s.size == 0 {
		return s, fmt.Errorf("component type %d is unknown", a.ComponentType)
	}
	if s.width == 0 {
		return s, fmt.Errorf("type %q is unknown", clip(a.Type, 20))
	}
	if a.Count < 0 || a.Count > maxIndices {
		return s, fmt.Errorf("count %d is out of bounds", a.Count)
	}
	s.count = int(a.Count)
	s.stride = s.size * s.width
	if a.BufferView != nil {
		v, err := f.view(*a.BufferView)
		if err != nil {
			return s, err
		}
		if st := f.BufferViews[*a.BufferView].ByteStride; st != 0 {
			if st < int64(s.stride) || st > 1<<16 {
				return s, fmt.Errorf("stride %d does not fit elements of %d bytes", st, s.stride)
			}
			s.stride = int(st)
		}
		if s.data, err = within(v, a.ByteOffset, int64(s.count), int64(s.stride), int64(s.size*s.width)); err != nil {
			return s, err
		}
	}
	if a.Sparse != nil {
		return s, f.resolveSparse(a, &s)
	}
	return s, nil
}

func (f *file) resolveSparse(a *jsonAccessor, s *span) error {
	sp := a.Sparse
	if sp.Count < 0 || sp.Count > a.Count {
		return fmt.Errorf("sparse count %d is more than the count %d", sp.Count, a.Count)
	}
	switch sp.Indices.ComponentType {
	case uint8Type, uint16Type, uint32Type:
		s.placeSize = componentSize(sp.Indices.ComponentType)
	default:
		return fmt.Errorf("sparse index type %d is unknown", sp.Indices.ComponentType)
	}
	if sp.Indices.BufferView == nil || sp.Values.BufferView == nil {
		return fmt.Errorf("sparse data has no bufferView")
	}
	iv, err := f.view(*sp.Indices.BufferView)
	if err != nil {
		return err
	}
	vv, err := f.view(*sp.Values.BufferView)
	if err != nil {
		return err
	}
	elem := int64(s.size * s.width)
	if s.places, err = within(iv, sp.Indices.ByteOffset, sp.Count, int64(s.placeSize), int64(s.placeSize)); err != nil {
		return err
	}
	if s.values, err = within(vv, sp.Values.ByteOffset, sp.Count, elem, elem); err != nil {
		return err
	}
	s.replaced = int(sp.Count)
	for k := 0; k < s.replaced; k++ {
		if p := s.place(k); p >= uint32(s.count) {
			return fmt.Errorf("sparse index %d is beyond the count %d", p, s.count)
		}
	}
	return nil
}

// within checks offset + stride*(count-1) + size <= len(v) without overflow and returns the bytes from offset on.
func within(v []byte, offset, count, stride, size int64) ([]byte, error) {
	n := int64(len(v))
	if offset < 0 || offset > n {
		return nil, fmt.Errorf("byteOffset %d lies outside its bufferView of %d bytes", offset, n)
	}
	if count == 0 {
		return v[offset:offset], nil
	}
	if room := n - offset; room < size || (count-1) > (room-size)/stride {
		return nil, fmt.Errorf("%d elements of %d bytes do not fit the %d bytes of its bufferView", count, stride, n-offset)
	}
	return v[offset:], nil
}

// place returns the element number of the k-th sparse replacement.
func (s *span) place(k int) uint32 {
	switch s.placeSize {
	case 1:
		return uint32(s.places[k])
	case 2:
		return uint32(binary.LittleEndian.Uint16(s.places[k*2:]))
	}
	return binary.LittleEndian.Uint32(s.places[k*4:])
}

// number decodes component k of the element at b; normalised integers become -1..1 or 0..1 (section 3.6.2.4).
func (s *span) number(b []byte, k int) float32 {
	switch s.comp {
	case float32Type:
		return math.Float32frombits(binary.LittleEndian.Uint32(b[k*4:]))
	case uint8Type:
		if v := float32(b[k]); s.norm {
			return v / 255
		} else {
			return v
		}
	case int8Type:
		if v := float32(int8(b[k])); s.norm {
			return max(v/127, -1)
		} else {
			return v
		}
	case uint16Type:
		if v := float32(binary.LittleEndian.Uint16(b[k*2:])); s.norm {
			return v / 65535
		} else {
			return v
		}
	case int16Type:
		if v := float32(int16(binary.LittleEndian.Uint16(b[k*2:]))); s.norm {
			return max(v/32767, -1)
		} else {
			return v
		}
	}
	return float32(binary.LittleEndian.Uint32(b[k*4:]))
}

// whole decodes component k of the element at b as an unsigned integer.
func (s *span) whole(b []byte, k int) uint32 {
	switch s.size {
	case 1:
		return uint32(b[k])
	case 2:
		return uint32(binary.LittleEndian.Uint16(b[k*2:]))
	}
	return binary.LittleEndian.Uint32(b[k*4:])
}

// each calls do for every stored element, the sparse replacements last. Elements not called for are zero.
func (s *span) each(do func(i int, b []byte)) {
	if s.data != nil {
		for i, o := 0, 0; i < s.count; i, o = i+1, o+s.stride {
			do(i, s.data[o:])
		}
	}
	elem := s.size * s.width
	for k := 0; k < s.replaced; k++ {
		do(int(s.place(k)), s.values[k*elem:])
	}
}

type vector interface {
	~[1]float32 | ~[2]float32 | ~[3]float32 | ~[4]float32 | ~[16]float32
}

// vectors reads an accessor whose elements have as many components as V. Numbers that are not finite, or beyond
// what a model can mean, become 0 and are counted in f.cleaned.
func vectors[V vector](f *file, i int) ([]V, error) {
	s, err := f.accessor(i)
	if err != nil {
		return nil, err
	}
	var zero V
	if s.width != len(zero) {
		return nil, fmt.Errorf("accessor %d: type %s where %d components belong", i, clip(f.Accessors[i].Type, 20), len(zero))
	}
	if err := f.unfold(&s, int64(s.count)*int64(len(zero))*4); err != nil {
		return nil, fmt.Errorf("accessor %d: %w", i, err)
	}
	out := make([]V, s.count)
	if s.comp == float32Type {
		s.each(func(i int, b []byte) {
			v := &out[i]
			for k := range len(zero) {
				x := math.Float32frombits(binary.LittleEndian.Uint32(b[k*4:]))
				if !(x > -maxLength && x < maxLength) {
					x = 0
					f.cleaned++
				}
				(*v)[k] = x
			}
		})
		return out, nil
	}
	s.each(func(i int, b []byte) {
		for k := range len(zero) {
			out[i][k] = s.number(b, k)
		}
	})
	return out, nil
}

// wholes reads an accessor of unsigned integers, width components an element, one after the other.
func (f *file) wholes(i, width int) ([]uint32, error) {
	s, err := f.accessor(i)
	if err != nil {
		return nil, err
	}
	if s.width != width || s.comp == float32Type || s.comp == int8Type || s.comp == int16Type {
		return nil, fmt.Errorf("accessor %d: %s of component type %d where whole numbers belong", i, clip(f.Accessors[i].Type, 20), s.comp)
	}
	if err := f.unfold(&s, int64(s.count)*int64(width)*4); err != nil {
		return nil, fmt.Errorf("accessor %d: %w", i, err)
	}
	out := make([]uint32, s.count*width)
	s.each(func(i int, b []byte) {
		for k := range width {
			out[i*width+k] = s.whole(b, k)
		}
	})
	return out, nil
}
