// Command packaging writes what packages of Framescope hold beside the program: completions, man pages, icons. With a
// version, it also writes what the program for Windows holds beside code, into the present folder. Or it writes the
// page that shows the viewer in a browser.
//
//	go run ./internal/packaging FOLDER [VERSION]
//	go run ./internal/packaging web -o FOLDER
package main

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"

	"framescope/app/cli"
	"framescope/app/web/build"
	"framescope/assets"
)

func main() {
	var err error
	switch a := os.Args[1:]; {
	case len(a) == 3 && a[0] == "web" && a[1] == "-o":
		if err = build.Page(context.Background(), a[2]); err == nil {
			err = build.Pack(a[2])
		}
	case len(a) == 1:
		err = write(a[0])
	case len(a) == 2:
		if err = write(a[0]); err == nil {
			err = writeResources("resources_windows_amd64.syso", a[1])
		}
	default:
		fmt.Fprintln(os.Stderr, "packaging: name the folder to write, or web -o and the folder of the page")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// write writes all files. Their content does not depend on when or where that is.
func write(dir string) error {
	root := cli.Root(io.Discard, io.Discard)
	root.DisableAutoGenTag = true
	man := filepath.Join(dir, "man")
	for _, d := range []string{man, filepath.Join(dir, "icons"), filepath.Join(dir, "completions")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	long := time.Unix(0, 0).UTC()
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Framescope", Manual: "Framescope",
		Date: &long}, man); err != nil {
		return err
	}
	for name, gen := range map[string]func(io.Writer) error{
		"framescope.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"framescope.zsh":  root.GenZshCompletion,
		"framescope.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
	} {
		if err := toFile(filepath.Join(dir, "completions", name), gen); err != nil {
			return err
		}
	}
	for _, size := range []int{16, 32, 48, 64, 128, 256, 512} {
		draw := func(w io.Writer) error { return png.Encode(w, assets.Icon(size)) }
		if err := toFile(filepath.Join(dir, "icons", fmt.Sprintf("%d.png", size)), draw); err != nil {
			return err
		}
	}
	return nil
}

func toFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
