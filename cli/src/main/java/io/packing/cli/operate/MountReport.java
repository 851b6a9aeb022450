// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerInfo;
import io.packing.options.PriceTable;
import java.io.PrintWriter;
import java.util.List;

/**
 * A mount, as printed.
 *
 * @param bufferedFiles that wait for the store
 * @param lostFiles whose workers came back without them
 * @param missingFiles that no worker has come back with since a recovery
 * @param lostPaths of some of both
 * @param oldestSeconds for how long the oldest file waits that is in no blob yet
 * @param requests of the master and of workers
 * @param dollars what these cost
 * @param evacuations the one that is under way, or has ended since the master opened the mount; or none
 */
public record MountReport(
        String mount,
        String store,
        long files,
        long directories,
        @JsonProperty("buffered_files") long bufferedFiles,
        @JsonProperty("lost_files") long lostFiles,
        @JsonProperty("lost_bytes") long lostBytes,
        @JsonProperty("missing_files") long missingFiles,
        @JsonProperty("lost_paths") List<String> lostPaths,
        @JsonProperty("oldest_seconds") double oldestSeconds,
        @JsonProperty("packed_bytes") long packedBytes,
        long blobs,
        @JsonProperty("blob_bytes") long blobBytes,
        @JsonProperty("dead_bytes") long deadBytes,
        StoreRequests requests,
        double dollars,
        List<Worker> workers,
        String problem,
        List<String> notes,
        List<EvacuationReport> evacuations) {

    /** A live worker, as printed. */
    public record Worker(
            String worker,
            String address,
            @JsonProperty("buffered_files") long bufferedFiles,
            @JsonProperty("buffered_bytes") long bufferedBytes,
            @JsonProperty("oldest_seconds") double oldestSeconds,
            @JsonProperty("pushed_files") long pushedFiles,
            @JsonProperty("pushed_bytes") long pushedBytes,
            StoreRequests requests) {
        private static Worker of(WorkerInfo info) {
            return new Worker(
                    info.worker(),
                    info.address(),
                    info.bufferedFiles(),
                    info.bufferedBytes(),
                    info.activity().oldestMillis() / 1e3,
                    info.activity().pushedFiles(),
                    info.activity().pushedBytes(),
                    info.activity().requests());
        }

        private void print(PrintWriter out) {
            out.printf(
                    "  worker %s at %s: %,d files, %,d bytes buffered, the oldest for %.0f s; pushed %,d files, %,d"
                            + " bytes%n",
                    worker, address, bufferedFiles, bufferedBytes, oldestSeconds, pushedFiles, pushedBytes);
        }
    }

    public MountReport {
        workers = List.copyOf(workers);
        lostPaths = List.copyOf(lostPaths);
        notes = List.copyOf(notes);
        evacuations = List.copyOf(evacuations);
    }

    /** Returns whether the bytes of a file of the mount are lost. */
    public boolean hasLost() {
        return lostFiles > 0 || missingFiles > 0;
    }

    /** Returns the report of a mount from its status. */
    public static MountReport of(MountStatus status, PriceTable prices) {
        BdtStatistics totals = status.statistics();
        StoreRequests requests = status.masterRequests().plus(status.workerRequests());
        List<Worker> workers = status.workers().stream().map(Worker::of).toList();
        return new MountReport(
                status.mount(),
                status.store(),
                totals.files(),
                totals.directories(),
                totals.bufferedFiles(),
                totals.lostFiles(),
                totals.lostBytes(),
                totals.missingFiles(),
                status.lostPaths(),
                workers.stream().mapToDouble(Worker::oldestSeconds).max().orElse(0),
                totals.packedBytes(),
                totals.blobs(),
                totals.blobBytes(),
                totals.deadBytes(),
                requests,
                prices.requests(requests.puts(), requests.lists(), requests.gets(), requests.heads()),
                workers,
                status.problem(),
                status.notes(),
                status.evacuation().stream()
                        .map(evacuation -> EvacuationReport.of(status.mount(), evacuation))
                        .toList());
    }

    /** As lines for people. */
    public void print(PrintWriter out) {
        out.printf("%s (%s)%n", store, mount);
        out.printf(
                "  %,d files in %,d directories; %,d wait for the store, the oldest for %.0f s%n",
                files, directories, bufferedFiles, oldestSeconds);
        out.printf(
                "  %,d bytes of files are packed; %,d bytes in %,d blobs, %,d of them dead%n",
                packedBytes, blobBytes, blobs, deadBytes);
        out.printf(
                "  requests: %,d PUT, %,d LIST, %,d GET, %,d HEAD, %,d DELETE; %,d throttled, %,d failed; %.6f"
                        + " dollars%n",
                requests.puts(),
                requests.lists(),
                requests.gets(),
                requests.heads(),
                requests.deletes(),
                requests.throttled(),
                requests.failed(),
                dollars);
        workers.forEach(worker -> worker.print(out));
        if (workers.isEmpty()) {
            out.println("  no worker is alive");
        }
        if (hasLost()) {
            out.printf(
                    "  LOST: %,d files of %,d bytes that workers came back without, %,d that no worker has come back with;"
                            + " 'packing fsck' names all%n",
                    lostFiles, lostBytes, missingFiles);
            lostPaths.forEach(path -> out.println("    " + path));
        }
        if (!problem.isEmpty()) {
            out.println("  PROBLEM: " + problem);
        }
        evacuations.forEach(evacuation -> {
            out.print("  ");
            evacuation.print(out);
        });
        notes.forEach(note -> out.println("  note: " + note));
    }
}
