package main

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"os"
	"path/filepath"

	"github.com/josephspurrier/goversioninfo"

	"framescope/assets"
)

// manifest says to Windows that the program draws in the pixels of each display, and wants the present look of dialogs.
const manifest = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
<application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings>
<dpiAwareness xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">PerMonitorV2</dpiAwareness>
<longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
</windowsSettings></application>
<dependency><dependentAssembly><assemblyIdentity type="win32" name="Microsoft.Windows.Common-Controls" version="6.0.0.0"
processorArchitecture="*" publicKeyToken="6595b64144ccf1df" language="*"/></dependentAssembly></dependency>
</assembly>
`

// writeResources writes what the program for Windows carries besides code: icon, manifest and version. The go command
// links the file from the folder of the main package.
func writeResources(file, version string) error {
	dir, err := os.MkdirTemp("", "framescope-resources")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	icon, manifestPath := filepath.Join(dir, "icon.ico"), filepath.Join(dir, "manifest.xml")
	if err := os.WriteFile(icon, iconFile(16, 32, 48, 256), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(manifestPath, []byte(manifest), 0o600); err != nil {
		return err
	}
	v := goversioninfo.VersionInfo{IconPath: icon, ManifestPath: manifestPath}
	v.ProductName, v.StringFileInfo.ProductVersion, v.StringFileInfo.FileVersion = "Framescope", version, version
	v.FileDescription, v.OriginalFilename = "Framescope", "framescope.exe" // the first is the name in the Task Manager
	v.Translation = goversioninfo.Translation{LangID: goversioninfo.LngUSEnglish, CharsetID: goversioninfo.CsUnicode}
	v.Build()
	v.Walk()
	return v.WriteSyso(file, "amd64")
}

// iconFile returns an icon in sizes of so many pixels, in Windows' format.
func iconFile(sizes ...int) []byte {
	type entry struct {
		W, H, Colors, _ uint8
		Planes, Bits    uint16
		Bytes, Offset   uint32
	}
	var head, pictures bytes.Buffer
	binary.Write(&head, binary.LittleEndian, [3]uint16{0, 1, uint16(len(sizes))})
	first := head.Len() + len(sizes)*binary.Size(entry{})
	for _, size := range sizes {
		begin := pictures.Len()
		png.Encode(&pictures, assets.Icon(size))
		binary.Write(&head, binary.LittleEndian, entry{
			W: uint8(size), H: uint8(size), Planes: 1, Bits: 32, // 256 is 0
			Bytes: uint32(pictures.Len() - begin), Offset: uint32(first + begin),
		})
	}
	return append(head.Bytes(), pictures.Bytes()...)
}
