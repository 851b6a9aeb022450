// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

/**
 * A column family of the schema of Facebook Messages (Table 3.2). One row is one user.
 *
 * <p>The paper publishes the families and their content, but not the frequency of requests for each. The weights and
 * sizes here are ours: small log records and index entries, metadata of a few hundred bytes (§3.3.2), and more reads of
 * metadata than of messages.
 */
public enum Family {
    ACTIONS("Actions", 20, 30, 400, 8),
    MESSAGE_META("MessageMeta", 25, 12, 300, 6),
    THREAD_META("ThreadMeta", 18, 10, 250, 3),
    PREFETCH_META("PrefetchMeta", 22, 6, 600, 2),
    KEYWORDS("Keywords", 3, 20, 40, 20),
    THREADER_THREAD("ThreaderThread", 4, 8, 60, 4),
    THREADING_ID_IDX("ThreadingIdIdx", 4, 7, 48, 6),
    ACTION_LOG_ID_IDX("ActionLogIdIdx", 4, 7, 48, 6);

    /** The name of the table with these families. */
    public static final String TABLE = "messages";

    private final String label;
    private final int getWeight;
    private final int putWeight;
    private final int meanBytes;
    private final int loadedColumns;

    Family(String label, int getWeight, int putWeight, int meanBytes, int loadedColumns) {
        this.label = label;
        this.getWeight = getWeight;
        this.putWeight = putWeight;
        this.meanBytes = meanBytes;
        this.loadedColumns = loadedColumns;
    }

    /** Returns the name of the family in HBase. */
    public String label() {
        return label;
    }

    /** Returns the family's share of the gets, in percent. */
    int getWeight() {
        return getWeight;
    }

    /** Returns the family's share of the puts and deletes, in percent. */
    int putWeight() {
        return putWeight;
    }

    /** Returns the mean size of a value. */
    int meanBytes() {
        return meanBytes;
    }

    /** Returns the number of columns of a new user. */
    int loadedColumns() {
        return loadedColumns;
    }
}
