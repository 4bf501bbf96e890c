package engine

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"retrylab/engine/dist"
	"retrylab/policy"
)

func cpuNs() int64 {
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

func perfModel(chains int, window time.Duration) *Model {
	m := DefaultModel()
	m.Window = window
	for c := range chains {
		cl := DefaultClient()
		cl.Name = fmt.Sprint("c", c)
		cl.Call.To = fmt.Sprintf("s%d.0", c)
		m.Clients = append(m.Clients, cl)
		for i := range 5 {
			s := DefaultService()
			s.Name, s.Time = fmt.Sprintf("s%d.%d", c, i), dist.Exponential(time.Millisecond)
			s.Limit = Limit{100, "waiting"}
			if i == 2 {
				s.Failure = .5
			}
			if i < 4 {
				k := DefaultCall()
				k.To = fmt.Sprintf("s%d.%d", c, i+1)
				k.Policy = policy.DefaultRetry()
				s.Calls = []Call{k}
			}
			m.Services = append(m.Services, s)
		}
	}
	return &m
}

func TestPerf(t *testing.T) {
	runtime.LockOSThread()
	for _, w := range []time.Duration{0, time.Second} {
		m := perfModel(1, w)
		m.Duration = 5 * time.Second
		p, probs := Compile(m)
		if probs != nil {
			t.Fatal(probs)
		}
		s := NewSim()
		best := 1e9
		for k := range 400 {
			c0 := cpuNs()
			y := s.Run(p, Key{1, 2, uint64(k % 5)})
			best = min(best, float64(cpuNs()-c0)/float64(y.Events))
		}
		fmt.Println("ns/event", w, best)
	}
}

func TestPerf500(t *testing.T) {
	runtime.LockOSThread()
	m := perfModel(100, 0)
	m.Duration = 2 * time.Second
	p, _ := Compile(m)
	s := NewSim()
	best := 1e9
	for k := range 30 {
		c0 := cpuNs()
		y := s.Run(p, Key{1, 2, uint64(k)})
		best = min(best, float64(cpuNs()-c0)/float64(y.Events))
	}
	fmt.Println("500 services ns/event", best)
}

func TestCG(t *testing.T) {
	p, _ := Compile(perfModel(1, 0))
	s := NewSim()
	ev := int64(0)
	for k := range 4 {
		ev += s.Run(p, Key{1, 2, uint64(k)}).Events
	}
	fmt.Println("events", ev)
}
