// Package speedscope reads the JSON of speedscope, which py-spy, pyinstrument, dotnet-trace, austin,
// rbspy and others write: profiles of samples or of begins and ends, in any unit.
//
// A file is read twice: frames may stand behind the profiles that name them, and the unit and the
// begin of a profile behind its samples.
package speedscope
