package convert

var native []*Format
