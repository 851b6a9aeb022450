// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A file, directory or link of an {@link InMemoryFiles}. Guarded by the lock of its file system. */
final class InMemoryNode {
    private static final Duration SECOND = Duration.ofSeconds(1);

    final long number;
    final NavigableMap<String, InMemoryNode> entries = new TreeMap<>();
    final Map<String, byte[]> extended = new TreeMap<>();
    final int device;
    byte[] bytes = new byte[0];
    int mode;
    int user;
    int group;
    int links = 1;
    Instant accessed;
    Instant modified;
    Instant changed;

    InMemoryNode(long number, int mode, int device, Caller caller, Clock clock) {
        this.number = number;
        this.mode = mode;
        this.device = device;
        this.user = caller.user();
        this.group = caller.group();
        this.accessed = clock.instant();
        this.modified = accessed;
        this.changed = accessed;
    }

    boolean isDirectory() {
        return (mode & Mode.TYPE) == Mode.DIRECTORY;
    }

    void resize(long size) {
        bytes = Arrays.copyOf(bytes, Math.toIntExact(size));
    }

    private Attributes attributes() {
        return new Attributes(
                number,
                bytes.length,
                (bytes.length + 511) / 512,
                accessed,
                modified,
                changed,
                mode,
                isDirectory() ? 1 : links,
                user,
                group,
                device,
                4096);
    }

    NodeAttributes show() {
        return new NodeAttributes(SECOND, attributes());
    }

    Entry entry() {
        return new Entry(number, 0, SECOND, SECOND, attributes());
    }
}
