/* framescope.h: shows the frames, zones, counters and messages of a C or C++ game in Framescope.
 *
 * In one file of the game:                      everywhere else:
 *     #define FRAMESCOPE_IMPLEMENTATION             #include "framescope.h"
 *     #include "framescope.h"
 *
 * Then `framescope connect tracy` shows the game while it runs. README.md beside this file says more.
 *
 * The game is C99 or C++11. On POSIX systems it is linked with -pthread, on Windows with ws2_32. FRAMESCOPE_OFF makes all of it vanish.
 * Nothing is allocated but by fs_start and fs_thread, no call waits for the viewer, and without one a zone is a load and a branch. */
#ifndef FRAMESCOPE_H
#define FRAMESCOPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fs_place is a place in the source: of a zone, or of a counter. The macros make them. */
typedef struct fs_place {
	const char *name, *function, *file;
	uint32_t line;
	uint32_t id; /* 0 until it is first used while somebody looks */
} fs_place;

#ifdef FRAMESCOPE_OFF

#define fs_start(program, port) (0)
#define fs_stop() ((void)0)
#define fs_thread(name) ((void)0)
#define fs_lost() ((uint64_t)0)
#define fs_looked_at() (0)
#define FS_BEGIN(name) ((void)0)
#define FS_END() ((void)0)
#define FS_FRAME() ((void)0)
#define FS_COUNTER(name, value) ((void)0)
#define FS_MESSAGE(text) ((void)0)

#else

/* fs_start begins to listen for a viewer on this machine, and makes the caller the main thread. port is 0 for 8086 or the next free one,
 * -1 for any, or the one to take. It returns the port, or 0 where there is none: then all calls do nothing. */
int fs_start(const char *program, int port);

/* fs_stop sends what is left, for two seconds at most, and stops listening. No other thread uses the library any more. */
void fs_stop(void);

/* fs_thread names the calling thread, whose zones are recorded from then on. */
void fs_thread(const char *name);

/* fs_lost is how many zones, counters, messages and frames were left out since fs_start, as the viewer was too slow. */
uint64_t fs_lost(void);

/* fs_looked_at says whether a viewer is there. */
int fs_looked_at(void);

/* FS_BEGIN begins a zone, FS_END ends the innermost one. Names are literals. */
#define FS_BEGIN(name) do { \
	static fs_place fs_here = {name, __func__, __FILE__, __LINE__, 0}; \
	if (fs_looking()) fs_begin_zone(&fs_here); } while (0)
#define FS_END() do { if (fs_looking()) fs_end_zone(); } while (0)

/* FS_FRAME ends a frame of the game and begins the next one. One thread alone calls it. */
#define FS_FRAME() do { if (fs_looking()) fs_mark_frame(); } while (0)

/* FS_COUNTER says that a counter has a value now. */
#define FS_COUNTER(name, value) do { \
	static fs_place fs_here = {name, __func__, __FILE__, __LINE__, 0}; \
	if (fs_looking()) fs_set_counter(&fs_here, (double)(value)); } while (0)

/* FS_MESSAGE shows a text of up to 255 bytes; it is copied. */
#define FS_MESSAGE(text) do { if (fs_looking()) fs_say(text); } while (0)

/* What the macros use. */
extern uint32_t fs_session; /* 0 while nobody looks, else the number of the viewer */
void fs_begin_zone(fs_place *place);
void fs_end_zone(void);
void fs_mark_frame(void);
void fs_set_counter(fs_place *place, double value);
void fs_say(const char *text);

#if defined(_MSC_VER) && !defined(__clang__)
#define fs_looking() (*(volatile uint32_t *)&fs_session != 0)
#else
#define fs_looking() (__builtin_expect(__atomic_load_n(&fs_session, __ATOMIC_RELAXED) != 0, 0))
#endif

#endif /* FRAMESCOPE_OFF */

#ifdef __cplusplus
}
#endif
#endif /* FRAMESCOPE_H */

#if defined(FRAMESCOPE_IMPLEMENTATION) && !defined(FRAMESCOPE_OFF) && !defined(FRAMESCOPE_IMPLEMENTED)
#define FRAMESCOPE_IMPLEMENTED

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <winsock2.h>
#include <windows.h>
typedef SOCKET fs_socket;
typedef HANDLE fs_worker;
#define FS_NO_SOCKET INVALID_SOCKET
#define fs_close closesocket
#define fs_would_wait() (WSAGetLastError() == WSAEWOULDBLOCK)
#else
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
typedef int fs_socket;
typedef pthread_t fs_worker;
#define FS_NO_SOCKET (-1)
#define fs_close close
#define fs_would_wait() (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define FS_LOCAL static __declspec(thread)
#define fs_get(p) (*(volatile uint32_t *)(p))
#define fs_put(p, v) (_ReadWriteBarrier(), (void)InterlockedExchange((volatile LONG *)(p), (LONG)(v)))
#define fs_add(p) ((uint32_t)InterlockedIncrement((volatile LONG *)(p)) - 1)
#else
#define FS_LOCAL static __thread
#define fs_get(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define fs_put(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define fs_add(p) __atomic_fetch_add(p, 1, __ATOMIC_ACQ_REL)
#endif

/* The least that the viewer is asked to hold, and the most that is held for it. */
enum {
	FS_SLOTS = 1 << 15, /* of a thread, 16 bytes each; a power of two */
	FS_THREADS = 128,
	FS_PLACES = 1 << 13,
	FS_TEXT = 255,
	FS_BLOCK = 48 << 10, /* bytes sent at a time */
	FS_ROOM = 8 /* slots left free for a frame, beside those for the ends of open zones */
};

enum { FS_E_BEGIN = 1, FS_E_END, FS_E_FRAME, FS_E_COUNTER, FS_E_SAY };

/* Numbers of events in version 76 of Tracy's protocol. */
enum {
	FS_W_MESSAGE = 2, FS_W_BEGIN = 15, FS_W_END = 17, FS_W_PLOT = 47,
	FS_W_TERMINATE = 60, FS_W_THREAD = 62, FS_W_FRAME = 70, FS_W_PLACE = 74,
	FS_W_NOTHING = 95, FS_W_SINGLE = 99, FS_W_TEXT = 104,
	FS_W_THREAD_NAME = 105, FS_W_PLOT_NAME = 106, FS_W_FRAME_NAME = 110
};
#define FS_PROTOCOL 76

/* fs_slot is an event, or 16 bytes of the text behind one. */
typedef union fs_slot {
	struct { int64_t time; uint32_t id; uint16_t kind, bytes; } event;
	double value;
	char text[16];
} fs_slot;

/* fs_line is what a thread records. It writes head, the worker tail. */
typedef struct fs_line {
	fs_slot slots[FS_SLOTS];
	uint32_t head, lost; /* written by the thread */
	char apart[64];
	uint32_t tail; /* written by the worker */
	char apart2[64];
	uint32_t seen;      /* tail, when the thread looked last */
	uint32_t session;   /* in which the zones below began */
	uint32_t depth;     /* open zones that were recorded */
	uint32_t skipped;   /* open zones that were not, all within the recorded ones */
	uint32_t told, ends; /* of the worker: losses that it told of; zones open at the viewer's */
	uint32_t id;
	char name[64];
} fs_line;

uint32_t fs_session;
FS_LOCAL fs_line *fs_mine;
static struct {
	fs_line *lines[FS_THREADS];
	uint32_t taken, filled; /* lines that were asked for; that are there */
	fs_place *places[FS_PLACES];
	uint32_t named; /* places */
	char program[64];
	uint32_t stop, process, sessions;
	fs_socket listener, viewer;
	fs_worker worker;
	int64_t ticks, ns; /* at fs_start */
	double factor;     /* ns of a tick */
	uint32_t filled_bytes;
	unsigned char block[FS_BLOCK], packed[FS_BLOCK + FS_BLOCK / 255 + 16], question[13];
	uint32_t asked; /* bytes of the question that came */
} fs;

static int64_t fs_clock(void) {
#ifdef _WIN32
	LARGE_INTEGER now, rate;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&rate);
	return (int64_t)((double)now.QuadPart * 1e9 / (double)rate.QuadPart);
#else
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

static int64_t fs_ticks(void) {
#if defined(_MSC_VER) && !defined(__clang__) && (defined(_M_X64) || defined(_M_IX86))
	return (int64_t)__rdtsc();
#elif defined(__x86_64__) || defined(__i386__)
	return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__) && !defined(_WIN32)
	int64_t now;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	return now;
#else
	return fs_clock();
#endif
}

static void fs_pause(int ms) {
#ifdef _WIN32
	Sleep((DWORD)ms);
#else
	struct timespec t;
	t.tv_sec = 0;
	t.tv_nsec = (long)ms * 1000000;
	nanosleep(&t, NULL);
#endif
}

/* The threads of the game. */

/* fs_line_now returns the caller's line in the present session, or NULL. */
static fs_line *fs_line_now(void) {
	fs_line *l = fs_mine;
	uint32_t session = fs_get(&fs_session);
	if (l == NULL || session == 0) return NULL;
	if (l->session != session) { /* what is open began before the viewer came */
		l->session = session;
		l->depth = l->skipped = 0;
	}
	return l;
}

/* fs_has_room says whether so many slots are free, without those that the ends of open zones need. */
static int fs_has_room(fs_line *l, uint32_t slots) {
	uint32_t used = l->head - l->seen;
	if (used + slots + l->depth + FS_ROOM <= FS_SLOTS) return 1;
	l->seen = fs_get(&l->tail);
	used = l->head - l->seen;
	return used + slots + l->depth + FS_ROOM <= FS_SLOTS;
}

static void fs_lose(fs_line *l) { fs_put(&l->lost, l->lost + 1); }

static fs_slot *fs_event(fs_line *l, uint16_t kind, uint32_t id) {
	fs_slot *s = &l->slots[l->head & (FS_SLOTS - 1)];
	s->event.time = fs_ticks();
	s->event.id = id;
	s->event.kind = kind;
	s->event.bytes = 0;
	return s;
}

/* fs_number gives a place its number. Two threads may do so at once: then it has two. */
static uint32_t fs_number(fs_place *p) {
	uint32_t id = fs_get(&p->id);
	if (id != 0) return id;
	id = fs_add(&fs.named) + 1;
	if (id >= FS_PLACES) return FS_PLACES;
	fs_put(&fs.places[id], p);
	fs_put(&p->id, id);
	return id;
}

void fs_begin_zone(fs_place *place) {
	fs_line *l = fs_line_now();
	if (l == NULL) return;
	if (l->skipped > 0 || !fs_has_room(l, 2)) {
		l->skipped++;
		fs_lose(l);
		return;
	}
	l->depth++;
	fs_event(l, FS_E_BEGIN, fs_number(place));
	fs_put(&l->head, l->head + 1);
}

void fs_end_zone(void) {
	fs_line *l = fs_line_now();
	if (l == NULL) return;
	if (l->skipped > 0) {
		l->skipped--;
	} else if (l->depth > 0) {
		l->depth--;
		fs_event(l, FS_E_END, 0);
		fs_put(&l->head, l->head + 1);
	}
}

void fs_mark_frame(void) {
	fs_line *l = fs_line_now();
	if (l == NULL) return;
	if (!fs_has_room(l, 1)) {
		fs_lose(l);
		return;
	}
	fs_event(l, FS_E_FRAME, 0);
	fs_put(&l->head, l->head + 1);
}

void fs_set_counter(fs_place *place, double value) {
	fs_line *l = fs_line_now();
	if (l == NULL) return;
	if (!fs_has_room(l, 2)) {
		fs_lose(l);
		return;
	}
	fs_event(l, FS_E_COUNTER, fs_number(place));
	l->slots[(l->head + 1) & (FS_SLOTS - 1)].value = value;
	fs_put(&l->head, l->head + 2);
}

void fs_say(const char *text) {
	fs_line *l = fs_line_now();
	uint32_t bytes = 0, slots, i;
	if (l == NULL) return;
	while (bytes < FS_TEXT && text[bytes] != 0) bytes++;
	slots = (bytes + 15) / 16;
	if (!fs_has_room(l, 1 + slots)) {
		fs_lose(l);
		return;
	}
	fs_event(l, FS_E_SAY, 0)->event.bytes = (uint16_t)bytes;
	for (i = 0; i < slots; i++) {
		uint32_t part = bytes - 16 * i < 16 ? bytes - 16 * i : 16;
		memcpy(l->slots[(l->head + 1 + i) & (FS_SLOTS - 1)].text, text + 16 * i, part);
	}
	fs_put(&l->head, l->head + 1 + slots);
}

void fs_thread(const char *name) {
	fs_line *l;
	uint32_t at;
	if (fs_mine != NULL || fs.process == 0) return;
	at = fs_add(&fs.taken);
	if (at >= FS_THREADS) return;
	l = (fs_line *)calloc(1, sizeof *l);
	if (l == NULL) return;
	strncpy(l->name, name, sizeof l->name - 1);
	l->id = fs.process + at; /* the main thread has the number of the process: viewers know it by that */
#if defined(_MSC_VER) && !defined(__clang__)
	InterlockedExchangePointer((void *volatile *)&fs.lines[at], l);
#else
	fs_put(&fs.lines[at], l);
#endif
	fs_mine = l;
}

uint64_t fs_lost(void) {
	uint64_t sum = 0;
	uint32_t i, n = fs_get(&fs.taken);
	for (i = 0; i < n && i < FS_THREADS; i++) {
		fs_line *l = fs_get(&fs.lines[i]);
		if (l != NULL) sum += fs_get(&l->lost);
	}
	return sum;
}

int fs_looked_at(void) { return fs_get(&fs_session) != 0; }

/* The worker, which alone talks to the viewer. */

static void fs_nonblocking(fs_socket s) {
#ifdef _WIN32
	u_long on = 1;
	ioctlsocket(s, FIONBIO, &on);
#else
	fcntl(s, F_SETFL, fcntl(s, F_GETFL) | O_NONBLOCK);
#endif
}

/* fs_ready waits up to a time for a socket to take bytes, or to have some. */
static int fs_ready(fs_socket s, int writes, int ms) {
	fd_set set;
	struct timeval t;
	t.tv_sec = 0;
	t.tv_usec = ms * 1000;
	FD_ZERO(&set);
#ifndef _WIN32
	if (s >= FD_SETSIZE) {
		fs_pause(ms < 2 ? ms : 2);
		return 1;
	}
#endif
	FD_SET(s, &set);
	return select((int)s + 1, writes ? NULL : &set, writes ? &set : NULL, NULL, &t) > 0;
}

/* fs_send sends bytes. While the viewer takes none it waits, two seconds at most once the game ends. */
static int fs_send(const void *bytes, uint32_t n) {
	const char *b = (const char *)bytes;
	int64_t until = 0;
	while (n > 0) {
		int sent = (int)send(fs.viewer, b, n, MSG_NOSIGNAL);
		if (sent > 0) {
			b += sent;
			n -= (uint32_t)sent;
			continue;
		}
		if (!fs_would_wait()) return 0;
		if (fs_get(&fs.stop)) {
			if (until == 0) until = fs_clock() + 2000000000;
			if (fs_clock() > until) return 0;
		}
		fs_ready(fs.viewer, 1, 50);
	}
	return 1;
}

/* fs_receive takes exactly n bytes within a second. */
static int fs_receive(void *bytes, uint32_t n) {
	char *b = (char *)bytes;
	int64_t until = fs_clock() + 1000000000;
	while (n > 0) {
		int got = (int)recv(fs.viewer, b, n, 0);
		if (got == 0 || (got < 0 && !fs_would_wait()) || fs_clock() > until) return 0;
		if (got > 0) {
			b += got;
			n -= (uint32_t)got;
		} else {
			fs_ready(fs.viewer, 0, 50);
		}
	}
	return 1;
}

static unsigned char *fs_number_to(unsigned char *b, uint64_t v, int bytes) {
	int i;
	for (i = 0; i < bytes; i++) *b++ = (unsigned char)(v >> (8 * i));
	return b;
}

static uint64_t fs_bits(double v) {
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* fs_flush sends the block, as one of LZ4 in which nothing is packed. */
static int fs_flush(void) {
	uint32_t n = fs.filled_bytes, rest;
	unsigned char *p = fs.packed + 4;
	if (n == 0) return 1;
	if (n < 15) {
		*p++ = (unsigned char)(n << 4);
	} else {
		*p++ = 0xf0;
		for (rest = n - 15; rest >= 255; rest -= 255) *p++ = 255;
		*p++ = (unsigned char)rest;
	}
	memcpy(p, fs.block, n);
	p += n;
	fs_number_to(fs.packed, (uint64_t)(p - fs.packed - 4), 4);
	fs.filled_bytes = 0;
	return fs_send(fs.packed, (uint32_t)(p - fs.packed));
}

/* fs_add_event adds an event of numbers, and a text if it has one, to the block. */
static int fs_add_event(int kind, const uint64_t *fields, const int *sizes, int n, const char *text, uint32_t bytes) {
	unsigned char *b;
	int i;
	if (fs.filled_bytes + 64 + bytes > FS_BLOCK && !fs_flush()) return 0;
	b = fs.block + fs.filled_bytes;
	*b++ = (unsigned char)kind;
	for (i = 0; i < n; i++) b = fs_number_to(b, fields[i], sizes[i]);
	if (text != NULL) {
		b = fs_number_to(b, bytes, 2);
		memcpy(b, text, bytes);
		b += bytes;
	}
	fs.filled_bytes = (uint32_t)(b - fs.block);
	return 1;
}

static int fs_add_text(int kind, uint64_t of, const char *text) {
	static const int size[] = {8};
	size_t bytes = strlen(text);
	return fs_add_event(kind, &of, size, 1, text, bytes < 4096 ? (uint32_t)bytes : 4096);
}

static int fs_add_message(int64_t time, const char *text, uint32_t bytes) {
	static const int size[] = {8};
	uint64_t at = (uint64_t)time;
	return fs_add_event(FS_W_SINGLE, NULL, NULL, 0, text, bytes) && fs_add_event(FS_W_MESSAGE, &at, size, 1, NULL, 0);
}

/* fs_send_line sends what a thread recorded. */
static int fs_send_line(fs_line *l) {
	static const int sizes[] = {8, 8, 8}, four[] = {4};
	uint32_t head = fs_get(&l->head), lost = fs_get(&l->lost), at = l->tail;
	uint64_t id = l->id;
	int64_t last = 0;
	int ok = 1;
	if (at == head && lost == l->told) return 1;
	ok = fs_add_event(FS_W_THREAD, &id, four, 1, NULL, 0);
	while (ok && at != head) {
		fs_slot *s = &l->slots[at++ & (FS_SLOTS - 1)];
		int64_t time = s->event.time;
		uint64_t f[3];
		f[0] = (uint64_t)(time - last);
		f[1] = (uint64_t)s->event.id << 4;
		switch (s->event.kind) {
		case FS_E_BEGIN:
			l->ends++;
			ok = fs_add_event(FS_W_BEGIN, f, sizes, 2, NULL, 0);
			last = time;
			break;
		case FS_E_END:
			if (l->ends == 0) break;
			l->ends--;
			ok = fs_add_event(FS_W_END, f, sizes, 1, NULL, 0);
			last = time;
			break;
		case FS_E_FRAME:
			f[0] = (uint64_t)time;
			f[1] = 0;
			ok = fs_add_event(FS_W_FRAME, f, sizes, 2, NULL, 0);
			break;
		case FS_E_COUNTER:
			f[2] = fs_bits(l->slots[at++ & (FS_SLOTS - 1)].value);
			f[1] = f[0];
			f[0] = (uint64_t)s->event.id << 4;
			ok = fs_add_event(FS_W_PLOT, f, sizes, 3, NULL, 0);
			last = time;
			break;
		default: {
			char text[FS_TEXT + 16];
			uint32_t i, slots = (s->event.bytes + 15u) / 16;
			for (i = 0; i < slots; i++) memcpy(text + 16 * i, l->slots[at++ & (FS_SLOTS - 1)].text, 16);
			ok = fs_add_message(time, text, s->event.bytes);
		}
		}
	}
	fs_put(&l->tail, at);
	if (ok && lost != l->told) {
		char text[160];
		int n = snprintf(text, sizeof text, "framescope: %u zones, counters or messages of %s are left out: the viewer was too slow", lost - l->told, l->name);
		l->told = lost;
		ok = fs_add_message(fs_ticks(), text, (uint32_t)n);
	}
	return ok;
}

static fs_line *fs_line_of(uint64_t id) {
	uint64_t at = id - fs.process;
	return at < FS_THREADS ? fs_get(&fs.lines[at]) : NULL;
}

static fs_place *fs_place_of(uint64_t pointer) {
	uint64_t at = pointer >> 4;
	return at < FS_PLACES ? fs_get(&fs.places[at]) : NULL;
}

/* fs_answer answers a question. What a viewer names is a number of ours, never an address. */
static int fs_answer(int kind, uint64_t of) {
	static const int sizes[] = {8, 8, 8, 4, 3};
	fs_place *p = fs_place_of(of);
	fs_line *l;
	uint64_t f[5];
	switch (kind) {
	case 1:
		if (p == NULL) return fs_add_text(FS_W_TEXT, of, "");
		return fs_add_text(FS_W_TEXT, of, (of & 15) == 1 ? p->name : (of & 15) == 2 ? p->function : p->file);
	case 2:
		l = fs_line_of(of);
		return fs_add_text(FS_W_THREAD_NAME, of, l == NULL ? "" : l->name);
	case 3:
		f[0] = (of & ~(uint64_t)15) + 1;
		f[1] = f[0] + 1;
		f[2] = f[0] + 2;
		f[3] = p == NULL ? 0 : p->line;
		f[4] = 0;
		return fs_add_event(FS_W_PLACE, f, sizes, 5, NULL, 0);
	case 4:
		return fs_add_text(FS_W_PLOT_NAME, of, p == NULL ? "" : p->name);
	case 5:
		return fs_add_text(FS_W_FRAME_NAME, of, "Frame");
	}
	return fs_add_event(FS_W_NOTHING, NULL, NULL, 0, NULL, 0);
}

/* fs_answers takes the questions that came: 0 the viewer is gone, 1 go on, 2 it has all that it wants. */
static int fs_answers(void) {
	for (;;) {
		uint64_t of = 0;
		int i, got = (int)recv(fs.viewer, (char *)fs.question + fs.asked, sizeof fs.question - fs.asked, 0);
		if (got < 0 && fs_would_wait()) return 1;
		if (got <= 0) return 0;
		fs.asked += (uint32_t)got;
		if (fs.asked < sizeof fs.question) continue;
		fs.asked = 0;
		if (fs.question[0] == 0) return 2;
		for (i = 8; i >= 1; i--) of = of << 8 | fs.question[i];
		if (!fs_answer(fs.question[0], of)) return 0;
	}
}

/* fs_welcome greets a viewer, and says whether it is one. */
static int fs_welcome(void) {
	unsigned char hello[12], out[1 + 64 + 18 + 64 + 1024 + 16], *b = out;
	memset(out, 0, sizeof out);
	if (!fs_receive(hello, sizeof hello) || memcmp(hello, "TracyPrf", 8) != 0) return 0;
	if (hello[8] != FS_PROTOCOL || hello[9] != 0 || hello[10] != 0 || hello[11] != 0) {
		out[0] = 2; /* another version: it may come again with this one */
		fs_send(out, 1);
		return 0;
	}
	while (fs_clock() - fs.ns < 100000000 && !fs_get(&fs.stop)) fs_pause(5); /* the longer, the better ticks are known */
	fs.factor = (double)(fs_clock() - fs.ns) / (double)(fs_ticks() - fs.ticks);
	*b++ = 1;
	b = fs_number_to(b, fs_bits(fs.factor), 8);
	b = fs_number_to(b, (uint64_t)fs.ticks, 8);
	b = fs_number_to(b, (uint64_t)fs.ticks, 8);
	b = fs_number_to(b, 1, 8);
	b = fs_number_to(b, (uint64_t)time(NULL) - (uint64_t)((fs_clock() - fs.ns) / 1000000000), 8);
	b = fs_number_to(b, 0, 8);
	b = fs_number_to(b, fs.process, 8);
	b = fs_number_to(b, 0, 8);
	*b++ = 1; /* it is recorded from now on */
	b += 1 + 12 + 4;
	memcpy(b, fs.program, 64);
	b += 64 + 1024;
	b = fs_number_to(b, 0, 8);
	b = fs_number_to(b, (uint64_t)fs_ticks(), 8);
	return fs_send(out, (uint32_t)(b - out));
}

/* fs_send_all sends what all threads recorded. */
static int fs_send_all(void) {
	uint32_t i, n = fs_get(&fs.taken);
	for (i = 0; i < n && i < FS_THREADS; i++) {
		fs_line *l = fs_get(&fs.lines[i]);
		if (l != NULL && !fs_send_line(l)) return 0;
	}
	return 1;
}

/* fs_forget leaves out what was recorded for another viewer. */
static void fs_forget(void) {
	uint32_t i, n = fs_get(&fs.taken);
	for (i = 0; i < n && i < FS_THREADS; i++) {
		fs_line *l = fs_get(&fs.lines[i]);
		if (l == NULL) continue;
		fs_put(&l->tail, fs_get(&l->head));
		l->told = fs_get(&l->lost);
		l->ends = 0;
	}
}

/* fs_serve serves a viewer until it goes, or the game ends. */
static void fs_serve(void) {
	int there;
	fs.filled_bytes = fs.asked = 0;
	if (!fs_welcome()) return;
	fs_forget();
	if (++fs.sessions == 0) fs.sessions = 1;
	fs_put(&fs_session, fs.sessions);
	do {
		there = fs_send_all() && fs_answers() == 1 && fs_flush();
		if (there) fs_ready(fs.viewer, 0, 2);
	} while (there && !fs_get(&fs.stop));
	fs_put(&fs_session, 0);
	if (there && fs_send_all() && fs_add_event(FS_W_TERMINATE, NULL, NULL, 0, NULL, 0)) {
		int64_t until = fs_clock() + 2000000000;
		while (fs_flush() && fs_clock() < until && fs_answers() == 1) fs_ready(fs.viewer, 0, 20);
	}
}

#ifdef _WIN32
static DWORD WINAPI fs_work(LPVOID unused)
#else
static void *fs_work(void *unused)
#endif
{
	(void)unused;
	while (!fs_get(&fs.stop)) {
		int on = 1;
		if (!fs_ready(fs.listener, 0, 50)) continue;
		fs.viewer = accept(fs.listener, NULL, NULL);
		if (fs.viewer == FS_NO_SOCKET) continue;
		fs_nonblocking(fs.viewer);
		setsockopt(fs.viewer, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof on);
		fs_serve();
		fs_close(fs.viewer);
	}
	return 0;
}

/* fs_listen opens a port of this machine, and returns it, or 0. */
static int fs_listen(int port) {
	struct sockaddr_in at;
	int on = 1, first = port == 0 ? 8086 : port < 0 ? 0 : port, last = port == 0 ? 8105 : first;
#ifdef _WIN32
	WSADATA data;
	int size = sizeof at;
	if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return 0;
#else
	socklen_t size = sizeof at;
#endif
	for (; first <= last; first++) {
		fs.listener = socket(AF_INET, SOCK_STREAM, 0);
		if (fs.listener == FS_NO_SOCKET) return 0;
#ifndef _WIN32
		setsockopt(fs.listener, SOL_SOCKET, SO_REUSEADDR, (const char *)&on, sizeof on);
#endif
		(void)on;
		memset(&at, 0, sizeof at);
		at.sin_family = AF_INET;
		at.sin_addr.s_addr = htonl(0x7f000001);
		at.sin_port = htons((uint16_t)first);
		if (bind(fs.listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(fs.listener, 4) == 0 &&
			getsockname(fs.listener, (struct sockaddr *)&at, &size) == 0) {
			fs_nonblocking(fs.listener);
			return ntohs(at.sin_port);
		}
		fs_close(fs.listener);
	}
	return 0;
}

int fs_start(const char *program, int port) {
	if (fs.process != 0) return 0;
	strncpy(fs.program, program, sizeof fs.program - 1);
	fs.ns = fs_clock();
	fs.ticks = fs_ticks();
	port = fs_listen(port);
	if (port == 0) return 0;
#ifdef _WIN32
	fs.process = (uint32_t)GetCurrentProcessId();
	fs.worker = CreateThread(NULL, 0, fs_work, NULL, 0, NULL);
	if (fs.worker == NULL) return 0;
#else
	fs.process = (uint32_t)getpid();
	if (pthread_create(&fs.worker, NULL, fs_work, NULL) != 0) return 0;
#endif
	fs_thread("Main thread");
	return port;
}

void fs_stop(void) {
	uint32_t i;
	if (fs.process == 0) return;
	fs_put(&fs.stop, 1);
#ifdef _WIN32
	WaitForSingleObject(fs.worker, INFINITE);
	CloseHandle(fs.worker);
#else
	pthread_join(fs.worker, NULL);
#endif
	fs_close(fs.listener);
	for (i = 0; i < FS_THREADS; i++) free(fs.lines[i]);
	fs_mine = NULL;
	memset(&fs, 0, sizeof fs);
}

#endif /* FRAMESCOPE_IMPLEMENTATION */
