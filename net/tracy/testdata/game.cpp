// A game that gives Tracy one of everything, in numbers that are known: see TestRealTracyClient.
//
//	g++ -O1 -std=c++20 -DTRACY_ENABLE -DTRACY_NO_EXIT -DTRACY_FIBERS -I $TRACY/public/tracy -I $TRACY/public \
//	    game.cpp $TRACY/public/TracyClient.cpp -lpthread -ldl
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "Tracy.hpp"
#include "TracyC.h"

static void spin(int us) {
	auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
	while (std::chrono::steady_clock::now() < end) {
	}
}

static TracyLockableN(std::mutex, sceneLock, "scene");

static void physics(int i) {
	ZoneScopedN("Physics");
	spin(100);
	{
		ZoneScopedNC("Broad phase", 0xff8800);
		ZoneText("cells", 5);
		ZoneValue(i);
		spin(100);
	}
}

static void worker(int n, int frames) {
	std::string name = "Worker " + std::to_string(n);
	tracy::SetThreadName(name.c_str());
	for (int i = 0; i < frames * 2; i++) {
		ZoneScopedN("Job");
		std::lock_guard<LockableBase(std::mutex)> hold(sceneLock);
		LockMark(sceneLock);
		spin(50);
	}
}

// location makes a place of the source at run time, as scripts do. Tracy 0.10 gives it no color: compile with -DNO_COLOR.
static uint64_t location(const std::string& name) {
	const std::string file = "render.script", function = "pass";
	return ___tracy_alloc_srcloc_name(17, file.c_str(), file.size(), function.c_str(), function.size(), name.c_str(), name.size()
#ifndef NO_COLOR
		, 0x3366ff
#endif
	);
}

// pass makes a pass of 2 ms on a graphics processor that is not there, with a part of 500 us. Its clock began with it.
static void pass(int i) {
	uint16_t query = uint16_t(4 * i);
	___tracy_emit_gpu_zone_begin_alloc({location("Shadows"), query, 0});
	___tracy_emit_gpu_zone_begin_alloc({location("Cascade"), uint16_t(query + 1), 0});
	___tracy_emit_gpu_zone_end({uint16_t(query + 2), 0});
	___tracy_emit_gpu_zone_end({uint16_t(query + 3), 0});
	int64_t at = int64_t(i) * 5000000;
	const int64_t times[] = {at, at + 1000000, at + 1500000, at + 2000000};
	for (int k = 0; k < 4; k++) ___tracy_emit_gpu_time({times[k], uint16_t(query + k), 0});
}

int main(int argc, char** argv) {
	int frames = argc > 1 ? atoi(argv[1]) : 60;
	int burst = argc > 2 ? atoi(argv[2]) : 0;
	TracyAppInfo("build 17", 8);
	TracyPlotConfig("triangles", tracy::PlotFormatType::Number, true, true, 0);
	std::vector<std::thread> workers;
	for (int i = 0; i < 2; i++) workers.emplace_back(worker, i, frames);
	___tracy_emit_gpu_new_context({0, 1.f, 0, 0, 2});
	___tracy_emit_gpu_context_name({0, "main queue", 10});
	std::vector<void*> held;
	for (int i = 0; i < frames; i++) {
		{
			ZoneScopedN("Update");
			physics(i);
			void* p = malloc(1000 + i);
			TracyAlloc(p, 1000 + i);
			held.push_back(p);
			if (i % 3 == 2) {
				TracyFree(held[0]);
				free(held[0]);
				held.erase(held.begin());
			}
			TracyFiberEnter("script");
			{
				ZoneScopedN("Script");
				spin(20);
			}
			TracyFiberLeave;
		}
		{
			ZoneScopedN("Draw");
			pass(i);
			TracyPlot("triangles", int64_t(1000 + i));
			TracyPlot("load", 0.5 * i);
			if (i == frames / 2) {
				ZoneScopedN("Compile shader");
				TracyMessageL("a shader was compiled");
				std::string text = "shader number " + std::to_string(i);
				TracyMessage(text.c_str(), text.size());
				spin(30000);
			}
			spin(1000);
		}
		for (int k = 0; k < burst; k++) {
			ZoneScopedN("tiny");
		}
		FrameMark;
		FrameMarkNamed("logic");
		if (i % 10 == 5) {
			FrameMarkStart("load");
			spin(100);
			FrameMarkEnd("load");
		}
	}
	for (auto& w : workers) w.join();
	return 0;
}
