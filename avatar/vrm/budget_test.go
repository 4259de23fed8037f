package vrm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image/color"
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	b := newBudget(maxMemory)
	if err := b.take(maxMemory - 100); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{-1, 101, math.MaxInt64, math.MinInt64} {
		if b.take(n) == nil || b.borrow(n) == nil {
			t.Errorf("%d of 100 bytes are given", n)
		}
	}
	if err := b.borrow(60); err != nil {
		t.Fatal(err)
	}
	second := make(chan error)
	go func() { second <- b.borrow(60) }() // there in time, but not now
	select {
	case err := <-second:
		t.Fatal("lent twice:", err)
	case <-time.After(20 * time.Millisecond):
	}
	b.repay(60)
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	b.repay(60)
	if b.left != 100 || b.lent != 0 {
		t.Errorf("%d bytes are left, %d lent", b.left, b.lent)
	}
}

// A file that takes too much is told which part of it did.
func TestMemoryNamesThePart(t *testing.T) {
	data := vrm1(func(g *glb, _ obj, _ map[string]int) {
		mesh, _ := g.triangle()
		g.paint(mesh, obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": g.texture(picture(300, 200, color.NRGBA{10, 20, 30, 255}), "image/png")}}})
	})
	all := newBudget(maxMemory)
	f, err := openWithin(data, all)
	if err != nil {
		t.Fatal(err)
	}
	opened := maxMemory - all.left
	if _, err := f.load(kindVRM1); err != nil {
		t.Fatal(err)
	}
	whole := maxMemory - all.left
	for _, c := range []struct {
		part string
		left int64
	}{
		{"read file: ", int64(len(data)) - 1},
		{"read JSON: ", opened - 1},
		{"accessor ", opened + 1},
		{"read image 0", whole - 1},
	} {
		f, err := openWithin(data, newBudget(c.left))
		if err == nil {
			_, err = f.load(kindVRM1)
		}
		if !errors.Is(err, errMemory) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("with %d bytes: %v, want %q", c.left, err, c.part)
		}
	}
}

// The largest pictures that are read keep to the memory of one load, with what is collected late.
func TestGreatPicturesKeepToTheMemory(t *testing.T) {
	rows := maxImageSide
	if underRace {
		rows /= 16 // or it takes minutes
	}
	for name, bytes := range map[string]int{"row by row": 3, "whole": 1} {
		t.Run(name, func(t *testing.T) {
			great := blackPNG(t, rows, rows, bytes)
			data := vrm1(func(g *glb, _ obj, _ map[string]int) {
				for range 4 {
					mesh, _ := g.triangle()
					g.paint(mesh, obj{"pbrMetallicRoughness": obj{"baseColorTexture": obj{"index": g.texture(great, "image/png")}}})
				}
			})
			stop := watchHeap()
			m, err := Load(data)
			grown := stop()
			if err != nil || len(m.Textures) != 4 || len(m.Warnings) > 0 {
				t.Fatal(m, err)
			}
			t.Logf("the heap grew by %d MB", grown>>20)
			if grown > maxMemory/2 { // far below the bound: none of them is there whole, or one at a time is
				t.Errorf("the heap grew by %d MB; one load may hold %d MB", grown>>20, maxMemory>>20)
			}
		})
	}
}

// watchHeap measures by how much the heap grows until it is stopped.
func watchHeap() (stop func() (grown uint64)) {
	heap := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64() + s[1].Value.Uint64()
	}
	runtime.GC()
	before, most := heap(), uint64(0)
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most = max(most, heap())
			select {
			case <-end:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(end)
		<-ended
		return most - min(before, most)
	}
}

// blackPNG is a small file of a large picture, maxImageSide wide and height high, of which as many rows are there as asked
// for: of three bytes a pixel, as our own reader takes it, or one.
func blackPNG(t *testing.T, height, rows, size int) []byte {
	t.Helper()
	out := []byte(pngMagic)
	part := func(kind string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		from := len(out)
		out = append(append(out, kind...), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, maxImageSide), uint32(height))
	part("IHDR", append(head, 8, byte(size-1), 0, 0, 0))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	row := make([]byte, 1+maxImageSide*size)
	for range rows {
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	part("IDAT", packed.Bytes())
	part("IEND", nil)
	return out
}
