package gsttrace

// isCoreEnum reports whether a type is an enumeration or flags of the core library, the only ones
// that gst-stats 1.22 reads: it loads no plugins.
func isCoreEnum(typ string) bool {
	switch typ {
	case "GstState", "GstStateChangeReturn", "GstFormat", "GstStructureChangeType", "GstStreamStatusType", "GstProgressType",
		"GstSeekType", "GstSeekFlags", "GstSegmentFlags", "GstBufferingMode", "GstMessageType", "GstPadDirection",
		"GstPadMode", "GstPadPresence", "GstPadFlags", "GstBufferFlags", "GstBufferCopyFlags", "GstSchedulingFlags",
		"GstStreamType", "GstStreamFlags", "GstTagMergeMode", "GstTagFlag", "GstTagScope", "GstURIType",
		"GstURIError", "GstQOSType", "GstEventType", "GstEventTypeFlags", "GstQueryType", "GstQueryTypeFlags",
		"GstClockType", "GstClockReturn", "GstClockEntryType", "GstClockFlags", "GstTaskState", "GstTocScope",
		"GstTocEntryType", "GstTocLoopType", "GstMetaFlags", "GstMemoryFlags", "GstMapFlags", "GstCapsIntersectMode",
		"GstCapsFlags", "GstCoreError", "GstResourceError", "GstStreamError", "GstLibraryError", "GstPluginError",
		"GstPluginFlags", "GstPluginDependencyFlags", "GstTracerValueScope", "GstTracerValueFlags", "GstPromiseResult", "GstRank",
		"GstBusFlags", "GstBusSyncReply", "GstBinFlags", "GstElementFlags", "GstObjectFlags", "GstMiniObjectFlags",
		"GstLockFlags", "GstParseError", "GstParseFlags", "GstPipelineFlags", "GstPadLinkReturn", "GstPadLinkCheck",
		"GstPadProbeType", "GstPadProbeReturn", "GstPadTemplateFlags", "GstFlowReturn", "GstIteratorResult", "GstIteratorItem",
		"GstSearchMode", "GstTypeFindProbability", "GstAllocatorFlags", "GstBufferPoolAcquireFlags", "GstStackTraceFlags", "GstDebugLevel",
		"GstDebugColorFlags", "GstDebugColorMode", "GstDebugGraphDetails":
		return true
	}
	return false
}
