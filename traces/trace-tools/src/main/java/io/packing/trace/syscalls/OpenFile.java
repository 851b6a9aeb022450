// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;

/** An open file description, which descriptors refer to and share. */
final class OpenFile {
    private final long stream;
    private final TracedFile file;
    private final DescriptorName elsewhere;
    private String path;
    private long position;
    private boolean append;
    private int descriptors;

    private OpenFile(long stream, TracedFile file, String path, DescriptorName elsewhere) {
        this.stream = stream;
        this.file = file;
        this.path = path;
        this.elsewhere = elsewhere;
    }

    /**
     * Makes an open file of a file system.
     *
     * @param position of the next sequential byte; {@link TraceEvent#NONE} if unknown
     */
    static OpenFile of(long stream, TracedFile file, String path, boolean append, long position) {
        OpenFile open = new OpenFile(stream, file, path, DescriptorName.UNKNOWN);
        open.append = append;
        open.position = file.hasOffsets() || file.isDirectory() ? position : TraceEvent.NONE;
        return open;
    }

    /** Makes a target that is no file, such as a pipe or a socket. */
    static OpenFile elsewhere(DescriptorName name) {
        return new OpenFile(TraceEvent.NONE, new TracedFile(), "", name);
    }

    boolean isFile() {
        return stream != TraceEvent.NONE;
    }

    String kind() {
        return elsewhere.kind();
    }

    /** Returns its number, unique in the recording. */
    long stream() {
        return stream;
    }

    TracedFile file() {
        return file;
    }

    String path() {
        return path;
    }

    void path(String renamed) {
        path = renamed;
    }

    long position() {
        return position;
    }

    void position(long to) {
        position = to;
    }

    boolean appends() {
        return append;
    }

    void append(boolean on) {
        append = on;
    }

    /** Counts one more descriptor. */
    void retain() {
        descriptors++;
    }

    /** Counts one descriptor less; returns true if none is left. */
    boolean release() {
        descriptors--;
        return descriptors == 0;
    }
}
