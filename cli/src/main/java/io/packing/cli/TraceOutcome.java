// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Tells what of a trace was read, and what was not. */
final class TraceOutcome {
    private TraceOutcome() {}

    /** In one line. */
    static String describe(TraceReport read) {
        List<String> parts = new ArrayList<>();
        parts.add("%,d events".formatted(read.events()));
        part(parts, read.dropped(), "dropped by the tracer");
        part(parts, read.unknownCalls(), "of calls that this version does not know");
        part(parts, read.damagedBlocks(), "damaged blocks");
        part(parts, read.lostEvents(), "events lost in them");
        part(parts, read.skippedBytes(), "unreadable bytes");
        part(parts, read.unreadableFiles(), "files that are no trace of this version");
        if (read.torn()) {
            parts.add("torn at the end");
        }
        return String.join(", ", parts);
    }

    private static void part(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add("%,d %s".formatted(count, what));
        }
    }

    /** Returns the exit status of a command that read a trace, and reports unread parts on the error stream. */
    static int of(TraceReport read, PrintWriter err) {
        if (!read.isWhole()) {
            err.println("packing: not all of it could be read: " + describe(read));
        } else if (read.unknownCalls() > 0) {
            err.println("packing: %,d events of calls that this version does not know: kept as 'unknown'"
                    .formatted(read.unknownCalls()));
        }
        err.flush();
        return read.isWhole() ? ExitCodes.OK : ExitCodes.CORRUPT;
    }
}
