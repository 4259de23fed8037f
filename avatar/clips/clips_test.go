package clips

import "testing"

func TestPools(t *testing.T) {
	for i := range pools {
		for _, c := range Pool(pools[i].id) {
			if PoolOf(c) != pools[i].id || Pool(c) != nil {
				t.Errorf("%s of %s: pool %q", c, pools[i].id, PoolOf(c))
			}
		}
	}
	if Pool(Walk) != nil || PoolOf(Walk) != "" || PoolOf(Idle) != "" || len(Pool(Talk)) != 2 {
		t.Error("a clip of its own is taken for a pool, or a pool for a clip")
	}
}
