// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The expectations about the next event of a stream, which both sides of the codec derive from its events so far;
 * trace-format.md, section 6. Calls on no stream share one state per process.
 */
final class StreamState {
    private static final int ORIGIN_SHIFT = 48;

    String path = "";
    String thread = "";
    int fileSystem;
    long end;
    long length;
    long descriptor;
    long size;

    /** Returns the expected size of a file after an event. */
    long sizeAfter(long offset, long eventLength, long result) {
        boolean moves = offset != TraceEvent.NONE && eventLength != TraceEvent.NONE && result > 0;
        return moves ? Math.max(size, offset + result) : size;
    }

    /** Notes an event. It does not use the call, so that a reader that does not know the call can follow. */
    void follow(String eventPath, String eventThread, int eventFileSystem, long offset, long eventLength, long result) {
        path = eventPath;
        thread = eventThread;
        fileSystem = eventFileSystem;
        follow(offset, eventLength, result);
    }

    /** Notes the fields of version 2. */
    void follow(long eventDescriptor, long eventSize) {
        descriptor = eventDescriptor;
        if (eventSize != TraceEvent.NONE) {
            size = eventSize;
        }
    }

    /** Notes the range of an event. */
    void follow(long offset, long eventLength, long result) {
        if (offset != TraceEvent.NONE) {
            end = offset + (eventLength == TraceEvent.NONE ? 0 : Math.max(0, result));
        }
        if (eventLength != TraceEvent.NONE) {
            length = eventLength;
        }
    }

    /** The states of a block, hashed without boxing: every event looks one up. Confined to one thread. */
    static final class Table {
        private static final int FIRST = 64;
        private static final int GROUP_BITS = 3;
        private static final int GROUP = (1 << GROUP_BITS) - 1;

        private long[] keys = new long[FIRST];
        private @Nullable StreamState[] states = new StreamState[FIRST];
        private int size;
        private long lastKey;
        private @Nullable StreamState last;

        StreamState of(int origin, long stream) {
            long key = stream ^ ((long) origin << ORIGIN_SHIFT);
            StreamState before = last;
            if (before != null && key == lastKey) {
                return before;
            }
            StreamState found = lookUp(key);
            lastKey = key;
            last = found;
            return found;
        }

        private StreamState lookUp(long key) {
            int at = find(key);
            StreamState known = states[at];
            return known == null ? add(key, at) : known;
        }

        private StreamState add(long key, int at) {
            StreamState added = new StreamState();
            keys[at] = key;
            states[at] = added;
            if (++size * 2 > keys.length) {
                grow();
            }
            return added;
        }

        /** Returns the index of {@code key}, or the one for its insertion. */
        private int find(long key) {
            int mask = keys.length - 1;
            // Fibonacci hashing of groups: streams are numbered in sequence, and neighbours share a cache line.
            long group = ((key >>> GROUP_BITS) * 0x9E3779B97F4A7C15L) >>> 32;
            int at = (int) ((group << GROUP_BITS) + (key & GROUP)) & mask;
            while (states[at] != null && keys[at] != key) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            long[] oldKeys = keys;
            @Nullable StreamState[] oldStates = states;
            keys = new long[2 * oldKeys.length];
            states = new StreamState[keys.length];
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldStates[i] != null) {
                    int at = find(oldKeys[i]);
                    keys[at] = oldKeys[i];
                    states[at] = oldStates[i];
                }
            }
        }

        void clear() {
            Arrays.fill(states, null);
            size = 0;
            last = null;
        }
    }
}
