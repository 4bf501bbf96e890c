package confscan

import (
	"regexp"
	"sort"
	"strings"
	"time"

	"retrylab/study/finding"
)

// setting is one value with its dotted name, from a tree or a properties file.
type setting struct {
	name, value string
	line        int
}

// properties reads a Java properties file; comments are left out, so settings
// that are commented out do not count.
func (s *scan) properties(text string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		i := strings.IndexAny(line, "=:")
		if i > 0 {
			s.flat = append(s.flat, setting{strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:]), n})
		}
	}
	s.springSettings(s.flat)
}

// springTree says whether a path belongs to settings that are read by their
// dotted names, however the tree is cut.
func (s *scan) springTree(at []string) bool {
	p := strings.ToLower(strings.Join(at, "."))
	for _, prefix := range []string{"resilience4j.", "spring.", "dubbo.", "ribbon"} {
		if strings.HasPrefix(p, prefix) {
			return true
		}
	}
	return false
}

// group describes settings that share a prefix and make one policy.
type group struct {
	prefix *regexp.Regexp // its match is the policy's identity
	policy policy
	needs  string // without this setting there is no policy; "" = any
}

var relaxed = strings.NewReplacer("-", "", "_", "")

var groups = []group{
	{regexp.MustCompile(`^resilience4j\.retry\.(configs|instances|backends)\.[^.]+\.`), policy{
		api:  row("resilience4j.retry", conf, finding.RuleConfig, totals, 3, cons, 500*time.Millisecond, finding.No),
		unit: time.Millisecond,
		names: map[string]finding.Param{
			"exponentialbackoffmultiplier": finding.ParamFactor, "exponentialmaxwaitduration": finding.ParamCap, "enablerandomizedwait": finding.ParamJitter,
			"randomizedwaitfactor": finding.ParamNone, "maxretryattempts": finding.ParamCount,
		}}, ""},
	{regexp.MustCompile(`^spring\.rabbitmq\.(listener\.[^.]+|template)\.retry\.`), policy{
		api: row("spring.rabbitmq.retry", conf, finding.RuleConfig, totals, 3, cons, time.Second, finding.No), unit: time.Millisecond}, "enabled"},
	{regexp.MustCompile(`^spring\.kafka\.retry\.topic\.`), policy{
		api: row("spring.kafka.retry", conf, finding.RuleConfig, totals, 3, cons, time.Second, finding.No), unit: time.Millisecond}, "enabled"},
	{regexp.MustCompile(`^spring\.cloud\.config\.retry\.`), policy{
		api: row("spring.cloud.config.retry", conf, finding.RuleConfig, totals, 6, expo, time.Second, finding.No), unit: time.Millisecond}, ""},
	{regexp.MustCompile(`^spring\.cloud\.loadbalancer\.retry\.`), policy{
		api: row("spring.cloud.loadbalancer.retry", conf, finding.RuleConfig, retries, 1, none, 0, finding.No), unit: time.Millisecond,
		names: map[string]finding.Param{"maxretriesonnextserviceinstance": finding.ParamCount, "maxretriesonsameserviceinstance": finding.ParamNone}}, ""},
	{regexp.MustCompile(`^(?:[^.]+\.)?ribbon\.`), policy{
		api: row("ribbon.MaxAutoRetries", conf, finding.RuleConfig, retries, 0, none, 0, finding.No), unit: time.Millisecond,
		names: map[string]finding.Param{"maxautoretriesnextserver": finding.ParamCount, "maxautoretries": finding.ParamNone}}, "maxautoretriesnextserver"},
	{regexp.MustCompile(`^dubbo\.(consumer|provider|reference[^=]*|service[^=]*)\.`), policy{
		api: row("dubbo.retries", conf, finding.RuleConfig, retries, 2, none, 0, finding.No), unit: time.Millisecond}, "retries"},
	{regexp.MustCompile(`^(?:[\w.$]+/)?(?:[\w$]+/)?retry/`), policy{
		api:  row("microprofile.Retry", conf, finding.RuleConfig, finding.CountRule{Unlimited: []int64{-1}}, 3, none, 0, finding.Yes),
		unit: time.Millisecond}, ""},
}

// springSettings joins settings of one policy and reports each policy once.
func (s *scan) springSettings(list []setting) {
	for _, g := range groups {
		type found struct {
			f    finding.Finding
			seen bool
			base string
		}
		byID := map[string]*found{}
		var order []string
		for _, x := range list {
			low := strings.ToLower(x.name)
			id := g.prefix.FindString(low)
			if id == "" {
				continue
			}
			p := byID[id]
			if p == nil {
				p = &found{f: g.policy.api.New(x.line, x.line)}
				byID[id] = p
				order = append(order, id)
			}
			key := relaxed.Replace(low[len(id):])
			p.f.SpanEnd = x.line
			p.seen = p.seen || g.needs == "" || key == g.needs
			if key == "baseconfig" {
				p.base = x.value
			}
			if key == "enableexponentialbackoff" && !isFalse(x.value) {
				p.f.Backoff = expo
			}
			if key[strings.LastIndexByte(key, '.')+1:] != "" {
				g.policy.set(&p.f, key[strings.LastIndexByte(key, '.')+1:], x.value)
			}
		}
		for _, id := range order {
			p := byID[id]
			if base := byID["resilience4j.retry.configs."+strings.ToLower(p.base)+"."]; p.base != "" && base != nil && p.f.CountSource == finding.SourceDefault {
				line, end := p.f.Line, p.f.SpanEnd
				p.f = base.f
				p.f.Line, p.f.SpanEnd = line, end
			}
			if p.seen {
				s.add(p.f)
			}
		}
	}
	s.gatewayFilters(list)
}

var (
	filterName     = regexp.MustCompile(`^spring\.cloud\.gateway\..*filters(\[\d+\])?(\.name)?$`)
	gatewayRetries = policy{api: row("spring-cloud-gateway.Retry", conf, finding.RuleConfig, retries, 3, none, 0, finding.No), unit: time.Millisecond}
)

// gatewayFilters finds the Retry filter of Spring Cloud Gateway in its short
// form (Retry=3) and in its long form (name: Retry, args).
func (s *scan) gatewayFilters(list []setting) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].line < list[j].line })
	for i, x := range list {
		if !filterName.MatchString(strings.ToLower(x.name)) {
			continue
		}
		short, isShort := strings.CutPrefix(x.value, "Retry=")
		if !isShort && x.value != "Retry" {
			continue
		}
		f := gatewayRetries.api.New(x.line, x.line)
		if isShort {
			count, _, _ := strings.Cut(short, ",")
			gatewayRetries.set(&f, "retries", count)
		}
		for _, y := range list[i+1:] {
			rest := strings.ToLower(y.name)
			if isShort || !strings.Contains(rest, ".args.") || y.line > f.SpanEnd+2 {
				break
			}
			f.SpanEnd = y.line
			key := y.name[strings.LastIndexByte(y.name, '.')+1:]
			gatewayRetries.set(&f, key, y.value)
			if strings.EqualFold(key, "firstBackoff") {
				f.Backoff = expo
			}
		}
		s.add(f)
	}
}
