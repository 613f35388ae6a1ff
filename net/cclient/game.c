/* A game that tells what it did: game FRAMES [PORT [ZONES]]. It prints its port, waits for a viewer for a second, plays, and prints
 * what it did: zones by name, frames, counters, messages, losses, ns of a zone. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#define FRAMESCOPE_IMPLEMENTATION
#include "framescope.h"

static long frames, zones = 20;
static uint32_t done;

static void work(void) {
	volatile int n;
	for (n = 0; n < 200; n = n + 1) {
	}
}

#ifdef _WIN32
static DWORD WINAPI load(LPVOID unused)
#else
static void *load(void *unused)
#endif
{
	long i;
	(void)unused;
	fs_thread("Loader");
	for (i = 0; i < frames; i++) {
		FS_BEGIN("Load");
		FS_BEGIN("Read");
		work();
		FS_END();
		FS_END();
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return 0;
}

int main(int argc, char **argv) {
	long i, k;
	int port, wait;
	int64_t begin, took = 0;
	frames = argc > 1 ? atol(argv[1]) : 600;
	port = fs_start("C game", argc > 2 ? atoi(argv[2]) : 0);
	if (argc > 3) zones = atol(argv[3]);
	printf("port %d\n", port);
	fflush(stdout);
	for (wait = 0; wait < 1000 && !fs_looked_at(); wait++) fs_pause(1);
	FS_MESSAGE("the game begins");
	FS_FRAME();
	{
#ifdef _WIN32
		HANDLE t = CreateThread(NULL, 0, load, NULL, 0, NULL);
#else
		pthread_t t;
		pthread_create(&t, NULL, load, NULL);
#endif
		for (i = 0; i < frames; i++) {
			FS_BEGIN("Update");
			begin = fs_clock();
			for (k = 0; k < zones; k++) {
				FS_BEGIN("Enemy");
				FS_END();
			}
			took += fs_clock() - begin;
			FS_END();
			FS_BEGIN("Draw");
			work();
			FS_END();
			FS_COUNTER("enemies", zones + i);
			if (i % 10 == 0) FS_MESSAGE("a message that is longer than the sixteen bytes of a slot");
			FS_FRAME();
			if (i % 16 == 15) fs_pause(1);
		}
#ifdef _WIN32
		WaitForSingleObject(t, INFINITE);
#else
		pthread_join(t, NULL);
#endif
	}
	printf("zones Update %ld Draw %ld Enemy %ld Load %ld Read %ld\n", frames, frames, frames * zones, frames, frames);
	printf("frames %ld counters %ld messages %ld lost %lu\n", frames, frames, 1 + (frames + 9) / 10, (unsigned long)fs_lost());
	printf("ns %.2f looked at %d\n", (double)took / ((double)frames * (double)zones), fs_looked_at());
	fs_stop();
	return 0;
}
