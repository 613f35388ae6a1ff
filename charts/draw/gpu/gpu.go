// Package gpu draws draw lists with Ebitengine.
package gpu
