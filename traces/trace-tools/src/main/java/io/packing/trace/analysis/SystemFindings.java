package io.packing.trace.analysis;

import java.util.Map;

/** What the analysis of system calls found, by the figures of chapter 2 (iBench) and by task. */
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

    /** What was done when (Figure 2.1). */
    Timeline timeline() {
        return timeline;
    }

    public InputReport input() {
        return input;
    }

    /** System calls that were counted. */
    public long events() {
        return totals.get("system-events");
    }

    /** Whether there were events of HDFS clients, too. */
    boolean hasHdfs() {
        return totals.get("hdfs-events") > 0;
    }

    /** The tasks, in the order of their names. */
    public Iterable<String> tasks() {
        return totals.below("figure", "table-2.2").keySet();
    }

    /** A group of a figure, for a task. */
    public long count(String figure, String task, String group) {
        return totals.get("figure", figure, task, group);
    }

    /** Input and output that left no event, by reason. */
    public Map<String, Long> unseen() {
        return totals.below("unseen");
    }

    /** The libraries that asked for calls, as far as stacks were recorded. */
    Iterable<String> libraries() {
        return totals.below(LIBRARY).keySet();
    }

    /** What a library asked for: calls, bytes read, written. */
    long asked(String library, String what) {
        return totals.get(LIBRARY, library, what);
    }

    /** How often recordings were disturbed, by kind. */
    public Map<String, Long> irregular() {
        return totals.below("irregular");
    }
}
