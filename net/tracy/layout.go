package tracy

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// event is a kind of event, in the order of the newest protocol.
type event uint8

// The events that Framescope uses. The table layouts has all of them.
const (
	zoneText event = iota + 1
	zoneName
	message
	appInfo
	zoneBeginPayload
	sample
	sampleSwitch
	zoneBegin
	zoneBegin32
	zoneBegin16
	zoneEnd
	zoneEnd32
	zoneEnd16
	lockWait
	lockObtain
	lockObtainShared
	lockRelease
	lockReleaseShared
	lockName
	memAlloc
	memAllocStack
	memFree
	memDiscard
	gpuBegin
	gpuBeginPayload
	gpuEnd
	gpuBeginSerial
	gpuBeginPayloadSerial
	gpuEndSerial
	plotInt
	plotFloat
	plotDouble
	contextSwitch
	threadWakeup
	gpuTime
	gpuContextName
	callstackFrameSize
	fiberEnter
	fiberLeave
	sectionEnter
	sectionLeave
	terminate
	threadContext
	gpuCalibration
	gpuTimeSync
	crashReport
	zoneValue
	frameMark
	frameBegin
	frameEnd
	vsync
	sourceLocation
	lockAnnounce
	messageLiteral
	gpuContext
	callstackFrame
	systemLoad
	systemPower
	plotConfig
	answered
	singleString
	secondString
	singleString8
	secondString8
	poolName
	stringText
	threadName
	plotName
	locationPayload
	callstackPayload
	callstackAllocPayload
	frameName
	externalName
	externalThreadName
	longText // code of a symbol, a source file, or a picture
	fiberName
	ignored
)

// layout is an event of the protocol: its bytes behind the kind.
type layout struct {
	name   string
	is     event
	since  uint32 // first protocol version that has it
	fields string // "name:bytes" each; "name:bytes@version" of that version on, "name:bytes<version" before it
}

// layouts are the events in the order of their numbers. A version's own numbers are those of the events that it has:
// versions have only added events, and fields (public/common/TracyQueue.hpp of Tracy 0.10 to 0.14).
var layouts = [...]layout{
	{"ZoneText", zoneText, 0, ""}, {"ZoneName", zoneName, 0, ""},
	{"Message", message, 0, "time:8 meta:1@82"}, {"MessageColor", message, 0, "time:8 color:3 meta:1@82"},
	{"MessageCallstack", message, 0, "time:8 meta:1@82"},
	{"MessageColorCallstack", message, 0, "time:8 color:3 meta:1@82"},
	{"MessageAppInfo", appInfo, 0, "time:8"},
	{"ZoneBeginAllocSrcLoc", zoneBeginPayload, 0, "time:8"},
	{"ZoneBeginAllocSrcLocCallstack", zoneBeginPayload, 0, "time:8"},
	{"CallstackSerial", ignored, 0, ""}, {"Callstack", ignored, 0, ""}, {"CallstackAlloc", ignored, 0, ""},
	{"CallstackSample", sample, 0, "time:8<82 thread:4 time:8@82"},
	{"CallstackSample32", sample, 82, "thread:4 time:4"}, {"CallstackSample16", sample, 82, "thread:4 time:2"},
	{"CallstackSampleContextSwitch", sampleSwitch, 0, "time:8<82 thread:4 time:8@82"},
	{"CallstackSampleContextSwitch32", sampleSwitch, 82, "thread:4 time:4"},
	{"CallstackSampleContextSwitch16", sampleSwitch, 82, "thread:4 time:2"},
	{"FrameImage", ignored, 0, "frame:4 width:2 height:2 flip:1"},
	{"ZoneBegin", zoneBegin, 0, "time:8 srcloc:8"}, {"ZoneBegin32", zoneBegin32, 82, "time:4 srcloc:8"},
	{"ZoneBegin16", zoneBegin16, 82, "time:2 srcloc:8"},
	{"ZoneBeginCallstack", zoneBegin, 0, "time:8 srcloc:8"},
	{"ZoneBeginCallstack32", zoneBegin32, 82, "time:4 srcloc:8"},
	{"ZoneBeginCallstack16", zoneBegin16, 82, "time:2 srcloc:8"},
	{"ZoneEnd", zoneEnd, 0, "time:8"}, {"ZoneEnd32", zoneEnd32, 82, "time:4"}, {"ZoneEnd16", zoneEnd16, 82, "time:2"},
	{"LockWait", lockWait, 0, "thread:4 id:4 time:8"}, {"LockObtain", lockObtain, 0, "thread:4 id:4 time:8"},
	{"LockRelease", lockRelease, 0, "id:4 time:8"},
	{"LockSharedWait", lockWait, 0, "thread:4 id:4 time:8"}, {"LockSharedObtain", lockObtainShared, 0,
		"thread:4 id:4 time:8"},
	{"LockSharedRelease", lockReleaseShared, 0, "id:4 time:8 thread:4"},
	{"LockName", lockName, 0, "id:4"},
	{"MemAlloc", memAlloc, 0, "time:8 thread:4 ptr:8 size:6"}, {"MemAllocNamed", memAlloc, 0,
		"time:8 thread:4 ptr:8 size:6"},
	{"MemFree", memFree, 0, "time:8 thread:4 ptr:8"}, {"MemFreeNamed", memFree, 0, "time:8 thread:4 ptr:8"},
	{"MemAllocCallstack", memAllocStack, 0, "time:8 thread:4 ptr:8 size:6"},
	{"MemAllocCallstackNamed", memAllocStack, 0, "time:8 thread:4 ptr:8 size:6"},
	{"MemFreeCallstack", memFree, 0, "time:8 thread:4 ptr:8"},
	{"MemFreeCallstackNamed", memFree, 0, "time:8 thread:4 ptr:8"},
	{"MemDiscard", memDiscard, 74, "time:8 thread:4 name:8"}, {"MemDiscardCallstack", memDiscard, 74,
		"time:8 thread:4 name:8"},
	{"GpuZoneBegin", gpuBegin, 0, "time:8 thread:4 query:2 context:1 srcloc:8"},
	{"GpuZoneBeginCallstack", gpuBegin, 0, "time:8 thread:4 query:2 context:1 srcloc:8"},
	{"GpuZoneBeginAllocSrcLoc", gpuBeginPayload, 0, "time:8 thread:4 query:2 context:1"},
	{"GpuZoneBeginAllocSrcLocCallstack", gpuBeginPayload, 0, "time:8 thread:4 query:2 context:1"},
	{"GpuZoneEnd", gpuEnd, 0, "time:8 thread:4 query:2 context:1"},
	{"GpuZoneBeginSerial", gpuBeginSerial, 0, "time:8 thread:4 query:2 context:1 srcloc:8"},
	{"GpuZoneBeginCallstackSerial", gpuBeginSerial, 0, "time:8 thread:4 query:2 context:1 srcloc:8"},
	{"GpuZoneBeginAllocSrcLocSerial", gpuBeginPayloadSerial, 0, "time:8 thread:4 query:2 context:1"},
	{"GpuZoneBeginAllocSrcLocCallstackSerial", gpuBeginPayloadSerial, 0, "time:8 thread:4 query:2 context:1"},
	{"GpuZoneEndSerial", gpuEndSerial, 0, "time:8 thread:4 query:2 context:1"},
	{"PlotDataInt", plotInt, 0, "name:8 time:8 value:8"}, {"PlotDataFloat", plotFloat, 0, "name:8 time:8 value:4"},
	{"PlotDataDouble", plotDouble, 0, "name:8 time:8 value:8"},
	{"ContextSwitch", contextSwitch, 0, "time:8 old:4 new:4 cpu:1 reason:1 state:1 cstate:1@74 newprio:1@74 oldprio:1@74"},
	{"ThreadWakeup", threadWakeup, 0, "time:8 thread:4 cpu:1@74 adjust:1@74 by:1@74"},
	{"GpuTime", gpuTime, 0, "gpu:8 query:2 context:1"}, {"GpuContextName", gpuContextName, 0, "context:1"},
	{"GpuAnnotationName", ignored, 76, "note:8 context:1"},
	{"CallstackFrameSize", callstackFrameSize, 0, "ptr:8 count:1"},
	{"SymbolInformation", ignored, 0, "line:4 symbol:8"},
	{"ExternalNameMetadata", ignored, 0, ""}, {"SymbolCodeMetadata", ignored, 0, ""}, {"SourceCodeMetadata", ignored, 0,
		""},
	{"FiberEnter", fiberEnter, 0, "time:8 fiber:8 thread:4 hint:4@69"}, {"FiberLeave", fiberLeave, 0, "time:8 thread:4"},
	{"SectionEnter", sectionEnter, 82, "time:8 id:4 category:2"}, {"SectionLeave", sectionLeave, 82, "time:8 id:4"},
	{"SectionSetup", ignored, 82, "category:2"},
	{"Terminate", terminate, 0, ""}, {"KeepAlive", ignored, 0, ""}, {"ThreadContext", threadContext, 0, "thread:4"},
	{"GpuCalibration", gpuCalibration, 0, "gpu:8 time:8 delta:8 context:1"},
	{"GpuTimeSync", gpuTimeSync, 66, "gpu:8 time:8 context:1"},
	{"Crash", ignored, 0, ""}, {"CrashReport", crashReport, 0, "time:8 text:8"},
	{"ZoneValidation", ignored, 0, "id:4"}, {"ZoneColor", ignored, 0, "color:3"}, {"ZoneValue", zoneValue, 0, "value:8"},
	{"FrameMarkMsg", frameMark, 0, "time:8 name:8"}, {"FrameMarkMsgStart", frameBegin, 0, "time:8 name:8"},
	{"FrameMarkMsgEnd", frameEnd, 0, "time:8 name:8"}, {"FrameVsync", vsync, 0, "time:8 id:4"},
	{"SourceLocation", sourceLocation, 0, "name:8 function:8 file:8 line:4 color:3"},
	{"LockAnnounce", lockAnnounce, 0, "id:4 time:8 srcloc:8 type:1"}, {"LockTerminate", ignored, 0, "id:4 time:8"},
	{"LockMark", ignored, 0, "thread:4 id:4 srcloc:8"},
	{"MessageLiteral", messageLiteral, 0, "time:8 text:8"},
	{"MessageLiteralColor", messageLiteral, 0, "time:8 color:3 text:8"},
	{"MessageLiteralCallstack", messageLiteral, 0, "time:8 text:8"},
	{"MessageLiteralColorCallstack", messageLiteral, 0, "time:8 color:3 text:8"},
	{"GpuNewContext", gpuContext, 0, "time:8 gpu:8 thread:4 period:4 context:1 flags:1 type:1"},
	{"CallstackFrame", callstackFrame, 0, "line:4 symbol:8 length:4"},
	{"SysTimeReport", systemLoad, 0, "time:8 value:4"}, {"SysPowerReport", systemPower, 0, "time:8 value:8 name:8"},
	{"TidToPid", ignored, 0, "tid:8 pid:8"},
	{"HwSampleCpuCycle", ignored, 0, "ip:8 time:8"}, {"HwSampleInstructionRetired", ignored, 0, "ip:8 time:8"},
	{"HwSampleCacheReference", ignored, 0, "ip:8 time:8"}, {"HwSampleCacheMiss", ignored, 0, "ip:8 time:8"},
	{"HwSampleBranchRetired", ignored, 0, "ip:8 time:8"}, {"HwSampleBranchMiss", ignored, 0, "ip:8 time:8"},
	{"PlotConfig", plotConfig, 0, "name:8 type:1 step:1 fill:1 color:4"},
	{"ParamSetup", ignored, 0, "id:4 name:8 type:1 value:4"},
	{"AckServerQueryNoop", answered, 0, ""}, {"AckSourceCodeNotAvailable", answered, 0, "id:4"},
	{"AckSymbolCodeNotAvailable", answered, 0, ""},
	{"CpuTopology", ignored, 0, "package:4 die:4@69 core:4 thread:4"},
	{"SingleStringData", singleString, 0, ""}, {"SecondStringData", secondString, 0, ""},
	{"SingleStringData8", singleString8, 82, ""}, {"SecondStringData8", secondString8, 82, ""},
	{"MemNamePayload", poolName, 0, "name:8"}, {"ThreadGroupHint", ignored, 69, "thread:4 hint:4"},
	{"GpuZoneAnnotation", ignored, 76, "note:8 value:8 thread:4 query:2 context:1"},
	{"StringData", stringText, 0, "ptr:8"}, {"ThreadName", threadName, 0, "ptr:8"}, {"PlotName", plotName, 0, "ptr:8"},
	{"SourceLocationPayload", locationPayload, 0, "ptr:8"}, {"CallstackPayload", callstackPayload, 0, "ptr:8"},
	{"CallstackAllocPayload", callstackAllocPayload, 0, "ptr:8"}, {"FrameName", frameName, 0, "ptr:8"},
	{"FrameImageData", longText, 0, "ptr:8"}, {"ExternalName", externalName, 0, "ptr:8"},
	{"ExternalThreadName", externalThreadName, 0, "ptr:8"}, {"SymbolCode", longText, 0, "ptr:8"},
	{"SourceCode", longText, 0, "ptr:8"}, {"FiberName", fiberName, 0, "ptr:8"},
}

// Versions are the versions of the protocol that Framescope speaks, the newest first.
var Versions = []uint32{82, 76, 74, 69, 66, 64}

// releases are Tracy's own versions, by those of its protocol.
var releases = map[uint32]string{82: "0.14", 76: "0.13", 74: "0.12", 69: "0.11.1", 66: "0.11.0", 64: "0.10"}

// Version of the protocol from which on short times and texts have forms of their own.
const compactVersion = 82

// shape is an event of one version: how many bytes follow its kind, and where its fields are among them.
type shape struct {
	layout *layout
	is     event
	size   int
	fields map[string]place
	text   int // bytes of the length of a text behind it: 0, 1, 2 or 4
}

type place struct{ at, size int }

// shapesOf returns the events of a version of the protocol, by number.
func shapesOf(version uint32) ([]shape, error) {
	if releases[version] == "" {
		return nil, fmt.Errorf("speaks version %d of Tracy's protocol; Framescope knows %s", version, KnownVersions())
	}
	var list []shape
	for i := range layouts {
		l := &layouts[i]
		if l.since > version {
			continue
		}
		s := shape{layout: l, is: l.is, fields: map[string]place{}}
		for field := range strings.FieldsSeq(l.fields) {
			name, size, has := fieldOf(field, version)
			if has {
				s.fields[name] = place{s.size, size}
				s.size += size
			}
		}
		s.text = textBytes(l.is)
		list = append(list, s)
	}
	return list, nil
}

// fieldOf reads a field of a layout; has is false where a version has it not.
func fieldOf(field string, version uint32) (name string, size int, has bool) {
	name, rest, _ := strings.Cut(field, ":")
	size, has = int(rest[0]-'0'), true
	if len(rest) > 1 { // "@" and the first version that has it, or "<" and the first that has it no more
		border, _ := strconv.Atoi(rest[2:])
		has = (version < uint32(border)) == (rest[1] == '<')
	}
	return name, size, has
}

// textBytes returns how many bytes the length of the text behind an event takes, 0 where it has none.
func textBytes(e event) int {
	switch e {
	case singleString8, secondString8:
		return 1
	case singleString, secondString, stringText, threadName, plotName, locationPayload, callstackPayload,
		callstackAllocPayload, frameName, externalName, externalThreadName, fiberName:
		return 2
	case longText:
		return 4
	}
	return 0
}

// KnownVersions lists the versions of the protocol for people.
func KnownVersions() string {
	var list []string
	for _, v := range Versions {
		list = append(list, fmt.Sprintf("%d (Tracy %s)", v, releases[v]))
	}
	return strings.Join(list, ", ")
}

// record is an event with its bytes, and the text behind it.
type record struct {
	*shape
	body, text []byte
}

// uint returns a field, 0 where the version has it not.
func (r *record) uint(field string) (v uint64) {
	p, ok := r.fields[field]
	if !ok {
		return 0
	}
	var buf [8]byte
	copy(buf[:], r.body[p.at:p.at+p.size])
	return binary.LittleEndian.Uint64(buf[:])
}

// int returns a field with a sign.
func (r *record) int(field string) int64 {
	bits := 8 * r.fields[field].size
	if bits == 0 {
		return 0
	}
	return int64(r.uint(field)<<(64-bits)) >> (64 - bits)
}
