// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/** HBase's reason for a piece of I/O (§3.3.1). */
public enum Cause {
    /** A client's get or scan waits for it: foreground (§3.4.3). */
    USER_READ(0, "user-read"),
    LOG(1, "log"),
    FLUSH(2, "flush"),
    COMPACTION(3, "compact"),
    /** All other I/O, such as the replay of logs. */
    OTHER(4, "other");

    private static final Cause[] BY_INDEX = {USER_READ, LOG, FLUSH, COMPACTION, OTHER};

    private final int index;
    private final String label;

    Cause(int index, String label) {
        this.index = index;
        this.label = label;
    }

    /** Returns the cause's index in arrays that count by cause. */
    public int index() {
        return index;
    }

    /** Returns the cause with an index in those arrays. */
    public static Cause at(int index) {
        return BY_INDEX[index];
    }

    /** Returns the name in tables, as in Table 3.1. */
    public String label() {
        return label;
    }

    /** Returns whether it could block an HBase request (§3.4.3). */
    public boolean foreground() {
        return this == USER_READ;
    }
}
