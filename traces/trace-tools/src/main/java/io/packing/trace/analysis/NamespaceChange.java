// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.Writable;

/** A call that shows or changes names: a file was made, opened, renamed or deleted. */
final class NamespaceChange implements Writable {
    enum Kind {
        MAKE(0),
        OPEN(1),
        RENAME(2),
        DELETE(3);

        private static final Kind[] BY_CODE = {MAKE, OPEN, RENAME, DELETE};
        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    private Kind kind = Kind.OPEN;
    private String path = "";
    private String target = "";

    /** Makes an empty change for deserialization. */
    NamespaceChange() {}

    NamespaceChange(Kind kind, String path, String target) {
        this.kind = kind;
        this.path = path;
        this.target = target;
    }

    /** Returns the change of an event; empty without one, such as after a failure. */
    static Optional<NamespaceChange> of(TraceEvent event) {
        if (event.failed() || event.path().isEmpty()) {
            return Optional.empty();
        }
        return switch (event.call()) {
            case CREATE, CREATE_FILE, CREATE_NON_RECURSIVE, CREATE_FAVORED_NODES -> change(Kind.MAKE, event);
            case OPEN, OPEN_FILE, OPEN_PATH_HANDLE, APPEND, APPEND_FILE -> change(Kind.OPEN, event);
            case RENAME -> done(event) && !event.target().isEmpty() ? change(Kind.RENAME, event) : Optional.empty();
            case DELETE, BULK_DELETE -> done(event) ? change(Kind.DELETE, event) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Returns whether the call succeeded: rename and delete may return false; the newer rename returns nothing. */
    private static boolean done(TraceEvent event) {
        return event.result() != 0 || event.call() == Call.BULK_DELETE;
    }

    private static Optional<NamespaceChange> change(Kind kind, TraceEvent event) {
        return Optional.of(new NamespaceChange(kind, event.path(), event.target()));
    }

    Kind kind() {
        return kind;
    }

    String path() {
        return path;
    }

    String target() {
        return target;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeByte(kind.code);
        out.writeUTF(path);
        out.writeUTF(target);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        kind = Kind.BY_CODE[in.readUnsignedByte()];
        path = in.readUTF();
        target = in.readUTF();
    }
}
