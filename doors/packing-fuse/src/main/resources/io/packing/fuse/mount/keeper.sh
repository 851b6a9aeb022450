# Keeps a FUSE mount: has the device open, mounts with it, and runs the server with the device as its standard input. The
# descriptor is why this is a shell: mount(8) has to inherit it, and a server that dies must not be the last to have it.
#
# Arguments: directory, mount options, source, state directory, "foreground" or "daemon", then the server's command.
# In the foreground, an end of standard input ends the mount.
# Exit codes: 0 unmounted, 71 no device, 72 mount refused, 73 the server dies again and again, 74 it could not begin,
# 75 another mount has the state directory.
directory=$1 options=$2 source=$3 state=$4 kind=$5
shift 5
LC_ALL=C
export LC_ALL
# All that keeper and server write is theirs: drafts have every user's bytes, traces every user's names.
umask 077
# The server ends when its keeper does, and must know which process that was.
PACKING_KEEPER=$$
export PACKING_KEEPER
server=
stopping=
watcher=
deaths=0
since=0
most_deaths=5
most_wait=60

unmount() {
    umount -l -i "$directory" 2>/dev/null
}

# A server ends well when its mount is gone, or aborted: what else is at the directory now is somebody else's next mount.
unmount_aborted() {
    case $(timeout -k 1 5 stat "$directory" 2>&1) in
        *"not connected"*) unmount ;;
    esac
}

finish() {
    trap '' TERM INT HUP
    if [ "$1" -eq 0 ]; then unmount_aborted; else unmount; fi
    # Not TERM: a watcher that has just begun may lose it.
    if [ -n "$watcher" ]; then kill -KILL "$watcher" 2>/dev/null; fi
    exit "$1"
}

# The first request to stop lets the server publish what it has; a second one does not wait for it. Who ends a keeper and its
# standard input with it has asked once.
stop() {
    unmount
    now=$(date +%s)
    if [ -z "$stopping" ]; then
        stopping=$now
        kill -TERM "$server" 2>/dev/null
    elif [ $((now - stopping)) -ge 2 ]; then
        kill -KILL "$server" 2>/dev/null
    fi
}

connect() {
    rm -f "$state/resumable" "$state/served"
    exec 4<>/dev/fuse || exit 71
    mount -i -t fuse.packing -o "fd=4,$options" "$source" "$directory" || exit 72
}

# Gives up when servers die too often: the files are better gone than hanging.
count_death() {
    now=$(date +%s)
    if [ $((now - since)) -gt 60 ]; then
        since=$now
        deaths=0
    fi
    deaths=$((deaths + 1))
    if [ "$deaths" -ge "$most_deaths" ]; then
        echo "keeper: the server died $deaths times within a minute; unmounting $directory" >&2
        finish 73
    fi
}

# The state is that of one mount. Its server has the lock, too: after an umount it publishes for a while what is in there.
exec 6>"$state/keeper.lock" || exit 75
if ! flock -n 6; then
    echo "keeper: waits for the mount that has $state" >&2
    if ! flock -w "$most_wait" 6; then
        echo "keeper: another mount has $state; end it, or choose another directory with --state" >&2
        exit 75
    fi
fi
connect
trap stop TERM INT HUP
if [ "$kind" = foreground ]; then
    exec 5<&0
    keeper=$$
    # The watcher must not hold the device: the mount would live as long as it does. Nor the output: whoever reads that waits for its end.
    (
        trap - TERM INT HUP
        exec 4<&- 6<&-
        read -r unused <&5
        kill -TERM "$keeper"
    ) </dev/null >/dev/null &
    watcher=$!
    exec 5<&-
fi
exec </dev/null

while :; do
    "$@" <&4 4<&- &
    server=$!
    wait "$server"
    code=$?
    # A signal for this shell ends the wait, not the server.
    while kill -0 "$server" 2>/dev/null; do
        wait "$server"
        code=$?
    done
    if [ -n "$stopping" ] || [ "$code" -eq 0 ]; then
        finish 0
    fi
    echo "keeper: the server of $directory ended with $code" >&2
    # It ended by itself before it served: another one would do so as well.
    if [ "$code" -lt 128 ] && [ ! -e "$state/served" ]; then
        finish 74
    fi
    count_death
    if [ ! -e "$state/resumable" ]; then
        unmount
        exec 4<&-
        connect
    fi
done
