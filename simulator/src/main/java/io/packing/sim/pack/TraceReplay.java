// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.sim.Playback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A replay of a trace's actions on files at the trace's times: files that are written and closed, reads, renames and
 * deletes.
 */
final class TraceReplay implements FileActions.Target {
    private final Playback trace;
    private final EventQueue agenda;
    private final ClientPath door;
    private final FileActions actions = new FileActions(this);
    private final Map<String, Integer> files = new HashMap<>();
    private final Map<String, Integer> directories = new HashMap<>();
    private final List<String> hosts = new ArrayList<>();
    private boolean over;

    /** @param prepared files that are there before the trace, with their lengths */
    TraceReplay(Playback trace, EventQueue agenda, ClientPath door, Map<String, Long> prepared) {
        this.trace = trace;
        this.agenda = agenda;
        this.door = door;
        prepared.forEach((path, size) -> files.put(path, door.prepare(size, directory(path))));
    }

    /** Adds the next event to the agenda, which will add its successor. */
    void next() {
        try {
            if (trace.advance()) {
                agenda.at(trace.time(), () -> {
                    actions.take(trace.event());
                    next();
                });
            } else {
                over = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int worker(String host) {
        int at = hosts.indexOf(host);
        if (at < 0) {
            at = hosts.size();
            hosts.add(host);
        }
        return door.worker(at);
    }

    private int directory(String path) {
        String parent = path.substring(0, Math.max(0, path.lastIndexOf('/')));
        return directories.computeIfAbsent(parent, name -> directories.size());
    }

    @Override
    public void write(String host, String path, long size) {
        Integer old = files.remove(path);
        if (old != null) {
            door.delete(old);
        }
        files.put(path, door.create(worker(host), size, directory(path), () -> {}));
    }

    @Override
    public void read(String host, String path, long offset, long length) {
        Integer file = files.get(path);
        if (file == null || offset < 0 || offset + length > door.size(file)) {
            door.readElsewhere(worker(host), length);
        } else {
            door.read(worker(host), file, offset, length, () -> {});
        }
    }

    @Override
    public void rename(String from, String to) {
        FileActions.move(files, from, to);
    }

    @Override
    public void delete(String path) {
        Integer file = files.remove(path);
        if (file != null) {
            door.delete(file);
            return;
        }
        for (String inside : FileActions.below(files, path)) {
            Integer removed = files.remove(inside);
            if (removed != null) {
                door.delete(removed);
            }
        }
    }

    @Override
    public void makeDirectory(String path) {
        // Directories have no bytes.
    }

    boolean goesOn() {
        return !over;
    }

    long events() {
        return actions.events();
    }

    /** Counts the events of calls that this version does not know. */
    long unknown() {
        return actions.unknown();
    }

    long failed() {
        return actions.failed();
    }

    /**
     * Counts the files that were still open at the end of the trace: their size is unknown, and they are not written.
     */
    long unclosed() {
        return actions.unclosed();
    }

    /** Counts the events that came too late to be put in order. */
    long late() {
        return trace.late();
    }
}
