package testkit

import "flag"

// Update makes tests rewrite their expected files: pictures, schemas, tables of docs.
var Update = flag.Bool("update", false, "write anew what tests compare with: pictures, schemas, tables of docs")
