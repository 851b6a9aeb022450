// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Map;

/** The findings about system calls, by the figures of chapter 2 (iBench) and by task. */
public final class SystemFindings {
    static final String LIBRARY = "library";

    private final Totals totals;
    private final InputReport input;
    private final Timeline timeline;

    SystemFindings(Totals totals, InputReport input, Timeline timeline) {
        this.totals = totals;
        this.input = input;
        this.timeline = timeline;
    }

    /** Returns the timeline (Figure 2.1). */
    Timeline timeline() {
        return timeline;
    }

    public InputReport input() {
        return input;
    }

    /** Returns the number of counted system calls. */
    public long events() {
        return totals.get("system-events");
    }

    /** Returns whether the traces have events of HDFS clients, too. */
    boolean hasHdfs() {
        return totals.get("hdfs-events") > 0;
    }

    /** Returns the tasks, in the order of their names. */
    public Iterable<String> tasks() {
        return totals.below("figure", "table-2.2").keySet();
    }

    /** Returns the count of a figure's group for a task. */
    public long count(String figure, String task, String group) {
        return totals.get("figure", figure, task, group);
    }

    /** Returns the counts of input and output that left no event, by reason. */
    public Map<String, Long> unseen() {
        return totals.below("unseen");
    }

    /** Returns the libraries that caused calls, as far as stacks were recorded. */
    Iterable<String> libraries() {
        return totals.below(LIBRARY).keySet();
    }

    /** Returns a library's count: calls, bytes read, or bytes written. */
    long asked(String library, String what) {
        return totals.get(LIBRARY, library, what);
    }

    /** Returns the number of a recording's disturbances, by kind. */
    public Map<String, Long> irregular() {
        return totals.below("irregular");
    }
}
