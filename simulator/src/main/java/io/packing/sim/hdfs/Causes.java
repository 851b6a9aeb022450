package io.packing.sim.hdfs;

import io.packing.sim.Cause;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells why HBase made a call, from the names of its thread and of the file, by the names that HBase 2 gives.
 *
 * <p>The names repeat, so each is looked at once.
 */
final class Causes {
    private static final int MOST_NAMES = 100_000;

    private final Map<String, Cause> byThread = new HashMap<>();
    private final Map<String, Boolean> shortByThread = new HashMap<>();

    /** The cause, as far as the thread tells; what a log file's path tells goes before ({@link #isLog}). */
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

    /** A minor compaction: its output is likely to be compacted again soon. */
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
