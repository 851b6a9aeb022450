// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

import io.packing.sim.Cause;
import java.util.HashMap;
import java.util.Map;

/**
 * The classification of HBase's calls by the names that HBase 2 gives to its threads and files. Names repeat, so each
 * is classified once.
 */
final class Causes {
    private static final int MOST_NAMES = 100_000;

    private final Map<String, Cause> byThread = new HashMap<>();
    private final Map<String, Boolean> shortByThread = new HashMap<>();

    /** Returns the cause by the thread; the path of a log file takes precedence ({@link #isLog}). */
    Cause ofThread(String thread) {
        Cause known = byThread.get(thread);
        if (known != null) {
            return known;
        }
        Cause cause = classify(thread);
        if (byThread.size() < MOST_NAMES) {
            byThread.put(thread, cause);
        }
        return cause;
    }

    /** Returns whether the thread does a minor compaction, whose output will probably be compacted again soon. */
    boolean isShortCompaction(String thread) {
        Boolean known = shortByThread.get(thread);
        if (known != null) {
            return known;
        }
        boolean is = thread.contains("shortCompactions");
        if (shortByThread.size() < MOST_NAMES) {
            shortByThread.put(thread, is);
        }
        return is;
    }

    static boolean isLog(String path) {
        return path.contains("/WALs/") || path.contains("/oldWALs/") || path.contains("/.logs/");
    }

    private static Cause classify(String thread) {
        if (thread.contains("ompaction")) {
            return Cause.COMPACTION;
        }
        if (thread.contains("RS_FLUSH") || thread.contains("MemStoreFlusher")) {
            return Cause.FLUSH;
        }
        if (thread.startsWith("RpcServer") || thread.contains("IPC Server handler")) {
            return Cause.USER_READ;
        }
        if (thread.contains(".append-pool") || thread.startsWith("sync.") || thread.contains("logRoller")) {
            return Cause.LOG;
        }
        return Cause.OTHER;
    }
}
