package queueing

// Station is one stop of a [Tandem]: exponential servers behind one unlimited
// queue.
type Station struct {
	// ServiceRate is completions per second of one busy server, above 0.
	ServiceRate float64
	// Servers is their number, at least 1.
	Servers int
}

// Tandem returns the steady state of each station of a chain that every request
// passes in order, a server being free again as soon as its own service ends,
// and the mean seconds end to end. Each station behaves like M/M/c with the
// same arrival rate, independently of the others: what leaves M/M/c is Poisson
// (Burke, The Output of a Queuing System, Operations Research 4, 1956), and the
// joint law is a product (Jackson, Networks of Waiting Lines, Operations
// Research 5, 1957). The total is +Inf when any station is overloaded; stations
// behind it are then given the full arrival rate, which they never see.
func Tandem(arrivalRate float64, stations []Station) (each []Steady, sojourn float64) {
	each = make([]Steady, len(stations))
	for i, s := range stations {
		each[i] = MMc(arrivalRate, s.ServiceRate, s.Servers)
		sojourn += each[i].Sojourn
	}
	return each, sojourn
}
