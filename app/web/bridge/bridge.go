// Package bridge leads from Go to the page of the viewer, in a browser. Elsewhere it is empty.
package bridge
