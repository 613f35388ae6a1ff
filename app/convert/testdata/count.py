# Prints of each trace how many slices there are, their total duration in ns, and how many values of
# counters, as Perfetto's own definition of the format has them, or its trace processor, if
# FRAMESCOPE_TRACE_PROCESSOR says where that is.
import collections
import os
import sys


def processed(path, shell):
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

    with TraceProcessor(trace=path, config=TraceProcessorConfig(bin_path=shell)) as tp:
        one = lambda q: list(tp.query(q))[0]
        slices = one("select count(*) n, ifnull(sum(dur), 0) d from slice where dur > 0")
        return slices.n, slices.d, one("select count(*) n from counter").n


def parsed(path):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

    trace = pb.Trace()
    with open(path, "rb") as f:
        trace.ParseFromString(f.read())
    event = pb.TrackEvent
    edges, described, counted, slices, total = [], set(), 0, 0, 0
    for p in trace.packet:
        if p.HasField("track_descriptor"):
            described.add(p.track_descriptor.uuid)
        if not p.HasField("track_event"):
            continue
        e = p.track_event
        assert e.track_uuid in described, "an event of a track that nobody described"
        counted += e.type == event.TYPE_COUNTER
        if e.type in (event.TYPE_SLICE_BEGIN, event.TYPE_SLICE_END):
            edges.append((p.timestamp, e.track_uuid, e.type == event.TYPE_SLICE_BEGIN))
    edges.sort(key=lambda e: e[0])
    open_slices = collections.defaultdict(list)
    for ns, track, begins in edges:
        if begins:
            open_slices[track].append(ns)
        else:
            dur = ns - open_slices[track].pop()
            slices, total = slices + (dur > 0), total + dur
    return slices, total, counted


shell = os.environ.get("FRAMESCOPE_TRACE_PROCESSOR")
for trace in sys.argv[1:]:
    print(*(processed(trace, shell) if shell else parsed(trace)))
