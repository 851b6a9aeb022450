// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceFilter;
import io.packing.trace.TraceSelection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/** The settings that jobs pass to their tasks, and common methods of the tasks. */
final class TaskOptions {
    private static final String RULES = "packing.trace.rules";
    private static final String CALLS = "packing.trace.calls";
    private static final String UNDER = "packing.trace.under";
    private static final String NOT_UNDER = "packing.trace.not-under";
    private static final String SINCE = "packing.trace.since";
    private static final String UNTIL = "packing.trace.until";
    private static final int SEQUENCE_BITS = 40;

    private TaskOptions() {}

    static void setRules(Configuration configuration, Rules rules) {
        configuration.set(RULES, rules.text());
    }

    static Rules rules(Configuration configuration) {
        return Rules.parse(configuration.get(RULES, ""));
    }

    static void setSelection(Configuration configuration, TraceSelection selection) {
        TraceFilter filter = selection.filter();
        configuration.setStrings(
                CALLS, filter.calls().stream().map(Call::label).sorted().toArray(String[]::new));
        // A path may have any character but a line's end.
        configuration.set(UNDER, String.join("\n", filter.under()));
        configuration.set(NOT_UNDER, String.join("\n", filter.notUnder()));
        configuration.setLong(SINCE, selection.sinceNanos());
        configuration.setLong(UNTIL, selection.untilNanos());
    }

    static TraceSelection selection(Configuration configuration) {
        Set<Call> calls = Stream.of(configuration.getStrings(CALLS, new String[0]))
                .map(label -> Call.ofLabel(label).orElseThrow(() -> new IllegalArgumentException("no call: " + label)))
                .collect(Collectors.toUnmodifiableSet());
        TraceFilter filter = new TraceFilter(calls, lines(configuration, UNDER), lines(configuration, NOT_UNDER), 1);
        return new TraceSelection(
                filter,
                configuration.getLong(SINCE, TraceSelection.ALL.sinceNanos()),
                configuration.getLong(UNTIL, TraceSelection.ALL.untilNanos()));
    }

    private static List<String> lines(Configuration configuration, String key) {
        return configuration.get(key, "").lines().toList();
    }

    /**
     * Returns the first number for events of equal time. Two tasks' numbers never meet, and a repeated task has equal
     * numbers.
     */
    static long firstSequence(TaskAttemptContext context) {
        return (long) context.getTaskAttemptID().getTaskID().getId() << SEQUENCE_BITS;
    }

    /** Writes a pair; turns an interrupt into an IOException. */
    static <K, V> void write(TaskInputOutputContext<?, ?, K, V> context, K key, V value) throws IOException {
        try {
            context.write(key, value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("the task is to end");
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
