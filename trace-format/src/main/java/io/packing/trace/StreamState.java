package io.packing.trace;

import java.util.HashMap;
import java.util.Map;

/**
 * What the events of a stream so far let both sides of the codec expect of the next one; trace-format.md, section 6.
 * Calls on no stream share one state per process.
 */
final class StreamState {
    private static final int ORIGIN_SHIFT = 48;

    String path = "";
    String thread = "";
    int fileSystem;
    long end;
    long length;

    /** Notes an event. Looks at no call, so that a reader that does not know the call follows all the same. */
    void follow(String eventPath, String eventThread, int eventFileSystem, long offset, long eventLength, long result) {
        path = eventPath;
        thread = eventThread;
        fileSystem = eventFileSystem;
        if (offset != TraceEvent.NONE) {
            end = offset + (eventLength == TraceEvent.NONE ? 0 : Math.max(0, result));
        }
        if (eventLength != TraceEvent.NONE) {
            length = eventLength;
        }
    }

    /** The states of a block. Confined to one thread. */
    static final class Table {
        private final Map<Long, StreamState> states = new HashMap<>();

        StreamState of(int origin, long stream) {
            return states.computeIfAbsent(stream ^ ((long) origin << ORIGIN_SHIFT), key -> new StreamState());
        }

        void clear() {
            states.clear();
        }
    }
}
