package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"framescope/internal/recordings"
)

// The workflow in docs/budgets.md is one that GitHub takes: it parses, each step is an action of a version
// or a script that a shell takes, and the flags in it are those of the command.
func TestWorkflow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(recordings.Root(t), "docs", "budgets.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "```yaml\n")
	if !ok {
		t.Fatal("there is no workflow")
	}
	block, _, _ = strings.Cut(block, "```")
	var flow struct {
		Name string
		On   []string
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Name, Uses, Run, If string
				With                map[string]string
				WorkingDirectory    string `yaml:"working-directory"`
			}
		}
	}
	dec := yaml.NewDecoder(strings.NewReader(block))
	dec.KnownFields(true)
	if err := dec.Decode(&flow); err != nil {
		t.Fatal(err)
	}
	job, ok := flow.Jobs["budgets"]
	if !ok || job.RunsOn == "" || len(flow.On) == 0 || len(job.Steps) < 5 {
		t.Fatalf("%+v", flow)
	}
	known := CheckCommand(&Streams{}).Flags()
	action, flag := regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$`), regexp.MustCompile(`--([a-z-]+)`)
	flags := 0
	for i, step := range job.Steps {
		if (step.Uses == "") == (step.Run == "") || step.Uses != "" && !action.MatchString(step.Uses) {
			t.Errorf("step %d: %+v", i, step)
		}
		if sh, err := exec.LookPath("bash"); err == nil && step.Run != "" {
			cmd := exec.Command(sh, "-n")
			cmd.Stdin = strings.NewReader(step.Run)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("step %d: %s", i, out)
			}
		}
		for line := range strings.SplitSeq(step.Run, "\n") {
			if strings.Contains(line, "play-the-level") {
				continue
			}
			for _, m := range flag.FindAllStringSubmatch(line, -1) {
				if flags++; known.Lookup(m[1]) == nil {
					t.Errorf("step %d: check has no --%s", i, m[1])
				}
			}
		}
	}
	if flags < 8 {
		t.Errorf("only %d flags", flags)
	}
}
