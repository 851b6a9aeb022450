// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.CommittedFile;
import io.packing.simulation.schedule.Schedule;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.PushReport;
import java.util.List;

/**
 * The steps of a worker's own. The loader puts a call of one of these methods at the begin of the method of {@code BufferState} or
 * {@code MasterSession} that has its name and its arguments.
 */
public final class BufferSteps {
    private BufferSteps() {}

    /** Records that the worker knows a claim as granted. */
    public static void granted(BufferedFile file, long unusedGeneration) {
        record("granted", file.id());
    }

    /** Records that the worker forgets files. */
    public static void forget(List<Long> fileIds) {
        fileIds.forEach(id -> record("forget", id));
    }

    /** Records that the worker keeps the bytes of ended files for a recovery at most. */
    public static void delete(List<Long> fileIds) {
        forget(fileIds);
    }

    /** Records the files of a pushed blob. */
    public static void add(PushReport report) {
        Schedule schedule = Schedule.current();
        if (schedule.records().isKept()) {
            for (CommittedFile file : report.files()) {
                file.extents()
                        .forEach(extent -> schedule.records()
                                .add("packed %s %d"
                                        .formatted(extent.blob(), file.version().id())));
            }
        }
    }

    private static void record(String what, long id) {
        Schedule schedule = Schedule.current();
        if (schedule.records().isKept()) {
            String machine = schedule.machine();
            schedule.records().add("step %s %s %d".formatted(what, machine.substring(0, machine.indexOf('-')), id));
        }
    }
}
