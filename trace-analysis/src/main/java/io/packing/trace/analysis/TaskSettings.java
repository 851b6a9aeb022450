package io.packing.trace.analysis;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/** What the tasks of the jobs are told, and the little that they share. */
final class TaskSettings {
    private static final String RULES = "packing.trace.rules";
    private static final int SEQUENCE_BITS = 40;

    private TaskSettings() {}

    static void setRules(Configuration configuration, Rules rules) {
        configuration.set(RULES, rules.text());
    }

    static Rules rules(Configuration configuration) {
        return Rules.parse(configuration.get(RULES, ""));
    }

    /** Numbers for what happens at the same time: those of two tasks never meet, and a task tried again has the same. */
    static long firstSequence(TaskAttemptContext context) {
        return (long) context.getTaskAttemptID().getTaskID().getId() << SEQUENCE_BITS;
    }

    /** Writes where only an IOException may be thrown. */
    static <K, V> void write(TaskInputOutputContext<?, ?, K, V> context, K key, V value) throws IOException {
        try {
            context.write(key, value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("the task is to end");
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
