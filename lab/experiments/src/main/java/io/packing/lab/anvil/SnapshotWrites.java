// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.anvil;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.figure.ByWay;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The rate of overwrites under a snapshot, compared with the rate without one (ANViL, Figure 2). All of them are in
 * the store when the clock starts: a snapshot keeps what is only in a buffer, too, and would be measured by what that pushes.
 *
 * @param writes files that are overwritten in a turn, through a worker
 * @param rounds turns with and without a snapshot
 */
public record SnapshotWrites(int writes, int rounds, Narrator narrator) {
    private static final int WRITE_BYTES = 8 << 10;
    private static final int PUTS_AT_ONCE = 256;
    private static final FilePath WRITTEN = new FilePath("/written");
    private static final CreateOptions REPLACE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    /** Files a second, medians; the ratio is the median of the quotients of a turn and the one beside it. */
    public record Rates(
            @JsonProperty("with_files_s") double with,
            @JsonProperty("without_files_s") double without,
            double ratio) {
        ByWay figure() {
            return new ByWay(
                    "snapshot-writes",
                    "Overwrites of files of 8 KB, with and without a snapshot that sees them",
                    "files per second",
                    List.of("without a snapshot", "with a snapshot"),
                    List.of(new ByWay.Measure("files_s", List.of(without, with))));
        }
    }

    Rates run(RemotePackingFileSystem mount) throws IOException, InterruptedException, ExecutionException {
        narrator.accept("writes with and without a snapshot");
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            FilePath plain = WRITTEN.child("plain-" + round);
            FilePath seen = WRITTEN.child("seen-" + round);
            double unused = overwrite(mount, plain) + overwrite(mount, seen);
            CloneExperiment.apply(mount.bdt(), new Operation.TakeSnapshot(seen, "s"));
            boolean seenFirst = round % 2 == 0;
            double first = overwrite(mount, seenFirst ? seen : plain);
            double second = overwrite(mount, seenFirst ? plain : seen);
            // The first round warms up.
            if (round > 0) {
                double ofSeen = seenFirst ? first : second;
                double ofPlain = seenFirst ? second : first;
                with.add(ofSeen);
                without.add(ofPlain);
                ratios.add(ofSeen / ofPlain);
            }
        }
        return new Rates(Median.of(with), Median.of(without), Median.of(ratios));
    }

    /** Files a second, of all files of a directory once. Then all of them are in the store. */
    private double overwrite(RemotePackingFileSystem mount, FilePath directory)
            throws IOException, InterruptedException, ExecutionException {
        byte[] bytes = new byte[WRITE_BYTES];
        long start = System.nanoTime();
        for (int first = 0; first < writes; first += PUTS_AT_ONCE) {
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = first; i < Math.min(writes, first + PUTS_AT_ONCE); i++) {
                puts.add(mount.put(directory.child("f" + i), ByteBuffer.wrap(bytes), REPLACE));
            }
            CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).get();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        mount.flush();
        return writes / seconds;
    }
}
