package testkit

import "flag"

// Update tells tests to write anew what they compare with: pictures, schemas, tables of docs.
var Update = flag.Bool("update", false, "write anew what tests compare with: pictures, schemas, tables of docs")
