# An archive of the classes that short commands load. A JVM maps it into memory, instead of finding, checking and linking some
# 5,000 classes. Launchers read this file. They have set $java, and $classes to the class path of the archive.
# shellcheck shell=sh

# As many archives are kept: one of each runtime and of each version in use.
archives_kept=4

# Sets $archive to the file of the archive, or to nothing where there is none yet. Arguments are the jars of the class path.
# Without a cache folder that the user owns, a launcher goes on without an archive.
find_archive() {
    archive=
    wanted=
    cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    case $cache in
        # A JVM takes a colon for the end of a file's name.
        *:*) return 0 ;;
        /*) cache=$cache/packing ;;
        *) return 0 ;;
    esac
    runtime=$(readlink -f "$(command -v "$java" 2>/dev/null)" 2>/dev/null) || return 0
    # A small image may lack it, and starts without an archive.
    command -v cksum > /dev/null || return 0
    # Jars that were replaced, an updated runtime and a moved folder each need an archive of their own.
    key=$({
        printf '%s\n%s\n' "$runtime" "$classes"
        cat "${runtime%/bin/java}/release"
        LC_ALL=C ls -dlnL --full-time "$@" || LC_ALL=C ls -dlnL "$@"
    } 2>/dev/null | cksum)
    wanted=$cache/classes-${key%% *}.jsa
    # Whoever can write an archive decides what runs.
    if [ -s "$wanted" ] && [ -O "$wanted" ] && [ -O "$cache" ]; then archive=$wanted; fi
}

# Sets $options to the options of the JVM for a command. The first short command creates the archive.
command_options() {
    case $1 in
        # A server without memory cannot tell which of its threads still do their work: it ends, and is started again.
        # A JVM's counters for jps and jstat are kept by a thread that wakes twenty times a second: /metrics has what operators need.
        bdt-master | worker | registry) options="-XX:+ExitOnOutOfMemoryError -XX:-UsePerfData" ;;
        # Commands that ask a server and end: the second compiler would take half of the processor time of their start, and events of the
        # flight recorder, which the connection registers, a twentieth.
        "" | -* | help | bdt | blob | clone | config | context | drain | flush | ls | masters | mounts | move | punch | quota | snapshot | \
            token | top | vector | write-at)
            options="-XX:TieredStopAtLevel=1 -XX:-UsePerfData -Dio.grpc.netty.shaded.io.netty.jfr.enabled=false"
            create_archive
            ;;
        *) options= ;;
    esac
}

# Creates the archive in the background, unless it is there, or another launcher creates it. The command does not wait for it.
create_archive() {
    if [ -n "$archive" ] || [ -z "$wanted" ]; then return 0; fi
    # A caller's locks are files that it has open: the background process must not keep them.
    (write_archive &) < /dev/null > /dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
}

# An empty archive: that failed, and is tried again after a day.
is_created() { [ -e "$wanted" ] && [ -z "$(find "$wanted" -mmin +1440)" ]; }

write_archive() {
    umask 077
    # One of another user stays: it is not used, and its lock would be taken in vain.
    if is_created; then return 0; fi
    mkdir -p "$cache" && [ -O "$cache" ] || return 0
    if ! mkdir "$wanted.lock"; then
        # A launcher that was killed left its lock.
        [ -n "$(find "$wanted.lock" -mmin +10)" ] && rmdir "$wanted.lock" && mkdir "$wanted.lock" || return 0
    fi
    making=
    trap 'rm -rf "$making"; rmdir "$wanted.lock"' EXIT
    trap 'exit 1' HUP INT TERM
    # Another launcher may have created it meanwhile.
    if is_created; then return 0; fi
    making=$(mktemp -d "$cache/making.XXXXXX") || return 0
    # Runs short commands against a master of its own, and lists the classes that they load.
    nice "$java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dpacking.log="$making/log" \
        -XX:DumpLoadedClassList="$making/list" -cp "$classes" io.packing.cli.ClassRehearsal "$making" || true
    [ ! -s "$making/list" ] || nice "$java" -Xmx256m -XX:+UseG1GC -Xshare:dump -XX:SharedClassListFile="$making/list" \
        -XX:SharedArchiveFile="$making/archive" -cp "$classes" || true
    [ -e "$making/archive" ] || : > "$making/archive"
    sync "$making/archive" || true
    # A JVM sees the whole archive or none.
    mv -f "$making/archive" "$wanted"
    # shellcheck disable=SC2012
    ls -t "$cache"/classes-*.jsa | tail -n "+$((archives_kept + 1))" | while IFS= read -r old; do rm -f "$old"; done
}
