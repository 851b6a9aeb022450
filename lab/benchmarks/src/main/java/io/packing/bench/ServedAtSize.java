// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.google.common.io.CountingOutputStream;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.operations.dump.Dump;
import io.packing.operations.dump.DumpHeader;
import io.packing.operations.fsck.Damage;
import io.packing.operations.fsck.DamageLog;
import io.packing.operations.fsck.Fsck;
import io.packing.operations.fsck.FsckOptions;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.worker.api.MountOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A served master with many files: the rates of calls over gRPC by the number of callers, and the times of what operators do. The master is a
 * process of its own; callers are threads of this one with one connection.
 */
final class ServedAtSize {
    private static final List<Integer> CALLERS = List.of(1, 8, 64);
    private static final int TURNS = 3;
    private static final Duration PATIENCE = Duration.ofHours(1);
    /** The standard call for a server's health, with an empty message: no mount is asked. */
    private static final MethodDescriptor<byte[], byte[]> EMPTY_CALL = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private static final FilePath CLAIMS = new FilePath("/claims");

    private final Path directory;
    private final Map<String, String> mountOptions;
    private final long files;
    private final Duration turn;

    /**
     * @param directory of the benchmark, with the master's in {@code master}
     * @param mountOptions of the mount, with its store
     * @param turn of one kind of calls
     */
    ServedAtSize(Path directory, Map<String, String> mountOptions, long files, Duration turn) {
        this.directory = directory;
        this.mountOptions = mountOptions;
        this.files = files;
        this.turn = turn;
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Messages as they are sent. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private ChildProcess master(String engine) throws IOException {
        return ChildProcess.start(
                IngestServer.class,
                List.of(
                        "master",
                        directory.resolve("master").toString(),
                        directory.toString(),
                        "bdt.engine=" + engine));
    }

    /** Measures calls and operators' work at the master that the directory has. */
    void serve(String engine) throws Exception {
        try (ChildProcess master = master(engine);
                GrpcBdts bdts = GrpcBdts.connect(master.ready(), PATIENCE);
                Bdt mount = bdts.open(mountOptions)) {
            System.out.println(Measure.json(calls(master, mount)));
            System.out.println(Measure.json(operations(master, mount)));
        }
    }

    /** Measures the start of a master without a disk: it has the store only. */
    void recover(String engine) throws Exception {
        Phase.deleteTree(directory.resolve("master"));
        long start = System.nanoTime();
        try (ChildProcess master = master(engine);
                GrpcBdts bdts = GrpcBdts.connect(master.ready(), PATIENCE);
                Bdt mount = bdts.open(mountOptions)) {
            locate(mount, files - 1);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("recovery_seconds", Measure.seconds(start));
            figures.put("recovered_files", (double) mount.statistics().files());
            figures.put("recovered_resident_mib", master.residentMiB());
            if (mount.statistics().files() != files) {
                throw new IllegalStateException(
                        "%,d of %,d files are back".formatted(mount.statistics().files(), files));
            }
            System.out.println(Measure.json(figures));
        }
    }

    private Map<String, Double> calls(ChildProcess master, Bdt mount) throws Exception {
        ManagedChannel channel = Channels.open(
                master.ready(),
                new ConnectionOptions(1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(10)));
        WorkerSession session = mount.register(new WorkerRegistration("callers", "127.0.0.1:1"));
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicLong claimed = new AtomicLong();
        Map<String, Double> figures = new LinkedHashMap<>();
        try {
            Call empty = () -> {
                byte[] unused = ClientCalls.blockingUnaryCall(channel, EMPTY_CALL, CallOptions.DEFAULT, new byte[0]);
            };
            Call locate = () -> locate(mount, ThreadLocalRandom.current().nextLong(files));
            Call list = () -> list(mount, ThreadLocalRandom.current().nextLong(files));
            Call claim = () -> claim(session, claimed.getAndIncrement());
            for (Call each : List.of(empty, locate, list, claim)) {
                double unused = rate(threads, 8, each);
            }
            for (int callers : CALLERS) {
                double[] empties = new double[TURNS];
                double[] locates = new double[TURNS];
                for (int turn = 0; turn < TURNS; turn++) {
                    empties[turn] = rate(threads, callers, empty);
                    locates[turn] = rate(threads, callers, locate);
                }
                figures.put("empty_per_second_" + callers, Measure.median(empties));
                figures.put("locate_per_second_" + callers, Measure.median(locates));
                figures.put("locate_to_empty_" + callers, Measure.median(locates) / Measure.median(empties));
                figures.put("list_pages_per_second_" + callers, rate(threads, callers, list));
                figures.put("claims_per_second_" + callers, rate(threads, callers, claim));
            }
            figures.put("served_resident_mib", master.residentMiB());
            if (mount.delete(CLAIMS, true) != Outcome.DONE) {
                throw new IllegalStateException("the claimed files are not deleted");
            }
        } finally {
            threads.shutdownNow();
            session.close();
            channel.shutdownNow();
        }
        return figures;
    }

    private double rate(ExecutorService threads, int callers, Call call) throws Exception {
        long start = System.nanoTime();
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            counts.add(threads.submit(() -> {
                long count = 0;
                while (System.nanoTime() - start < turn.toNanos()) {
                    call.run();
                    count++;
                }
                return count;
            }));
        }
        long sum = 0;
        for (Future<Long> each : counts) {
            sum += each.get();
        }
        return sum / Measure.seconds(start);
    }

    private static void locate(Bdt mount, long number) throws IOException {
        if (mount.locate(ReportedFiles.path(number)).isEmpty()) {
            throw new IllegalStateException("a file is gone");
        }
    }

    private static void list(Bdt mount, long number) throws IOException {
        FilePath directory = ReportedFiles.path(number).parent().orElseThrow();
        if (mount.list(directory, "", ReportedFiles.PER_DIRECTORY).orElseThrow().isEmpty()) {
            throw new IllegalStateException("an empty page");
        }
    }

    private static void claim(WorkerSession session, long number) throws Exception {
        FilePath path = CLAIMS.child("part-%06d".formatted(number / ReportedFiles.PER_DIRECTORY))
                .child("file-%09d".formatted(number));
        FileAttributes attributes = new FileAttributes(1, 1_700_000_000_000L, "hdfs", "hadoop", 0644);
        if (!(session.claim(new Claim(session.newFileId(), path, attributes, true, false))
                        .get()
                instanceof ClaimResult.Granted)) {
            throw new IllegalStateException("a claim was refused");
        }
    }

    private Map<String, Double> operations(ChildProcess master, Bdt mount) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        long start = System.nanoTime();
        mount.checkpoint();
        figures.put("backup_seconds", Measure.seconds(start));
        start = System.nanoTime();
        try (CountingOutputStream out = new CountingOutputStream(OutputStream.nullOutputStream())) {
            Object unused = Dump.run(
                    mount,
                    new DumpHeader(FilePath.ROOT, mountOptions.getOrDefault("packing.store", ""), "now"),
                    out,
                    written -> {});
            figures.put("dump_seconds", Measure.seconds(start));
            figures.put("dump_mb", out.getCount() / 1e6);
        }
        start = System.nanoTime();
        Path scratch = Files.createDirectories(directory.resolve("fsck"));
        try (ObjectStore store =
                        ObjectStores.open(MountOptions.from(mountOptions).store());
                DamageLog log = new DamageLog(scratch)) {
            long checked = new Fsck(mount, store, scratch, new FsckOptions(0, 1), log)
                    .run(looked -> {})
                    .files();
            figures.put("fsck_seconds", Measure.seconds(start));
            List<Damage> found = new ArrayList<>();
            log.forEach(found::add);
            if (checked != files || !found.isEmpty()) {
                throw new IllegalStateException("fsck looked at %,d of %,d files, and found damage: %s"
                        .formatted(checked, files, found.stream().limit(10).toList()));
            }
        }
        figures.put("operated_resident_mib", master.residentMiB());
        return figures;
    }
}
