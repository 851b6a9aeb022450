// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.packing.options.PriceTable;

/**
 * The result of one side. Requests and dollars are those of the ingest: from the first write until everything was durable and
 * the index of it backed up. Reading back is {@link #readBack}, and not in them.
 *
 * @param files written, and durable in the store; times, requests and bytes are for so many
 * @param acknowledgedSeconds from the first write until the last writer had its answer
 * @param seconds from the first write until the last file was durable
 * @param verified files that were read back with the bytes that were written; at most {@code measuredFiles}
 * @param putsPerGb PUT-class requests (PUT, POST, COPY, LIST) per GiB of the files' bytes
 * @param measuredFiles files that were really written; if fewer than {@code files}, all but {@code verified} is
 *     extrapolated from them in proportion
 * @param bytes that were sent to the store
 */
@JsonPropertyOrder({
    "files",
    "acknowledged_seconds",
    "seconds",
    "put",
    "get",
    "list",
    "head",
    "throttled",
    "dollars",
    "verified",
    "puts_per_gb",
    "files_per_second",
    "measured_files",
    "extrapolated",
    "bytes",
    "read_back"
})
public record SideResult(
        long files,
        @JsonProperty("acknowledged_seconds") double acknowledgedSeconds,
        double seconds,
        long put,
        long get,
        long list,
        long head,
        long throttled,
        double dollars,
        long verified,
        @JsonProperty("puts_per_gb") double putsPerGb,
        @JsonProperty("measured_files") long measuredFiles,
        long bytes,
        @JsonProperty("read_back") ReadBack readBack) {
    private static final double GIB = 1L << 30;

    /** Requests of reading {@code measuredFiles} back. */
    public record ReadBack(long get, long list, long head, double dollars) {}

    /** A side of which every file was written. */
    public static SideResult of(Measurement m, PriceTable prices) {
        return extrapolated(m, m.files(), prices);
    }

    /** A side of {@code files} files, of which {@code m} measured some. */
    public static SideResult extrapolated(Measurement m, long files, PriceTable prices) {
        if (files < m.files()) {
            throw new IllegalArgumentException("%d files were measured, of %d".formatted(m.files(), files));
        }
        double factor = (double) files / m.files();
        AnsweredRequests ingest = m.ingest().times(factor);
        AnsweredRequests read = m.readBack();
        return new SideResult(
                files,
                m.acknowledgedSeconds() * factor,
                m.seconds() * factor,
                ingest.put(),
                ingest.get(),
                ingest.list(),
                ingest.head(),
                ingest.throttled(),
                ingest.dollars(prices),
                m.verified(),
                (ingest.put() + ingest.list()) / (files * m.size() / GIB),
                m.files(),
                ingest.bytes(),
                new ReadBack(read.get(), read.list(), read.head(), read.dollars(prices)));
    }

    /** Files per second, until durable. */
    @JsonProperty("files_per_second")
    public double filesPerSecond() {
        return seconds == 0 ? 0 : files / seconds;
    }

    /** Returns whether the figures stand for more files than were written. */
    @JsonProperty("extrapolated")
    public boolean isExtrapolated() {
        return measuredFiles < files;
    }

    /** Returns whether every written file was read back unchanged. */
    @JsonIgnore
    public boolean isComplete() {
        return verified == measuredFiles;
    }
}
