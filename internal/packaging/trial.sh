#!/bin/sh
# Builds the packages of this machine's kind, installs them in a Debian of nothing else, and uses them there.
#
#	internal/packaging/trial.sh FOLDER [PACKAGES]
#
# FOLDER is the Debian, which is made if it is not there: by debootstrap, as root. PACKAGES is a folder with the .deb
# files of a build; without it, goreleaser makes them.
set -eu
root=${1:?name a folder for the Debian} dist=${2:-dist} kind=$(dpkg --print-architecture)
cd "$(dirname "$0")/../.."
recording=$(find testdata app net -name "*.pstats" -size -500k | sort | head -1)

if [ $# -lt 2 ]; then
	config=$(mktemp)
	sed "/ignore:/d; /goos: windows, goarch/d; s/goos: \[.*/goos: [linux]/; s/goarch: \[.*/goarch: [$kind]/" \
		.goreleaser.yaml >"$config"
	goreleaser release --config "$config" --snapshot --clean --skip=publish,sign,sbom
	rm "$config"
fi
[ -d "$root/etc/apt" ] || debootstrap --variant=minbase bookworm "$root"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT

inside() { DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 DISPLAY='' chroot "$root" "$@"; }
has() { # has TEXT COMMAND…: what the command prints holds the text
	text=$1 && shift
	inside "$@" 2>&1 | grep -q -- "$text" || { echo "trial: $* does not say: $text" >&2; exit 1; }
}

rm -rf "$root/trial" && mkdir "$root/trial"
cp "$dist"/*_linux_"$kind".deb "$root/trial"
cp "$recording" "$root/trial/x.pstats"
inside apt-get update -qq
inside apt-get install -qq --no-install-recommends man-db bash-completion desktop-file-utils shared-mime-info xdg-utils libglib2.0-bin
inside sh -c 'apt-get install -qq --no-install-recommends --reinstall /trial/*.deb'

for program in framescope framescope-cli; do
	has 'linux/' "$program" version
	has 'Thread' "$program" report /trial/x.pstats
	has 'frames.png' "$program" demo --headless --seconds 3 --out "/trial/demo-$program"
	has '1920x1080' "$program" render /trial/x.pstats --size 1920x1080 -o "/trial/$program.png"
done
has 'no display' framescope open /trial/x.pstats
has 'no window' framescope-cli open /trial/x.pstats
has '/man1/framescope' man -w framescope
has 'sessions' man framescope
has 'report' bash -c '. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/framescope
	COMP_WORDS=(framescope rep) COMP_CWORD=1 COMP_LINE="framescope rep" COMP_POINT=14 COMP_TYPE=9; __start_framescope; echo "${COMPREPLY[@]}"'
inside desktop-file-validate /usr/share/applications/framescope.desktop
inside sh -c '! update-mime-database -V /usr/share/mime 2>&1 | grep -i -E "framescope.xml.*(error|warning)"'
has 'application/x-pstats' gio info -a standard::content-type /trial/x.pstats
inside apt-get remove -qq framescope framescope-cli
inside sh -c '! find /usr -name "*framescope*" -not -path "*/doc/*" | grep .'
echo "trial: the packages hold"
