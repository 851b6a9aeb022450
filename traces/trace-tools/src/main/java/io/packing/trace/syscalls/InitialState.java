package io.packing.trace.syscalls;

import java.util.Optional;

/** Files as they were before the recording. */
interface InitialState {
    /** Knows nothing: of a log whose machine is elsewhere. */
    InitialState UNKNOWN = path -> Optional.empty();

    /** What a path was, as a text of a trace; empty when nobody knows any more. */
    Optional<Entry> of(String path);

    /** Whether a path that {@link #of} does not know was not there. */
    default boolean covers(String path) {
        return false;
    }

    /** Whether a path is in a list that was noted when the recording began. */
    default boolean isListed(String path) {
        return false;
    }

    /** Kind of a file. */
    enum Kind {
        FILE,
        DIR,
        LINK,
        OTHER
    }

    /**
     * A file.
     *
     * @param size bytes; of what is no regular file, 0
     * @param target text of a symbolic link; empty for all others
     */
    record Entry(Kind kind, long size, String target) {}
}
