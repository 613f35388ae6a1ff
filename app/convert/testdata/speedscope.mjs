// Reads profiles by the importer of speedscope itself, out of the program that its package brings, and prints
// what it found: a line for each profile with its name, unit and total, and for each of its functions.
// Each has the number of its file.
// usage: node import.mjs FOLDER-OF-SPEEDSCOPE FILE...
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [folder, ...files] = process.argv.slice(2);
const release = path.join(folder, "dist", "release");
const bundle = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const program = fs.readFileSync(path.join(release, bundle), "utf8");
const found = /loadFileFromBase64:\((\w+),(\w+)\)=>\{this\.loadProfile\(\(\)=>([\w$]+)\(\1,\2\)\)/.exec(program);
if (!found) throw new Error("the importer is not where it was in " + bundle);

// A page that takes everything and shows nothing.
const nothing = () => new Proxy(function () {}, {
	get: (_, key) => key === Symbol.toPrimitive ? () => "" : key === Symbol.iterator ? [][Symbol.iterator].bind([]) : nothing(),
	set: () => true, apply: nothing, construct: nothing, has: () => true,
});
const page = {
	console: { log() {}, warn() {}, error() {}, info() {} }, TextDecoder, TextEncoder, URL, performance, setTimeout, clearTimeout, queueMicrotask,
	atob, btoa, document: nothing(), navigator: nothing(), location: { hash: "", protocol: "file:", search: "", href: "file:///" },
	localStorage: nothing(), requestAnimationFrame() {}, matchMedia: nothing(), fetch: nothing(), FileReader: nothing(),
	HTMLElement: class {}, Image: class {}, addEventListener() {}, removeEventListener() {},
};
page.window = page.self = page.globalThis = page;
vm.createContext(page);
try {
	vm.runInContext(program.replace("(()=>{", `(()=>{globalThis.importer=(...args)=>${found[3]}(...args);`), page);
} catch (err) {
	if (process.env.WHY) console.error(err); // it has nothing to draw on; what reads is there by then
}
for (const [number, file] of files.entries()) {
	const group = await page.importer(path.basename(file), fs.readFileSync(file).toString("base64"));
	if (!group) throw new Error("speedscope does not know the format of " + file);
	for (const p of group.profiles) {
		console.log(JSON.stringify({ number, name: p.getName(), unit: p.getWeightUnit(), total: p.getTotalWeight() }));
		p.forEachFrame((f) => console.log(JSON.stringify({ number, frame: f.name, self: f.getSelfWeight(), total: f.getTotalWeight() })));
	}
}
