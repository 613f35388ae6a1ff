// File platforms.go has the test that Framescope compiles for every platform that is promised.

package docs
