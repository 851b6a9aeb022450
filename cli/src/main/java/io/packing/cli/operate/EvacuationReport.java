// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.Evacuation;
import java.io.PrintWriter;

/**
 * The progress of an evacuation, as printed.
 *
 * @param blobs that were found at the old store so far
 * @param copied those of them that the new store has
 * @param problem the reason why it does not go on; empty: it does
 */
public record EvacuationReport(
        String mount,
        String from,
        String to,
        long blobs,
        long copied,
        @JsonProperty("copied_bytes") long copiedBytes,
        String problem,
        boolean done) {
    public static EvacuationReport of(String mount, Evacuation evacuation) {
        return new EvacuationReport(
                mount,
                evacuation.from(),
                evacuation.to(),
                evacuation.blobs(),
                evacuation.copied(),
                evacuation.copiedBytes(),
                evacuation.problem(),
                evacuation.done());
    }

    /** As a line for people. */
    public void print(PrintWriter out) {
        if (done) {
            out.printf("mount %s is at %s: %,d blobs; nothing at %s is needed any more%n", mount, to, blobs, from);
        } else {
            out.printf(
                    "mount %s goes from %s to %s: %,d of %,d blobs are there%s%n",
                    mount, from, to, copied, blobs, problem.isEmpty() ? "" : "; it waits: " + problem);
        }
    }
}
