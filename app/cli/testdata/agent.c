// The smallest library that behaves as a Flare agent does: with trace=on it listens where it is told to and sends who
// connects what a real agent sent once; trace=off ends that.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener = -1, client = -1;

static void *serve(void *unused) {
	int c;
	while ((c = accept(listener, 0, 0)) >= 0) {
		char buf[64];
		if (client >= 0) shutdown(client, SHUT_RDWR);
		client = c;
		if (read(c, buf, sizeof buf) <= 0) continue;
		FILE *f = fopen(getenv("FAKE_FLARE_STREAM"), "rb");
		static char data[1 << 16];
		size_t n;
		while (f && (n = fread(data, 1, sizeof data, f)) > 0)
			for (size_t at = 0; at < n;) {
				ssize_t k = send(c, data + at, n - at, MSG_NOSIGNAL);
				if (k <= 0) break;
				at += k;
			}
		if (f) fclose(f);
	}
	return 0;
}

int Agent_OnAttach(void *vm, char *options, void *reserved) {
	if (strcmp(options, "trace=off") == 0) {
		shutdown(listener, SHUT_RDWR);
		close(listener);
		listener = -1;
		if (client >= 0) shutdown(client, SHUT_RDWR);
		return 0;
	}
	char *at = strstr(options, "address=127.0.0.1:");
	if (strncmp(options, "trace=on,interval=20,", 21) != 0 || !at || listener >= 0) return 7;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(at + 18)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&a, sizeof a) || listen(listener, 4)) return 8;
	pthread_t t;
	return pthread_create(&t, 0, serve, 0);
}
