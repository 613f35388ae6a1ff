// Package e2e tests the real viewer from end to end: a host plays its display, mouse and keyboard
// (Ebitengine's exp/vmhost), opens recordings, scrubs, zooms, selects, pauses, and compares the window
// with the pictures in testdata. The tests are compiled with -tags integration only. The host needs an X server
// and OpenGL; the tests start their own Xvfb, and skip with a message where there is none.
//
// Run with -tags integration -update -v to store the pictures that differ, then look at the listed ones.
// FRAMESCOPE_SHOTS=FOLDER lets TestShots and TestTour write pictures of the whole window at common
// sizes, of any recording (FRAMESCOPE_SHOTS_FILE).
//
// Common questions about a slow frame are tried by mouse and by keys:
//
//	why it is slow             TestWhy; over a pinned baseline TestBaseline
//	spikes by their causes     TestWhy
//	find calls                 TestFind, TestFoundLengths
//	follow flows               TestFlows
//	compare two stretches      TestComparing, TestBothTimelines
//	budgets                    TestBudgets
//	clips of hitches           TestClips, from the search field on
//	pictures and tables        TestKeepAndOut, TestExportByMouse
//	keep what is selected      TestKeepAndOut; bookmarks TestBookmarks
package e2e
