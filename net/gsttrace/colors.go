package gsttrace

import "framescope/model"

// hookColors gives each hook of the log tracer a colour: pushing data blue and green, negotiation
// violet, states and structure warm.
var hookColors = [...]struct {
	hook  string
	color model.RGB
}{
	{"push_buffer", model.RGB{R: 0x3d, G: 0x8b, B: 0xd9, Set: true}},
	{"push_buffer_list", model.RGB{R: 0x2f, G: 0x6f, B: 0xb5, Set: true}},
	{"chain_buffer", model.RGB{R: 0x5a, G: 0xa8, B: 0xe0, Set: true}},
	{"chain_list", model.RGB{R: 0x4a, G: 0x90, B: 0xc4, Set: true}},
	{"pull_range", model.RGB{R: 0x2e, G: 0xa3, B: 0x9a, Set: true}},
	{"push_event", model.RGB{R: 0x5d, G: 0xb0, B: 0x5b, Set: true}},
	{"send_event", model.RGB{R: 0x7c, G: 0xb8, B: 0x4e, Set: true}},
	{"pad_query", model.RGB{R: 0x8d, G: 0x76, B: 0xd6, Set: true}},
	{"element_query", model.RGB{R: 0xa9, G: 0x72, B: 0xc9, Set: true}},
	{"post_message", model.RGB{R: 0x8a, G: 0x93, B: 0x9c, Set: true}},
	{"element_change_state", model.RGB{R: 0xe0, G: 0x8a, B: 0x3c, Set: true}},
	{"pad_link", model.RGB{R: 0xd4, G: 0xb1, B: 0x3f, Set: true}},
	{"pad_unlink", model.RGB{R: 0xc9, G: 0x96, B: 0x2f, Set: true}},
	{"bin_add", model.RGB{R: 0xd0, G: 0x6a, B: 0x5a, Set: true}},
	{"bin_remove", model.RGB{R: 0xb8, G: 0x55, B: 0x4a, Set: true}},
	{"query", model.RGB{R: 0x8d, G: 0x76, B: 0xd6, Set: true}},
}

func hookColor(hook []byte) model.RGB {
	for i := range hookColors {
		if hookColors[i].hook == string(hook) {
			return hookColors[i].color
		}
	}
	return model.RGB{}
}
