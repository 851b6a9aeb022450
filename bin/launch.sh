# Builds and starts programs of a checkout. bin/packing and bin/lab read it, with $root set.
# shellcheck shell=sh

# What a program runs from: the modules' sources and poms, not their tests.
sources_changed() {
    [ ! -f "$1" ] && return 0
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src/main "$root"/*/*/src/main -newer "$1" -type f -print | head -n 1)" ]
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

# Builds modules, given behind a file that is as old as their last build, when a source is newer than that.
build_when_changed() {
    if sources_changed "$1"; then
        echo "packing: building (the first time takes a few minutes)" >&2
        build -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "$2" -am package
        mkdir -p "$(dirname "$1")"
        : > "$1"
    fi
}

if [ -n "${JAVA_HOME:-}" ]; then java=$JAVA_HOME/bin/java; else java=java; fi
# Progress is drawn on a terminal only, and a JVM cannot ask what its standard error is.
if [ -t 2 ]; then stderr=terminal; else stderr=file; fi
if [ -t 1 ]; then stdout=terminal; else stdout=file; fi
