// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.sim.Playback;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A replay of HDFS clients' operations at the trace's times: files that are written and closed, reads, renames and
 * deletes.
 */
final class TraceReplay {
    private final Playback trace;
    private final EventQueue agenda;
    private final ClientPath door;
    private final Map<String, Integer> files = new HashMap<>();
    private final Map<String, Long> open = new HashMap<>();
    private final Map<String, Integer> directories = new HashMap<>();
    private final List<String> hosts = new ArrayList<>();
    private boolean over;
    private long events;
    private long unknown;
    private long failed;

    TraceReplay(Playback trace, EventQueue agenda, ClientPath door) {
        this.trace = trace;
        this.agenda = agenda;
        this.door = door;
    }

    /** Adds the next event to the agenda, which will add its successor. */
    void next() {
        try {
            if (trace.advance()) {
                agenda.at(trace.time(), () -> {
                    take(trace.event());
                    next();
                });
            } else {
                over = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(TraceEvent event) {
        events++;
        Call call = event.call();
        if (event.failed()) {
            failed++;
        } else if (call.writes()) {
            open.merge(event.path(), event.bytes(), Long::sum);
        } else if (call == Call.CLOSE_OUTPUT) {
            close(event);
        } else if (call.reads()) {
            read(event);
        } else if (call == Call.RENAME) {
            rename(event);
        } else if (call == Call.DELETE || call == Call.BULK_DELETE) {
            delete(event.path());
        } else if (call == Call.UNKNOWN) {
            unknown++;
        }
    }

    private int worker(TraceEvent event) {
        int at = hosts.indexOf(event.origin().host());
        if (at < 0) {
            at = hosts.size();
            hosts.add(event.origin().host());
        }
        return door.worker(at);
    }

    private void close(TraceEvent event) {
        Long size = open.remove(event.path());
        Integer old = files.remove(event.path());
        if (old != null) {
            door.delete(old);
        }
        int directory = directories.computeIfAbsent(parent(event.path()), path -> directories.size());
        files.put(event.path(), door.create(worker(event), size == null ? 0 : size, directory, () -> {}));
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private void read(TraceEvent event) {
        if (event.bytes() == 0) {
            return;
        }
        Integer file = files.get(event.path());
        if (file == null || event.offset() < 0 || event.offset() + event.bytes() > door.size(file)) {
            door.readElsewhere(worker(event), event.bytes());
        } else {
            door.read(worker(event), file, event.offset(), event.bytes(), () -> {});
        }
    }

    private void rename(TraceEvent event) {
        if (event.result() == 0 || event.target().isEmpty()) {
            return;
        }
        move(files, event.path(), event.target());
        move(open, event.path(), event.target());
    }

    private static <T> void move(Map<String, T> of, String from, String to) {
        T one = of.remove(from);
        if (one != null) {
            of.put(to, one);
            return;
        }
        for (String path : below(of, from)) {
            T moved = of.remove(path);
            if (moved != null) {
                of.put(to + path.substring(from.length()), moved);
            }
        }
    }

    /** Returns the paths below a directory. Renames and deletes of directories are rare, so a scan will do. */
    private static List<String> below(Map<String, ?> of, String directory) {
        String prefix = directory + "/";
        return of.keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .sorted()
                .toList();
    }

    private void delete(String path) {
        open.remove(path);
        Integer file = files.remove(path);
        if (file != null) {
            door.delete(file);
            return;
        }
        for (String inside : below(files, path)) {
            Integer removed = files.remove(inside);
            if (removed != null) {
                door.delete(removed);
            }
        }
    }

    boolean goesOn() {
        return !over;
    }

    long events() {
        return events;
    }

    /** Counts the events of calls that this version does not know. */
    long unknown() {
        return unknown;
    }

    long failed() {
        return failed;
    }

    /**
     * Counts the files that were still open at the end of the trace: their size is unknown, and they are not written.
     */
    long unclosed() {
        return open.size();
    }

    /** Counts the events that came too late to be put in order. */
    long late() {
        return trace.late();
    }
}
