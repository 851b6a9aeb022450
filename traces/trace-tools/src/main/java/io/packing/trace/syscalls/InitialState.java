// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.Optional;

/** The files as they were before the recording. */
interface InitialState {
    /** The unknown state, for a log of another machine. */
    InitialState UNKNOWN = path -> Optional.empty();

    /** Returns the state of a path, as a trace writes it; empty if it is unknown by now. */
    Optional<Entry> of(String path);

    /** Returns whether a path without a state in {@link #of} certainly had no file. */
    default boolean covers(String path) {
        return false;
    }

    /** Returns whether a path is in a list made at the begin of the recording. */
    default boolean isListed(String path) {
        return false;
    }

    /** The kind of a file. */
    enum Kind {
        FILE,
        DIR,
        LINK,
        OTHER
    }

    /**
     * A file.
     *
     * @param size bytes of a regular file, otherwise 0
     * @param target text of a symbolic link, otherwise empty
     */
    record Entry(Kind kind, long size, String target) {}
}
