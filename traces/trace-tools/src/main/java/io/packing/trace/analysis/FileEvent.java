// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** An event of one file, on its way from a map task to the file's reducer. */
final class FileEvent implements Writable {
    /** The kind of event. */
    enum Kind {
        /** A call named the file for the first time: its type and family. */
        NAMED(0),
        CREATED(1),
        DELETED(2),
        /** The length of the file became known: {@code end}. */
        SIZED(3),
        READ(4),
        WRITTEN(5);

        private static final Kind[] BY_CODE = {NAMED, CREATED, DELETED, SIZED, READ, WRITTEN};

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    private Kind kind = Kind.NAMED;
    private long start;
    private long end;
    private int count = 1;
    private boolean core;
    private String type = "";
    private String family = "";

    /** Makes an empty access for deserialization. */
    FileEvent() {}

    private FileEvent(Kind kind, long start, long end, int count, boolean core, String type, String family) {
        this.kind = kind;
        this.start = start;
        this.end = end;
        this.count = count;
        this.core = core;
        this.type = type;
        this.family = family;
    }

    static FileEvent named(FileClass of) {
        return new FileEvent(Kind.NAMED, 0, 0, 1, false, of.type(), of.family());
    }

    static FileEvent created() {
        return new FileEvent(Kind.CREATED, 0, 0, 1, false, "", "");
    }

    static FileEvent deleted() {
        return new FileEvent(Kind.DELETED, 0, 0, 1, false, "", "");
    }

    static FileEvent sized(long bytes) {
        return new FileEvent(Kind.SIZED, 0, bytes, 1, false, "", "");
    }

    static FileEvent read(long start, long end, int count, boolean core) {
        return new FileEvent(Kind.READ, start, end, count, core, "", "");
    }

    static FileEvent written(long start, long end, boolean core) {
        return new FileEvent(Kind.WRITTEN, start, end, 1, core, "", "");
    }

    Kind kind() {
        return kind;
    }

    /** Returns the first byte read or written. */
    long start() {
        return start;
    }

    /** Returns the byte after the last. */
    long end() {
        return end;
    }

    /** Returns the number of calls in a run of reads. */
    int count() {
        return count;
    }

    /** Returns whether the application's own I/O caused it. */
    boolean isCore() {
        return core;
    }

    FileClass fileClass() {
        return new FileClass(type, family);
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeByte((kind.code << 1) | (core ? 1 : 0));
        switch (kind) {
            case NAMED -> {
                out.writeUTF(type);
                out.writeUTF(family);
            }
            case SIZED -> WritableUtils.writeVLong(out, end);
            case READ, WRITTEN -> {
                WritableUtils.writeVLong(out, start);
                WritableUtils.writeVLong(out, end - start);
                WritableUtils.writeVInt(out, count);
            }
            default -> {}
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int head = in.readUnsignedByte();
        kind = Kind.BY_CODE[head >> 1];
        core = (head & 1) == 1;
        start = 0;
        end = 0;
        count = 1;
        switch (kind) {
            case NAMED -> {
                type = in.readUTF();
                family = in.readUTF();
            }
            case SIZED -> end = WritableUtils.readVLong(in);
            case READ, WRITTEN -> {
                start = WritableUtils.readVLong(in);
                end = start + WritableUtils.readVLong(in);
                count = WritableUtils.readVInt(in);
            }
            default -> {}
        }
    }
}
