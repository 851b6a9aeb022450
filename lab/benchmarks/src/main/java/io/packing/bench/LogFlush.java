// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ScratchFile;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A benchmark of flushes of a write-ahead log, each a synced append that others read, by one writer that waits. A claim that appends takes
 * turns with a claim and a vector after it, which older workers and masters need. Master and worker are processes of their own. Each turn
 * prints one line of JSON, and the last line has the ratio.
 */
public final class LogFlush {
    private static final CreateOptions NEW = new CreateOptions("bench", "bench", 0644, true, true);

    private LogFlush() {}

    public static void main(String[] args) throws Exception {
        int turns = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int flushes = args.length > 1 ? Integer.parseInt(args[1]) : 2_000;
        Path directory = Files.createTempDirectory("log-flush");
        Path store = Files.createDirectories(directory.resolve("store"));
        Map<String, String> options = Map.of("packing.store", store.toUri().toString());
        MountOptions mountOptions = MountOptions.from(options);
        try (ChildProcess master = ChildProcess.start(
                        IngestServer.class,
                        List.of("master", directory.resolve("master").toString(), store.toString()));
                ChildProcess worker = ChildProcess.start(
                        IngestServer.class,
                        List.of(
                                "worker",
                                master.ready(),
                                directory.resolve("worker").toString(),
                                "packing.store=" + store.toUri()));
                GrpcBdts bdts = GrpcBdts.connect(master.ready(), Duration.ofSeconds(30));
                RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                        bdts, mountOptions, ObjectStores.open(mountOptions.store()), Writers.at(worker.ready()))) {
            LogFlush bench = new LogFlush();
            for (boolean byClaim : new boolean[] {false, true}) {
                double unused = bench.turn(mount, byClaim, flushes);
            }
            List<Double> ratios = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                boolean claimFirst = turn % 2 == 0;
                double one = bench.turn(mount, claimFirst, flushes);
                double other = bench.turn(mount, !claimFirst, flushes);
                double claim = claimFirst ? one : other;
                double vector = claimFirst ? other : one;
                ratios.add(claim / vector);
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("vector_flushes_per_second", vector);
                figures.put("claim_flushes_per_second", claim);
                System.out.println(Measure.json(figures));
            }
            ratios.sort(Comparator.naturalOrder());
            System.out.println(Measure.json(Map.of("claim_to_vector", ratios.get(ratios.size() / 2))));
        } finally {
            try (Stream<Path> walk = Files.walk(directory)) {
                for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private double turn(RemotePackingFileSystem mount, boolean byClaim, int flushes) throws IOException {
        FilePath log = new FilePath("/log");
        byte[] record = new byte[1_000];
        FileVersion version;
        try (PackingOutput output = mount.create(log, NEW)) {
            output.write(record);
            output.close();
            version = output.version();
        }
        long start = System.nanoTime();
        for (int i = 0; i < flushes; i++) {
            // The newest record in the place of the one before: a log merges its small ones, so its map stays short.
            AppendTarget to = new AppendTarget(log, version, record.length);
            try (ScratchFile scratch =
                    byClaim ? ScratchFile.appending(mount, "bench", to) : ScratchFile.create(mount, "bench", log)) {
                scratch.write(record);
                scratch.close();
                version = byClaim ? scratch.appended().orElseThrow() : append(mount, scratch, to);
            }
        }
        return flushes / Measure.seconds(start);
    }

    private static FileVersion append(RemotePackingFileSystem mount, ScratchFile scratch, AppendTarget to)
            throws IOException {
        VectorResult result = mount.bdt()
                .apply(new OperationVector(
                        List.of(new Precondition.SameVersion(to.path(), to.version())),
                        scratch.putAll(to.path(), to.offset())));
        return new FileVersion(to.version().id(), ((VectorResult.Applied) result).position() - 1);
    }
}
