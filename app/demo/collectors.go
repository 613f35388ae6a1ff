package demo

import "framescope/net/pstats/client"

// collectors is everything that the game measures.
type collectors struct {
	app, input, network, tasks, ai, sense, minimax, physics, broad, narrow, solve client.Collector
	animation, scripts, autosave, audio, particles                                client.Collector
	gc, gcMark, gcSweep                                                           client.Collector
	cull, cullSetup, cullShadows, cullVisit, cullSort                             client.Collector
	draw, makeCurrent, clear, shadows, opaque, transparent, particlesDraw, ui     client.Collector
	flush, setState, primitive, compile, transfer, post, bloom, tonemap           client.Collector
	waitSync, waitClock, waitFlip, waitIdle, waitLock, waitDisk, pstats           client.Collector
	job                                                                           [3]client.Collector
	jobStep, read, inflate, upload                                                client.Collector

	heap, mmap, textures, nodes, geoms, vertices, triangles, enemies, received, queued, latency client.Collector
}

func defineCollectors(c *client.Client) collectors {
	col := collectors{
		app: c.Collector("App"), input: c.Collector("App:Input"), network: c.Collector("App:Network"),
		tasks: c.Collector("App:Tasks"), ai: c.Collector("App:AI"), sense: c.Collector("App:AI:Sense"),
		minimax: c.Collector("App:AI:Minimax"), physics: c.Collector("App:Physics"),
		broad: c.Collector("App:Physics:Broad phase"), narrow: c.Collector("App:Physics:Narrow phase"),
		solve: c.Collector("App:Physics:Solve"), animation: c.Collector("*:Animation"), scripts: c.Collector("App:Scripts"),
		autosave: c.Collector("App:Autosave"), audio: c.Collector("App:Audio mix"), particles: c.Collector("App:Particles"),
		gc: c.Collector("GC"), gcMark: c.Collector("GC:Mark"), gcSweep: c.Collector("GC:Sweep"), cull: c.Collector("Cull"),
		cullSetup: c.Collector("Cull:Setup"), cullShadows: c.Collector("Cull:Shadows"), cullVisit: c.Collector("Cull:Visit"),
		cullSort: c.Collector("Cull:Sort"),
		draw:     c.Collector("Draw"), makeCurrent: c.Collector("Draw:Make current"), clear: c.Collector("Draw:Clear"),
		shadows: c.Collector("Draw:Shadows"), opaque: c.Collector("Draw:Opaque"),
		transparent: c.Collector("Draw:Transparent"), particlesDraw: c.Collector("Draw:Particles"),
		ui: c.Collector("Draw:UI"), flush: c.Collector("Draw:Flush"), setState: c.Collector("Draw:Set State"),
		primitive: c.Collector("Draw:Primitive"), compile: c.Collector("Draw:Compile shader"),
		transfer: c.Collector("Draw:Transfer data:Texture"), post: c.Collector("Draw:Post"),
		bloom: c.Collector("Draw:Post:Bloom"), tonemap: c.Collector("Draw:Post:Tone map"),
		waitSync: c.Collector("Wait:Thread sync"), waitClock: c.Collector("Wait:Clock Wait"),
		waitFlip: c.Collector("Wait:Flip"), waitIdle: c.Collector("Wait:Idle"), waitLock: c.Collector("Wait:Mutex block"),
		waitDisk: c.Collector("Wait:Disk"), pstats: c.Collector("*:PStats"),
		job:     [3]client.Collector{c.Collector("Job:Path finding"), c.Collector("Job:Cloth"), c.Collector("Job:Occlusion")},
		jobStep: c.Collector("Job:Step"),
		read:    c.Collector("IO:Read"), inflate: c.Collector("IO:Inflate"), upload: c.Collector("IO:Upload"),

		heap: c.Collector("System memory:Heap"), mmap: c.Collector("System memory:MMap"),
		textures: c.Collector("Graphics memory:Textures"), nodes: c.Collector("Nodes"), geoms: c.Collector("Geoms"),
		vertices: c.Collector("Vertices"), triangles: c.Collector("Vertices:Triangles"), enemies: c.Collector("Enemies"),
		received: c.Collector("Network received"), queued: c.Collector("Load queue"), latency: c.Collector("window1 latency"),
	}
	c.SetColor(col.ai, 0.9, 0.35, 0.1)
	c.SetColor(col.physics, 0.1, 0.55, 0.75)
	c.SetColor(col.gc, 0.8, 0.05, 0.1)
	c.SetColor(col.compile, 0.9, 0.1, 0.3)
	c.SetSort(col.gc, 50)
	c.SetScale(col.enemies, 20)
	c.SetUnits(col.received, "KB", 1.0/1024)
	c.SetScale(col.received, 20)
	c.SetUnits(col.queued, "MB", 1.0/(1<<20))
	return col
}
