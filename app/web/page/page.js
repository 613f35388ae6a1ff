// The page: it brings in the viewer and the recordings, and shows how far that is.
"use strict";

(() => {
	const cover = document.getElementById("cover"), says = document.getElementById("says"), bar = document.getElementById("bar");
	const parameters = new URLSearchParams(location.search);
	const waiting = []; // recordings that came before the viewer
	const keptMost = 8, keptBytes = 512 << 20; // of recordings that the browser keeps

	function show(text, part) {
		cover.hidden = false;
		says.className = "";
		says.textContent = text;
		bar.hidden = false;
		if (part === undefined || !isFinite(part)) {
			bar.removeAttribute("value");
		} else {
			bar.value = part;
		}
	}

	function complain(text) {
		cover.hidden = false;
		says.className = "problem";
		says.textContent = text;
		bar.hidden = true;
		setTimeout(() => { cover.hidden = page.started; }, 12_000);
	}

	const mib = (n) => (n / (1 << 20)).toFixed(1) + " MiB";

	// fetched reads a whole address. Where the connection breaks it goes on with the rest, if the server can.
	async function fetched(url, what) {
		const parts = [];
		let done = 0, total = 0;
		for (let tries = 0; ; tries++) {
			try {
				const answer = await fetch(url, { credentials: "omit", headers: done > 0 ? { Range: `bytes=${done}-` } : {} });
				if (!answer.ok) {
					throw Object.assign(new Error(`${answer.status} ${answer.statusText}`.trim()), { final: true });
				}
				if (done > 0 && answer.status !== 206) {
					parts.length = done = 0;
				}
				const packed = answer.headers.get("Content-Encoding");
				if (done === 0) {
					total = packed ? 0 : Number(answer.headers.get("Content-Length"));
				}
				for (const reader = answer.body.getReader(); ;) {
					const { value, done: end } = await reader.read();
					if (end) {
						return new Blob(parts);
					}
					parts.push(value);
					done += value.length;
					show(`${what}: ${mib(done)}` + (total ? ` of ${mib(total)}` : ""), total ? done / total : undefined);
				}
			} catch (e) {
				if (e.final || tries === 3 || done === 0) {
					throw e;
				}
			}
		}
	}

	// The recordings opened last stay in the browser's own database.
	const database = new Promise((use) => {
		const asked = indexedDB.open("framescope", 1);
		asked.onupgradeneeded = () => asked.result.createObjectStore("recordings", { keyPath: "name" });
		asked.onsuccess = () => use(asked.result);
		asked.onerror = () => use(null);
	}).catch(() => null);

	const answered = (request) => new Promise((use, fail) => {
		request.onsuccess = () => use(request.result);
		request.onerror = () => fail(request.error);
	});

	async function keep(name, blob) {
		const db = await database;
		if (!db || blob.size > keptBytes) {
			return;
		}
		try {
			const store = () => db.transaction("recordings", "readwrite").objectStore("recordings");
			await answered(store().put({ name, blob, at: Date.now() }));
			const all = (await answered(store().getAll())).sort((a, b) => b.at - a.at);
			let bytes = 0;
			for (const [i, r] of all.entries()) {
				if ((bytes += r.blob.size) > keptBytes || i >= keptMost) {
					store().delete(r.name);
				}
			}
		} catch (e) {
			console.warn("framescope: the browser does not keep", name, String(e));
		}
	}

	async function mountKept() {
		const db = await database;
		if (db) {
			for (const r of await answered(db.transaction("recordings").objectStore("recordings").getAll())) {
				framescopeFiles.add(r.name, r.blob);
			}
		}
	}

	// open shows a recording, at a place in it if one is named.
	function open(name, blob, { at = "", keeps = true } = {}) {
		const link = framescopeFiles.add(name, blob) + (at ? "#" + at : "");
		if (keeps) {
			keep(name, blob);
		}
		if (page.show) {
			page.show(link);
		} else {
			waiting.push(link);
		}
	}

	async function openAddress(url, at) {
		const full = new URL(url, location.href);
		if (!/^(https?|blob|data):$/.test(full.protocol)) {
			throw new Error(`cannot read ${full.protocol} addresses`);
		}
		const name = decodeURIComponent(full.pathname.split("/").pop()) || "recording";
		try {
			open(name, await fetched(full, name), { at });
		} catch (e) {
			const foreign = full.origin !== location.origin && !e.final;
			throw new Error(`${name} could not be fetched: ${e.message}` +
				(foreign ? "\nIts server must allow pages of other sites to read it (Access-Control-Allow-Origin)." : ""));
		}
	}

	// choose asks for files, and resolves to their paths; none: the user closed the dialog.
	function choose() {
		return new Promise((use) => {
			const input = document.getElementById("choose");
			input.value = "";
			input.onchange = () => use([...input.files].map((f) => { keep(f.name, f); return framescopeFiles.add(f.name, f); }));
			input.oncancel = () => use([]);
			input.click();
		});
	}

	async function dropped(items) {
		const entries = [...items].map((i) => i.webkitGetAsEntry?.() ?? i.getAsFile()).filter((e) => e);
		const walk = async (e) => {
			if (e instanceof File) {
				return open(e.name, e);
			}
			if (e.isFile) {
				return new Promise((use, fail) => e.file((f) => use(open(f.name, f)), fail));
			}
			const reader = e.createReader();
			for (let some; (some = await new Promise((use, fail) => reader.readEntries(use, fail))).length > 0;) {
				for (const inner of some) {
					await walk(inner);
				}
			}
		};
		for (const e of entries) {
			await walk(e);
		}
	}

	addEventListener("dragover", (e) => { e.preventDefault(); e.stopImmediatePropagation(); }, true);
	addEventListener("drop", (e) => {
		e.preventDefault();
		e.stopImmediatePropagation();
		dropped(e.dataTransfer.items).catch((err) => complain(String(err)));
	}, true);

	// The protocol of Perfetto's page: another page that opened this one, or holds it in a frame, asks with PING until it
	// hears PONG, and then sends a recording.
	addEventListener("message", (e) => {
		if (e.source === null || e.source === window) {
			return;
		}
		if (e.data === "PING") {
			e.source.postMessage("PONG", e.origin === "null" ? "*" : e.origin);
			return;
		}
		const sent = e.data?.perfetto ?? (e.data instanceof ArrayBuffer ? { buffer: e.data } : undefined);
		const bytes = sent?.buffer;
		if (!(bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes) || bytes instanceof Blob)) {
			return;
		}
		const name = String(sent.fileName || sent.title || "recording");
		open(name, new Blob([bytes]), { keeps: sent.keepApiOpen !== true && !sent.localOnly });
	});

	// follow brings in a session that runs where the page comes from, and shows it as it goes on.
	function follow(id) {
		const address = new URL("follow", location.href);
		address.protocol = address.protocol.replace("http", "ws");
		address.search = new URLSearchParams(id ? { session: id } : {});
		const socket = new WebSocket(address);
		socket.binaryType = "arraybuffer";
		socket.onmessage = (e) => framescopeFiles.feed(new Uint8Array(e.data));
		socket.onclose = (e) => {
			framescopeFiles.feed(null);
			if (e.code !== 1000) {
				complain("The session is no longer followed: " + (e.reason || "the connection has ended"));
			}
		};
	}

	const page = globalThis.framescopePage = {
		started: false,
		choose,
		// first returns the links of what came before the viewer.
		first: () => waiting.splice(0),
		// ready is called by the viewer: it draws, and shows what is opened from now on.
		ready(show) {
			page.show = show;
			page.started = true;
			cover.hidden = true;
			cover.className = "small";
			waiting.splice(0).forEach(show);
		},
		live: () => parameters.has("live"),
		copy: (text) => navigator.clipboard.writeText(text),
		paste: () => navigator.clipboard.readText(),
		open, complain,
		...globalThis.framescopeGiven, // by a page that carries the viewer and a recording
	};

	async function viewer() {
		const go = new Go();
		go.env = { HOME: "/home", TMPDIR: "/tmp", XDG_CONFIG_HOME: "/home/config", XDG_STATE_HOME: "/home/state",
			XDG_DATA_HOME: "/home/data", XDG_CACHE_HOME: "/tmp/cache", TZ: Intl.DateTimeFormat().resolvedOptions().timeZone };
		const code = page.code ? await page.code() : await fetched("framescope.wasm", "Loading the viewer");
		show("Starting the viewer…");
		const { instance } = await WebAssembly.instantiate(await code.arrayBuffer(), go.importObject);
		await mountKept();
		await go.run(instance);
		complain("The viewer has ended. Load the page again to go on.");
	}

	const at = decodeURIComponent(location.hash.slice(1));
	const url = parameters.get("url");
	if (page.live()) {
		follow(parameters.get("session"));
	}
	const recording = page.given ? page.given(open, at) : url ? openAddress(url, at) : Promise.resolve();
	recording.catch((e) => complain(e.message));
	viewer().catch((e) => complain(`The viewer does not start: ${e.message}`));
})();
