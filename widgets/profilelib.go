package widgets

// profileLibCode connects a program in C that uses the Foundation profiler. docs/sources/profile-lib.md has the same lines,
// and a test compiles those.
const profileLibCode = `#include <arpa/inet.h>
#include <sys/socket.h>
#include <foundation/foundation.h>

static int viewer;
static char buffer[256 * 1024];
static void to_viewer(void* record, size_t size) { send(viewer, record, size, MSG_NOSIGNAL); }

void connect_viewer(void) {
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7170), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	viewer = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(viewer, (struct sockaddr*)&to, sizeof to) != 0) return; /* no viewer: nothing is profiled */
	profile_initialize(STRING_CONST("my game"), buffer, sizeof buffer);
	profile_set_output(to_viewer);
	profile_enable(true);
}
`
