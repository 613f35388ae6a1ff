package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"framescope/app/library"
	"framescope/app/web"
)

// pageFolders are where packages hold the viewer's page for browsers: beside the program, and in the system.
func pageFolders() (folders []string) {
	if program, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Join(filepath.Dir(program), "framescope-web"))
	}
	return append(folders, "/usr/share/framescope/web")
}

// findPage returns the folder of the page: the named one, or that of the package.
func findPage(named string) (string, error) {
	folders := pageFolders()
	if named != "" {
		folders = []string{named}
	}
	for _, dir := range folders {
		if _, err := os.Stat(filepath.Join(dir, web.Code)); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("there is no page for browsers in %s: name its folder with --page; "+
		"`go run ./internal/packaging web -o FOLDER` makes one: %w", folders[0], fs.ErrNotExist)
}

// writeViewer writes the viewer with a recording, which is a file, into a page.
func writeViewer(w io.Writer, page, name, path string) error {
	dir, err := findPage(page)
	if err != nil {
		return err
	}
	if st, err := os.Stat(path); err != nil || st.IsDir() {
		return errors.Join(err, fmt.Errorf("%s: --with-viewer needs a recording in one file: framescope save makes one",
			name))
	}
	recording, err := os.Open(path)
	if err != nil {
		return err
	}
	defer recording.Close()
	return web.WriteViewer(w, os.DirFS(dir), name, recording)
}

func serveWebCommand(s *Streams) *cobra.Command {
	var o web.ServeOptions
	var page string
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Show running sessions in browsers, to look at only",
		Long: `serve web shows running sessions in a browser, on a phone or on a second desk. Another viewer of this user
receives them. The browser shows the newest one; add &session=ID to the address for another
(framescope sessions lists them).

It listens on this machine only, unless you give --any-address. Then everyone who knows the address, which
contains a token, sees all sessions on disk. Nothing is encrypted.`,
		Example: `  framescope serve web
  framescope serve web --addr 0.0.0.0:5180 --any-address`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := findPage(page)
			if err != nil {
				return err
			}
			o.Page = os.DirFS(dir)
			return s.serveWeb(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	addrVar(f, &o.Addr, "addr", web.DefaultAddr, "HOST:PORT to listen on")
	f.BoolVar(&o.AnyAddress, "any-address", false, "allow --addr to be reachable from other machines")
	f.StringVar(&page, "page", "", "folder with the viewer's page (default: that of the package)")
	return cmd
}

// serveWeb serves until ctx is done.
func (s *Streams) serveWeb(ctx context.Context, o web.ServeOptions) (err error) {
	sessions := library.Open(library.Options{Dir: library.DefaultDir()})
	o.Sessions = sessions.Sessions
	server, err := web.Listen(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	fmt.Fprintf(s.Err, "Open %s\nInterrupt it to end.\n", server.URL())
	<-ctx.Done()
	return nil
}
