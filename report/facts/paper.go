package facts

import (
	"encoding/json"
	"fmt"
)

// PaperValues is every figure that the paper states. Shares are in percent,
// half-widths ("half") in percentage points or in units of RAF.
type PaperValues struct {
	About        string             `json:"about"`
	Source       string             `json:"source"`
	Equations    Equations          `json:"equations"`
	TableI       TableI             `json:"table1"`
	AntiPatterns []Count            `json:"anti_patterns"`
	Setup        Setup              `json:"setup"`
	TableII      map[string]TableII `json:"table2"`
	TableIII     StrategyTable      `json:"table3"`
	TableIV      StrategyTable      `json:"table4"`
	TableV       []TableV           `json:"table5"`
	RelativeLoss float64            `json:"relative_degradation_s3"`
}

// Equations are the printed values of eq. 2 and 3.
type Equations struct {
	Single Equation   `json:"raf_single"`
	Chain  []Equation `json:"raf_chain"`
}

// Equation is a printed value of eq. 2 (one tier) or eq. 3 (depth D).
type Equation struct {
	// P is the failure probability, N the retries, D the tiers.
	P float64 `json:"p"`
	N int     `json:"n"`
	D int     `json:"d"`
	// Tier is the amplification of one tier, Value that of the whole.
	Tier  float64 `json:"tier"`
	Value float64 `json:"value"`
}

// Count is a printed share with the counts behind it.
type Count struct {
	// Row is the label in Table I; Name that of an anti-pattern.
	Row  string `json:"row"`
	Name string `json:"name"`
	// Count out of Of; Share is the printed percentage.
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	// Half, or Low and High, is the printed interval; 0 if none is printed.
	Half     float64 `json:"half"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Interval string  `json:"interval"`
}

// TableI is the paper's study of repositories: Table I and section IV.
type TableI struct {
	Repositories    int                `json:"repositories_scanned"`
	Detected        int                `json:"repositories_detected"`
	Configurations  int                `json:"configurations"`
	RawDetections   int                `json:"raw_detections"`
	NonProduction   int                `json:"excluded_non_production"`
	Duplicates      int                `json:"collapsed_duplicates"`
	AfterExclusion  int                `json:"after_exclusion"`
	RawByPattern    map[string]int     `json:"raw_by_pattern"`
	Candidates      int                `json:"candidates"`
	CandidateShare  map[string]float64 `json:"candidate_share"`
	Rows            []Count            `json:"rows"`
	DetectionRate   Count              `json:"detection_rate"`
	Precision       Count              `json:"precision"`
	FalseNegatives  Count              `json:"false_negative_rate"`
	Prevalence      Count              `json:"prevalence"`
	JitterOpened    int                `json:"jitter_candidates_opened"`
	JitterNot       int                `json:"jitter_not_randomizing"`
	JitterTwice     int                `json:"jitter_same_construct_twice"`
	JitterDistinct  int                `json:"jitter_distinct"`
	JitterDocuments int                `json:"jitter_documentation"`
}

// Setup is the simulated system as the text states it.
type Setup struct {
	Tiers       []string           `json:"tiers"`
	CapacityRPS float64            `json:"capacity_rps"`
	LoadRPS     float64            `json:"base_load_rps"`
	Retries     int                `json:"retries"`
	BackoffMs   []float64          `json:"backoff_ms"`
	Jitter      bool               `json:"jitter"`
	Trials      int                `json:"trials"`
	Scenarios   map[string]string  `json:"scenarios"`
	Breaker     map[string]float64 `json:"breaker"`
	ARB         map[string]float64 `json:"arb"`
}

// TableII is a printed prediction: RAF, or RAFLow to RAFHigh.
type TableII struct {
	RAF     float64 `json:"raf"`
	RAFLow  float64 `json:"raf_low"`
	RAFHigh float64 `json:"raf_high"`
}

// TableV is a row of the comparison of approaches.
type TableV struct {
	Approach  string `json:"approach"`
	Adapts    string `json:"adapts"`
	CrossTier string `json:"cross_tier"`
	Control   string `json:"control"`
	// S3RAF is nil where the paper prints a dash.
	S3RAF *float64 `json:"s3_raf"`
}

// StrategyTable is Table III or IV: a value for each strategy and scenario, and
// one printed half-width for all of them.
type StrategyTable struct {
	// Half is the printed half-width of the intervals.
	Half  float64
	cells map[string]map[string]float64
}

// Cell returns the printed value; false if the paper has no such cell.
func (t StrategyTable) Cell(strategy, scenario string) (float64, bool) {
	value, ok := t.cells[strategy][scenario]
	return value, ok
}

// UnmarshalJSON reads an object with a key per strategy and the key "half".
func (t *StrategyTable) UnmarshalJSON(text []byte) error {
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw["half"], &t.Half); err != nil {
		return fmt.Errorf("half: %w", err)
	}
	delete(raw, "half")
	t.cells = make(map[string]map[string]float64, len(raw))
	for strategy, row := range raw {
		cells := map[string]float64{}
		if err := json.Unmarshal(row, &cells); err != nil {
			return fmt.Errorf("%s: %w", strategy, err)
		}
		t.cells[strategy] = cells
	}
	return nil
}
