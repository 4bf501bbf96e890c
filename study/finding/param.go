package finding

import "strings"

// Param is the meaning of a named setting of a retry API.
type Param int

// Meanings of settings.
const (
	ParamNone    Param = iota
	ParamCount         // a number of attempts or retries (which of the two is the API's CountRule)
	ParamBase          // the first or the fixed wait
	ParamCap           // the longest wait
	ParamFactor        // growth per attempt; one or less means constant
	ParamJitter        // a random part; zero, false or none switches it off
	ParamElapsed       // a limit on the whole time
)

// params maps setting names, lower case without separators and without the
// prefixes set and with. An API's own table goes first where a name lies.
var params = map[string]Param{}

func init() {
	for p, names := range map[Param]string{
		ParamCount: `retries maxretries maxretry retrycount retrymax maxretrycount numretries retrylimit retrytimes maxretrytimes
			attempts maxattempts maxattempt numattempts numofattempts totalmaxattempts retryattempts maxretryattempts attemptlimit
			tries maxtries steps maximumattempts maximumretries stopmaxattemptnumber maxcallstotal callcount maxreconnects
			maxreconnectattempts reconnectattempts retriesnumber numberofretries numberofattempts retrymaxattempts maxtry
			maxattemptnumber retrynum numretry connectionattempts`,
		ParamBase: `initialinterval delay retrydelay retrywaitmin waittime retrywaittime retrywait minbackoff duration basedelay
			initialdelay initialbackoff mintimeout starttimeout startingdelay mininterval initialretrytime retryinterval interval
			waitduration backoff firstbackoff baseinterval backoffinitial initial base basebackoff minretrybackoff initialgapsize
			retrybackoff reconnectwait mindelay minwait waitmin initialwait waitinitial`,
		ParamCap: `maxinterval maxdelay retrywaitmax retrymaxwaittime cap maxbackoff maximuminterval maxtimeout maxretrytime maximum
			backoffmax maxsleeptime maxretrydelay waitmax maxwait maxretrybackoff retrybackoffmax maxwaittime cappedduration`,
		ParamFactor: `multiplier factor backoffcoefficient backoffmultiplier backofffactor timemultiple exponent waitexpbase
			expbase retrydelaymultiplier base2 growth growthfactor`,
		ParamJitter: `jitter randomizationfactor maxjitter jitterfactor jitterpercent jitterfraction randomize waitjitter
			maxjittersize retryjitter backoffjitter randomizedwaitfactor`,
		ParamElapsed: `maxelapsedtime maxduration maxtime stopmaxdelay retrytimeout totaltimeout deadline maxretryduration`,
	} {
		for name := range strings.FieldsSeq(names) {
			params[name] = p
		}
	}
}

var paramSeparators = strings.NewReplacer("_", "", "-", "", ".", "")

// ParamOf reads the meaning of a setting from its name in any style
// (MaxRetries, max_retries, WithMaxRetries, max-retries).
func ParamOf(name string) Param {
	s := paramSeparators.Replace(strings.ToLower(name))
	if p, ok := params[s]; ok {
		return p
	}
	for _, prefix := range []string{"with", "set", "default"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return params[rest]
		}
	}
	return ParamNone
}
