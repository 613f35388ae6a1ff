package web

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
)

// Code is the name of the file with the viewer's code.
const Code = "framescope.wasm"

// start is the script that puts the viewer in the place of the page around it.
//
//go:embed onefile.js
var start string

// WriteViewer writes a part of an HTML page: a button that opens a recording in the viewer, and both of them. page is
// the folder of the viewer's page, see package build. Nothing else is loaded.
func WriteViewer(w io.Writer, page fs.FS, name string, recording io.Reader) error {
	index, err := fs.ReadFile(page, "index.html")
	if err != nil {
		return err
	}
	code, err := page.Open(Code)
	if err != nil {
		return err
	}
	defer code.Close()
	fmt.Fprintf(w, "<p><button id=\"framescope-open\">Open %s in the viewer</button> It is in this page, with the "+
		"viewer.</p>\n",
		html.EscapeString(name))
	style, body := between(index, "<style>", "</style>"), between(index, "<div", "<script")
	fmt.Fprintf(w, "<template id=\"framescope-look\">%s%s</template>\n", style, body)
	for _, script := range []string{"files.js", "wasm_exec.js", "page.js"} {
		text, err := fs.ReadFile(page, script)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "<script type=\"text/plain\" class=\"framescope-script\">%s</script>\n", text)
	}
	if err := writePacked(w, "framescope-code", Code, code); err != nil {
		return err
	}
	if err := writePacked(w, "framescope-recording", name, recording); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "<script>%s</script>\n", start)
	return err
}

// between returns a part of a page, from the first from up to the first to behind it; with both where to closes from.
func between(page []byte, from, to string) []byte {
	i := bytes.Index(page, []byte(from))
	j := i + bytes.Index(page[i:], []byte(to))
	if strings.HasPrefix(to, "</") {
		j += len(to)
	}
	return page[i:j]
}

// writePacked writes data as text, compressed.
func writePacked(w io.Writer, id, name string, data io.Reader) error {
	fmt.Fprintf(w, "<script type=\"text/plain\" id=\"%s\" data-name=\"%s\">", id, html.EscapeString(name))
	text := base64.NewEncoder(base64.StdEncoding, w)
	z, err := gzip.NewWriterLevel(text, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>\n")
	return err
}
