// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The result of a deduplication; for a dry run, the predicted result.
 *
 * @param files that were found
 * @param duplicates files that have got the bytes of an equal one
 * @param alreadyShared files that had all their bytes from an equal one before
 * @param changed files that other clients changed meanwhile; they were left alone
 * @param unreadable files that are lost or damaged; they were left alone
 * @param logicalBytes the lengths of all files
 * @param readBytes bytes that had to be read
 * @param sharedBytes the lengths of the duplicates
 * @param physicalBytes bytes of contents after it, each counted once
 */
public record Deduplicated(
        @JsonProperty("dry_run") boolean dryRun,
        long files,
        long duplicates,
        @JsonProperty("already_shared") long alreadyShared,
        long changed,
        long unreadable,
        @JsonProperty("logical_bytes") long logicalBytes,
        @JsonProperty("read_bytes") long readBytes,
        @JsonProperty("shared_bytes") long sharedBytes,
        @JsonProperty("physical_bytes") long physicalBytes) {
    public void print(PrintWriter out) {
        row(out, files, "files");
        row(
                out,
                duplicates,
                dryRun ? "would share the bytes of an equal file" : "share the bytes of an equal file now");
        row(out, alreadyShared, "did so before");
        row(out, changed, "changed meanwhile and were left alone");
        row(out, unreadable, "are lost or damaged and were left alone");
        row(out, logicalBytes, "bytes of files");
        row(out, readBytes, "bytes read");
        row(out, sharedBytes, dryRun ? "bytes would be shared" : "bytes shared now");
        row(out, physicalBytes, "bytes of contents then, each counted once");
    }

    private static void row(PrintWriter out, long value, String what) {
        out.printf(Locale.ROOT, "%,20d %s%n", value, what);
    }
}
