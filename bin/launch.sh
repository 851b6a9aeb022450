# Builds and starts programs of a checkout. bin/packing and bin/lab read it, with $root set.
# shellcheck shell=sh

# What a program runs from: the modules' sources and poms, not their tests, and not the distribution's scripts.
sources_changed() {
    [ ! -f "$1" ] && return 0
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src/main "$root"/*/*/src/main -newer "$1" -type f \
        ! -path "$root/dist/*" -print | head -n 1)" ]
}

# Tells on standard error how far Maven is, whose output comes on standard input: on a terminal in one line that changes, else
# in a line for each module. Fails unless Maven succeeded.
show_progress() {
    part=preparing files=0 built=1
    while IFS= read -r line; do
        case $line in
            "[INFO] Building "*"]")
                rest=${line#\[INFO\] Building }
                part="building ${rest%% *} ${rest##* }"
                tell "$part"
                ;;
            *"Downloaded from "*)
                files=$((files + 1))
                if [ -t 2 ] || [ $((files % 100)) -eq 0 ]; then tell "$part, $files files downloaded"; fi
                ;;
            "[ERROR]"*) echo "$line" >&2 ;;
            *"BUILD SUCCESS"*) built=0 ;;
        esac
    done
    if [ -t 2 ]; then echo >&2; fi
    return $built
}

tell() {
    if [ -t 2 ]; then printf '\r\033[Kpacking: %s' "$1" >&2; else echo "packing: $1" >&2; fi
}

build() {
    (cd "$root" && mvn -B -T1C "$@" 2>&1) | show_progress
}

# Waits until no other launcher builds in this checkout. A launcher that was killed left its lock: the next one takes it over.
lock_build() {
    mkdir -p "$root/target"
    lock=$root/target/building
    said=
    while ! ln -s "$$" "$lock" 2>/dev/null; do
        if [ ! -w "$root/target" ]; then
            echo "packing: $root/target cannot be written, so that nothing is built there" >&2
            exit 1
        fi
        owner=$(readlink "$lock" 2>/dev/null) || continue
        if ! kill -0 "$owner" 2>/dev/null; then
            rm -f "$lock"
        else
            [ -n "$said" ] || echo "packing: waiting for process $owner, which builds" >&2
            said=yes
            sleep 1
        fi
    done
    trap 'rm -f "$lock"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

unlock_build() {
    rm -f "$lock"
    trap - EXIT INT TERM
}

# Builds modules, given behind a file that is as old as their last build, when a source is newer than that.
build_when_changed() {
    sources_changed "$1" || return 0
    lock_build
    # Another launcher may have built them meanwhile.
    if sources_changed "$1"; then
        echo "packing: building (the first time takes a few minutes)" >&2
        mkdir -p "$(dirname "$1")"
        # A source that changes during the build is newer than this.
        : > "$1.begun"
        build -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "$2" -am package
        mv "$1.begun" "$1"
    fi
    unlock_build
}

if [ -n "${JAVA_HOME:-}" ]; then java=$JAVA_HOME/bin/java; else java=java; fi
# Progress is drawn on a terminal only, and a JVM cannot ask what its standard error is.
if [ -t 2 ]; then stderr=terminal; else stderr=file; fi
if [ -t 1 ]; then stdout=terminal; else stdout=file; fi
