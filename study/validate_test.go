package study_test

import (
	"fmt"
	"strings"
	"testing"

	"retrylab/study"
)

func rowsFor(n int) (rows []study.FindingRow) {
	for i := range n {
		rows = append(rows, study.FindingRow{Repo: "o/r", Path: "a.py", Line: int64(i + 1), SpanEnd: int64(i + 1), Rule: "retry-loop", Backoff: "none", Jitter: "no"})
	}
	return rows
}

func TestSampleIsSeededAndIndependentOfOrder(t *testing.T) {
	rows := rowsFor(100)
	a := study.SampleFindings(rows, 10, 1)
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	if b := study.SampleFindings(rows, 10, 1); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("the order of the rows changes the sample")
	}
	if c := study.SampleFindings(rows, 10, 2); fmt.Sprint(a) == fmt.Sprint(c) {
		t.Error("another seed gives the same sample")
	}
}

func TestSilentFilesSpeakOfRetryingAndHaveNoFinding(t *testing.T) {
	dir := folder(t, map[string]string{"a.py": "# retry\n", "b.py": "max_retries = 3\n", "c.py": "x = 1\n", "tests/d.py": "retry\n", "e.txt": "retry\n"})
	wants := func(p string) bool { return strings.HasSuffix(p, ".py") }
	got, err := study.SampleSilent(t.Context(), []study.Source{{Dir: dir, Name: "o/r"}}, []study.FindingRow{{Repo: "o/r", Path: "b.py"}}, wants, 9, 1)
	if err != nil || len(got) != 1 || got[0].Path != "a.py" {
		t.Errorf("got %v, %v; want a.py alone", got, err)
	}
	var b strings.Builder
	if err := study.WriteReview(t.Context(), &b, got, func(string) string { return dir }); err != nil || !strings.Contains(b.String(), "1 # retry") {
		t.Errorf("review %q, %v", b.String(), err)
	}
}

func TestSheetRoundTripAndScore(t *testing.T) {
	items := study.SampleFindings(rowsFor(4), 4, 1)
	items = append(items, study.Item{ID: "S001", Kind: study.ItemSilent, Repo: "o/r", Path: "x.py", Verdict: study.VerdictTrue, Reason: "a loop, missed"})
	items[0].Verdict, items[0].Reason = study.VerdictTrue, "dials again, with \"quotes\""
	items[1].Verdict, items[1].Reason, items[1].Fields = study.VerdictTrue, "ok", "backoff jitter"
	items[2].Verdict, items[2].Reason = study.VerdictFalse, "polling"
	var b strings.Builder
	if err := study.WriteSheet(&b, items); err != nil {
		t.Fatal(err)
	}
	back, err := study.ReadSheet("s.csv", strings.NewReader(b.String()))
	if err != nil || fmt.Sprint(back) != fmt.Sprint(items) {
		t.Fatalf("read back %v, %v", back, err)
	}
	s := study.ScoreSheet(back)
	if s.Precision.String() != "2/3 = 66.7%" || s.Backoff.Hit != 1 || s.Attempts.Hit != 2 || s.Silent.Hit != 1 || s.Open != 1 {
		t.Errorf("score %+v", s)
	}
}

func TestSheetMistakesComeAllAtOnce(t *testing.T) {
	head := "id,kind,repo,commit,path,line,span_end,says,verdict,wrong_fields,reason\n"
	_, err := study.ReadSheet("s.csv", strings.NewReader(head+"F1,finding,o/r,,a.py,1,1,x,maybe,,why\nF2,finding,o/r,,a.py,1,1,x,true,,\nF3,finding\n"))
	for _, want := range []string{"s.csv:2: verdict", "s.csv:3: reason", "s.csv:4: 2 columns"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := study.ReadSheet("s.csv", strings.NewReader("a,b\n")); err == nil {
		t.Error("any CSV passes as a sheet")
	}
}
