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
	"framescope/internal/testkit"
)

// The workflow in docs/budgets.md is one that GitHub takes: it parses, each step is an action of a version
// or a script that a shell takes, and the flags in it are those of the command.
func TestWorkflow(t *testing.T) {
	text := testkit.Must(os.ReadFile(filepath.Join(recordings.Root(t), "docs", "budgets.md")))(t)
	_, block, ok := strings.Cut(string(text), "```yaml\n")
	testkit.MustThat(t, ok, "there is no workflow")
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
	testkit.OK(t, dec.Decode(&flow))
	job, ok := flow.Jobs["budgets"]
	testkit.MustThat(t, ok && job.RunsOn != "" && len(flow.On) != 0 && len(job.Steps) >= 5, "%+v", flow)
	known := CheckCommand(&Streams{}).Flags()
	action, flag := regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$`), regexp.MustCompile(`--([a-z-]+)`)
	flags := 0
	for i, step := range job.Steps {
		testkit.That(t, (step.Uses == "") != (step.Run == "") && (step.Uses == "" || action.MatchString(step.Uses)),
			"step %d: %+v", i, step)
		if sh, err := exec.LookPath("bash"); err == nil && step.Run != "" {
			cmd := exec.Command(sh, "-n")
			cmd.Stdin = strings.NewReader(step.Run)
			out, err := cmd.CombinedOutput()
			testkit.That(t, err == nil, "step %d: %s", i, out)
		}
		for line := range strings.SplitSeq(step.Run, "\n") {
			if strings.Contains(line, "play-the-level") {
				continue
			}
			for _, m := range flag.FindAllStringSubmatch(line, -1) {
				flags++
				testkit.That(t, known.Lookup(m[1]) != nil, "step %d: check has no --%s", i, m[1])
			}
		}
	}
	testkit.That(t, flags >= 8, "only %d flags", flags)
}
