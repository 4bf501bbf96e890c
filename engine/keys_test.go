package engine

import (
	"testing"

	"retrylab/engine/rng"
)

// TestStreamsOfATrialDiffer: no two of a trial's streams, whatever their purpose and entity, share a draw.
func TestStreamsOfATrialDiffer(t *testing.T) {
	owner := map[uint64][3]uint64{}
	s := NewSim()
	for trial := range uint64(4) {
		s.trial = rng.Key(1, 0, trial)
		for purpose := forArrivals; purpose <= forInstance; purpose++ {
			for entity := range 40 {
				stream := s.stream(purpose, entity)
				for range 60 {
					draw, who := stream.Uint64(), [3]uint64{trial, purpose, uint64(entity)}
					if other, taken := owner[draw]; taken {
						t.Fatalf("trial, purpose and entity %v and %v share draw %#x", who, other, draw)
					}
					owner[draw] = who
				}
			}
		}
	}
}
