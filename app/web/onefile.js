document.getElementById("framescope-open").onclick = () => {
	const look = document.getElementById("framescope-look").content;
	const scripts = [...document.querySelectorAll(".framescope-script")].map((s) => s.textContent);
	const packed = (id) => document.getElementById(id);
	const code = packed("framescope-code"), recording = packed("framescope-recording");
	const unpacked = async (element) => {
		const bytes = await (await fetch("data:application/octet-stream;base64," + element.textContent)).blob();
		return new Response(bytes.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
	};
	globalThis.framescopeGiven = {
		code: () => unpacked(code),
		given: async (open, at) => open(recording.dataset.name, await unpacked(recording), { at, keeps: false }),
	};
	document.head.querySelectorAll("style").forEach((s) => s.remove());
	document.body.replaceChildren(look);
	for (const text of scripts) {
		const script = document.createElement("script");
		script.textContent = text;
		document.body.append(script);
	}
};
