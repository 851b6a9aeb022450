package io.packing.worker.api;

import java.util.OptionalLong;

/**
 * How a file is created.
 *
 * @param mtimeMillis milliseconds since the epoch; empty: the time of its close
 */
public record CreateOptions(
        String owner, String group, int mode, boolean createParents, boolean overwrite, OptionalLong mtimeMillis) {
    /** A file whose mtime is the time of its close. */
    public CreateOptions(String owner, String group, int mode, boolean createParents, boolean overwrite) {
        this(owner, group, mode, createParents, overwrite, OptionalLong.empty());
    }
}
