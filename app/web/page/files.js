// The files of the page: what Go's os package reads and writes in a browser. Files that the user opens are blobs, of
// which only the pieces that are asked for come into memory. What is written lies in memory; below /home it is kept in
// the browser's storage, and in /downloads it is handed to the user.
"use strict";

(() => {
	const piece = 1 << 20; // of a blob, that is read at once
	const pieces = 4; // of a blob, that stay in memory
	const isFolder = 0o040000, isFile = 0o100000;
	const O = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
	const prefix = "framescope:"; // of keys of the browser's storage
	let inodes = 0;

	const fail = (code) => Object.assign(new Error(code), { code });

	class Folder {
		constructor() {
			this.ino = ++inodes;
			this.changed = Date.now();
			this.entries = new Map();
		}
		get mode() { return isFolder | 0o755; }
		get size() { return 0; }
	}

	// Memory is a file that is written here.
	class Memory {
		constructor(bytes = new Uint8Array(0)) {
			this.ino = ++inodes;
			this.changed = Date.now();
			this.bytes = bytes;
			this.size = bytes.length;
		}
		get mode() { return isFile | 0o644; }

		resize(size) {
			if (size > this.bytes.length) {
				const grown = new Uint8Array(Math.max(size, this.bytes.length * 2));
				grown.set(this.bytes.subarray(0, this.size));
				this.bytes = grown;
			} else if (size < this.size) {
				this.bytes.fill(0, size, this.size);
			}
			this.size = size;
			this.changed = Date.now();
		}

		write(bytes, at) {
			if (at + bytes.length > this.size) {
				this.resize(at + bytes.length);
			}
			this.bytes.set(bytes, at);
			this.changed = Date.now();
			return bytes.length;
		}

		read(into, at) {
			const n = Math.max(0, Math.min(into.length, this.size - at));
			into.set(this.bytes.subarray(at, at + n));
			return n;
		}

		blob() { return new Blob([this.bytes.subarray(0, this.size)]); }
	}

	// Blobs is a file that the user opened.
	class Blobs {
		constructor(blob) {
			this.ino = ++inodes;
			this.changed = blob.lastModified || Date.now();
			this.content = blob;
			this.size = blob.size;
			this.near = new Map(); // pieces by their number, the one used last at the end
		}
		get mode() { return isFile | 0o444; }

		async read(into, at) {
			const n = Math.max(0, Math.min(into.length, this.size - at));
			for (let done = 0; done < n;) {
				const from = (at + done) % piece;
				const bytes = await this.piece(Math.floor((at + done) / piece));
				const some = bytes.subarray(from, from + n - done);
				into.set(some, done);
				done += some.length;
			}
			return n;
		}

		async piece(i) {
			let bytes = this.near.get(i);
			this.near.delete(i);
			bytes ??= new Uint8Array(await this.content.slice(i * piece, (i + 1) * piece).arrayBuffer());
			this.near.set(i, bytes);
			if (this.near.size > pieces) {
				this.near.delete(this.near.keys().next().value);
			}
			return bytes;
		}

		blob() { return this.content; }
	}

	const root = new Folder();
	const open = new Map(); // by descriptor
	let descriptors = 3;

	// find returns the folder of a path, the name in it and the node of that name, if there is one.
	function find(path) {
		const parts = [];
		for (const part of path.split("/")) {
			if (part === "..") {
				parts.pop();
			} else if (part !== "" && part !== ".") {
				parts.push(part);
			}
		}
		if (parts.length === 0) {
			return { folder: root, name: "", node: root, path: "/" };
		}
		const name = parts.pop();
		let folder = root;
		for (const part of parts) {
			folder = folder.entries.get(part);
			if (!(folder instanceof Folder)) {
				throw fail(folder ? "ENOTDIR" : "ENOENT");
			}
		}
		return { folder, name, node: folder.entries.get(name), path: "/" + [...parts, name].join("/") };
	}

	function must(path) {
		const at = find(path);
		if (!at.node) {
			throw fail("ENOENT");
		}
		return at;
	}

	function mount(path, node) {
		const parts = path.split("/").filter((p) => p !== "");
		const name = parts.pop();
		let folder = root;
		for (const part of parts) {
			if (!folder.entries.has(part)) {
				folder.entries.set(part, new Folder());
			}
			folder = folder.entries.get(part);
		}
		folder.entries.set(name, node);
	}

	function describe(node) {
		const folder = node instanceof Folder;
		return {
			dev: 1, ino: node.ino, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: node.size, blksize: 4096,
			blocks: Math.ceil(node.size / 512), atimeMs: node.changed, mtimeMs: node.changed, ctimeMs: node.changed,
			isDirectory: () => folder,
		};
	}

	// wrote takes note of a file that is whole now.
	function wrote(path, node) {
		if (path.startsWith("/home/")) {
			try {
				localStorage.setItem(prefix + path, new TextDecoder().decode(node.bytes.subarray(0, node.size)));
			} catch (e) {
				console.warn("framescope: not kept in this browser:", path, String(e));
			}
		} else if (path.startsWith("/downloads/") && !path.endsWith(".part")) {
			handOut(path, node);
		}
	}

	// handOut gives a written file to the user. Its content leaves the memory of the page.
	function handOut(path, node) {
		const link = document.createElement("a");
		const kept = new Blobs(node.blob());
		link.href = URL.createObjectURL(kept.content);
		link.download = path.slice(path.lastIndexOf("/") + 1);
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
		mount(path, kept);
	}

	function gone(path) {
		if (path.startsWith("/home/")) {
			localStorage.removeItem(prefix + path);
		}
	}

	const descriptor = (fd) => {
		const f = open.get(fd);
		if (!f) {
			throw fail("EBADF");
		}
		return f;
	};

	const said = { 1: "", 2: "" };
	function say(fd, bytes) {
		const lines = (said[fd] + new TextDecoder().decode(bytes)).split("\n");
		said[fd] = lines.pop();
		for (const line of lines) {
			(fd === 2 ? console.warn : console.log)(line);
		}
		return bytes.length;
	}

	// Standard input is what comes in while the page is open: a live session.
	const input = { pieces: [], ended: false, wake: () => {} };

	function take(into) {
		const piece = input.pieces[0];
		if (!piece) {
			return input.ended ? 0 : new Promise((use) => { input.wake = () => use(take(into)); });
		}
		const n = Math.min(piece.length, into.length);
		into.set(piece.subarray(0, n));
		if (n < piece.length) {
			input.pieces[0] = piece.subarray(n);
		} else {
			input.pieces.shift();
		}
		return n;
	}

	const calls = {
		open(path, flags) {
			const at = find(path);
			let node = at.node;
			if (node && flags & O.O_CREAT && flags & O.O_EXCL) {
				throw fail("EEXIST");
			}
			const writes = (flags & 3) !== O.O_RDONLY;
			if (node instanceof Folder && writes) {
				throw fail("EISDIR");
			}
			if (!node) {
				if (!(flags & O.O_CREAT)) {
					throw fail("ENOENT");
				}
				node = new Memory();
				at.folder.entries.set(at.name, node);
			}
			if (writes && node instanceof Blobs) {
				if (!(flags & O.O_TRUNC)) {
					throw fail("EACCES");
				}
				node = new Memory();
				at.folder.entries.set(at.name, node);
			}
			if (flags & O.O_TRUNC && node instanceof Memory) {
				node.resize(0);
			}
			open.set(++descriptors, { node, path: at.path, at: 0, appends: flags & O.O_APPEND, written: false });
			return descriptors;
		},
		close(fd) {
			const f = descriptor(fd);
			open.delete(fd);
			if (f.written && root && find(f.path).node === f.node) {
				wrote(f.path, f.node);
			}
		},
		fstat(fd) {
			return fd < 3 ? describe(new Memory()) : describe(descriptor(fd).node);
		},
		stat(path) { return describe(must(path).node); },
		lstat(path) { return describe(must(path).node); },
		read(fd, buffer, offset, length, position) {
			if (fd === 0) {
				return take(buffer.subarray(offset, offset + length));
			}
			const f = descriptor(fd);
			if (f.node instanceof Folder) {
				throw fail("EISDIR");
			}
			const into = buffer.subarray(offset, offset + length);
			const n = f.node.read(into, position ?? f.at);
			if (position !== null && position !== undefined) {
				return n;
			}
			const move = (n) => { f.at += n; return n; };
			return typeof n === "number" ? move(n) : n.then(move);
		},
		write(fd, buffer, offset, length, position) {
			const bytes = buffer.subarray(offset, offset + length);
			if (fd < 3) {
				return say(fd, bytes);
			}
			const f = descriptor(fd);
			if (!(f.node instanceof Memory)) {
				throw fail("EBADF");
			}
			f.written = true;
			if (position !== null && position !== undefined) {
				return f.node.write(bytes, position);
			}
			if (f.appends) {
				f.at = f.node.size;
			}
			f.node.write(bytes, f.at);
			f.at += length;
			return length;
		},
		mkdir(path) {
			const at = find(path);
			if (at.node) {
				throw fail("EEXIST");
			}
			at.folder.entries.set(at.name, new Folder());
		},
		readdir(path) {
			const { node } = must(path);
			if (!(node instanceof Folder)) {
				throw fail("ENOTDIR");
			}
			return [...node.entries.keys()];
		},
		rename(from, to) {
			const was = must(from), is = find(to);
			was.folder.entries.delete(was.name);
			is.folder.entries.set(is.name, was.node);
			gone(was.path);
			if (was.node instanceof Memory) {
				wrote(is.path, was.node);
			}
		},
		unlink(path) {
			const at = must(path);
			if (at.node instanceof Folder) {
				throw fail("EISDIR");
			}
			at.folder.entries.delete(at.name);
			gone(at.path);
		},
		rmdir(path) {
			const at = must(path);
			if (!(at.node instanceof Folder)) {
				throw fail("ENOTDIR");
			}
			if (at.node.entries.size > 0) {
				throw fail("ENOTEMPTY");
			}
			at.folder.entries.delete(at.name);
		},
		truncate(path, length) { must(path).node.resize(length); },
		ftruncate(fd, length) {
			const f = descriptor(fd);
			f.written = true;
			f.node.resize(length);
		},
		fsync() {}, chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {}, utimes() {},
		readlink() { throw fail("EINVAL"); },
		link() { throw fail("EPERM"); },
		symlink() { throw fail("EPERM"); },
	};

	// fs is what Go expects: functions that pass their result to a last argument, at once where they can, so that the
	// game loop need not wait for the browser.
	const fs = { constants: O, writeSync: (fd, bytes) => say(fd, bytes) };
	for (const [name, call] of Object.entries(calls)) {
		fs[name] = (...args) => {
			const done = args.pop();
			let result;
			try {
				result = call(...args);
			} catch (e) {
				done(e.code ? e : Object.assign(e, { code: "EIO" }));
				return;
			}
			if (result instanceof Promise) {
				result.then((r) => done(null, r), (e) => done(Object.assign(e, { code: "EIO" })));
			} else {
				done(null, result);
			}
		};
	}
	globalThis.fs = fs;
	globalThis.process = {
		getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
		pid: 1, ppid: 0, umask: () => 0o22, cwd: () => "/", chdir() { throw fail("EPERM"); },
	};

	for (const folder of ["/home", "/tmp", "/files", "/downloads"]) {
		mount(folder, new Folder());
	}
	for (const [key, text] of Object.entries(globalThis.localStorage ?? {})) {
		if (key.startsWith(prefix + "/home/")) {
			mount(key.slice(prefix.length), new Memory(new TextEncoder().encode(text)));
		}
	}

	globalThis.framescopeFiles = {
		// add makes a blob a file, and returns its path.
		add(name, blob) {
			const path = "/files/" + name.replaceAll("/", "_");
			mount(path, new Blobs(blob));
			return path;
		},
		// feed gives bytes to standard input; none: it has ended.
		feed(bytes) {
			if (bytes) {
				input.pieces.push(bytes);
			} else {
				input.ended = true;
			}
			input.wake();
		},
	};
})();
