package finding

// Languages.
const (
	LangGo         = "go"
	LangPython     = "python"
	LangJava       = "java"
	LangJavaScript = "javascript"
	LangTypeScript = "typescript"
	LangYAML       = "yaml"
	LangJSON       = "json"
	LangProperties = "properties"
)

// Mechanisms: by what means the code retries.
const (
	MechLibrary    = "library call"
	MechDecorator  = "decorator" // decorator or annotation
	MechHandRolled = "hand-rolled loop"
	MechAdapter    = "HTTP adapter"
	MechGRPC       = "grpc service config"
	MechMesh       = "service mesh"
	MechConfig     = "config file"
)

// Forms of hand-rolled retries.
const (
	FormLoop      = "loop"
	FormRecursion = "recursion"
	FormTimer     = "timer"
	FormRequeue   = "re-queue"
	FormGoto      = "goto"
	FormInline    = "inline second try"
)

// Bounds: what ends the retrying.
const (
	BoundCount    = "count"
	BoundElapsed  = "elapsed time"
	BoundDeadline = "deadline"
	BoundNone     = "none"
	BoundUnknown  = "unknown"
)

// Sources: where a value comes from.
const (
	SourceLiteral  = "literal"
	SourceConstant = "constant" // a named constant or parameter default that was resolved
	SourceDefault  = "default"  // the library's own default
	SourceRuntime  = "runtime"  // parameter, flag, environment, settings
	SourceFlow     = "flow"     // jitter only: a random value flows into the wait
	SourceUnknown  = "unknown"
)

// Backoff kinds.
const (
	BackoffNone        = "none"
	BackoffConstant    = "constant"
	BackoffLinear      = "linear"
	BackoffExponential = "exponential" // polynomial and Fibonacci too, see BackoffSub
	BackoffServer      = "server-driven"
	BackoffUnknown     = "unknown"
)

// Answers and confidence.
const (
	Yes     = "yes"
	No      = "no"
	Unknown = "unknown"

	High   = "high"
	Medium = "medium"
	Low    = "low"
)

// Scopes.
const (
	ScopeRemote = "remote"
	ScopeLocal  = "local"
)

// Detection rules: what was recognised. The advice rules of the team mode
// (missing jitter and so on) are in package study.
const (
	RuleLibrary   = "retry-library"    // call, options or client of a retry library or of a client with retries
	RuleDecorator = "retry-decorator"  // decorator or annotation of a library or of the project itself
	RuleLoop      = "retry-loop"       // hand-rolled, a loop statement
	RuleRecursion = "retry-recursion"  // hand-rolled, the function calls itself after a failure
	RuleTimer     = "retry-timer"      // hand-rolled, a timer or scheduler calls again
	RuleRequeue   = "retry-requeue"    // hand-rolled, the work is queued again
	RuleGoto      = "retry-goto"       // hand-rolled, a jump back
	RuleInline    = "retry-inline"     // hand-rolled, one second try written out
	RuleSetting   = "retry-setting"    // a default of a framework: a settings entry or a class attribute
	RuleGRPC      = "retry-grpc"       // gRPC service configuration
	RuleMesh      = "retry-mesh"       // Istio, Envoy, Linkerd, Kuma, Gateway API
	RuleConfig    = "retry-config"     // resilience4j, Spring, Dapr, Argo and the like
	RuleShellLoop = "retry-shell-loop" // a shell loop inside a configuration file
)

// RuleOfForm maps a hand-rolled form to its rule.
func RuleOfForm(form string) string {
	switch form {
	case FormRecursion:
		return RuleRecursion
	case FormTimer:
		return RuleTimer
	case FormRequeue:
		return RuleRequeue
	case FormGoto:
		return RuleGoto
	case FormInline:
		return RuleInline
	}
	return RuleLoop
}
