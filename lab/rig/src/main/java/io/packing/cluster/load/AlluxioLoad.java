// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import alluxio.AlluxioURI;
import alluxio.client.block.policy.SpecificHostPolicy;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.FileSystem;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.exception.AlluxioException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.grpc.CreateDirectoryPOptions;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.ReadPType;
import alluxio.grpc.WritePType;
import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The load generator's process. Its arguments are a {@code worker=host:port} for each worker, then those of
 * {@link LoadSequence}. It prints for each load a line at its beginning, progress lines, and its result.
 */
public final class AlluxioLoad {
    private static final long PROGRESS_MILLIS = 500;
    private static final int SEEKS = 8;
    private static final Optional<String> NONE = Optional.empty();

    private static final Set<ClusterLoadSpec.Action> WRITES =
            Set.of(ClusterLoadSpec.Action.WRITE, ClusterLoadSpec.Action.WRITE_ALL);
    /** A store that takes nothing ends the load. */
    private static final int MOST_REPETITIONS = 100;

    private final ClusterLoadSpec spec;
    private final List<FileSystem> clients;
    private final GeneratedBytes contents;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong mismatches = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicReference<Optional<String>> firstError = new AtomicReference<>(NONE);

    private AlluxioLoad(ClusterLoadSpec spec, List<FileSystem> clients) {
        this.spec = spec;
        this.clients = clients;
        this.contents = new GeneratedBytes(spec.seed(), spec.size());
    }

    public static void main(String[] args) throws IOException, AlluxioException, InterruptedException {
        run(Arrays.asList(args));
        // The process ends without waiting for the client's threads.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Does the loads of these arguments. */
    static void run(List<String> arguments) throws IOException, AlluxioException, InterruptedException {
        LoadSequence sequence = LoadSequence.fromArguments(arguments);
        List<FileSystem> clients = ClusterLoadSpec.values(arguments, "worker").stream()
                .map(AlluxioLoad::clientOf)
                .toList();
        long pauseMillis = 0L;
        for (ClusterLoadSpec spec : sequence.loads()) {
            Thread.sleep(pauseMillis);
            System.out.println(ClusterLoadResult.BEGIN);
            System.out.println(new AlluxioLoad(spec, clients).run().toLine());
            pauseMillis = sequence.pause().toMillis();
        }
        for (FileSystem client : clients) {
            client.close();
        }
    }

    /** Returns a client that reads and writes through one worker only. */
    private static FileSystem clientOf(String worker) {
        HostAndPort address = HostAndPort.fromString(worker);
        InstancedConfiguration conf = Configuration.copyGlobal();
        conf.set(PropertyKey.WORKER_HOSTNAME, address.getHost());
        conf.set(PropertyKey.WORKER_RPC_PORT, address.getPort());
        conf.set(PropertyKey.USER_BLOCK_WRITE_LOCATION_POLICY, SpecificHostPolicy.class.getName());
        conf.set(PropertyKey.USER_UFS_BLOCK_READ_LOCATION_POLICY, SpecificHostPolicy.class.getName());
        // A client on the worker's host must still read through the worker.
        conf.set(PropertyKey.USER_SHORT_CIRCUIT_ENABLED, false);
        return FileSystem.Factory.create(conf);
    }

    private ClusterLoadResult run() throws IOException, AlluxioException, InterruptedException {
        if (WRITES.contains(spec.action())) {
            clients.get(0)
                    .createDirectory(
                            new AlluxioURI(spec.path()),
                            CreateDirectoryPOptions.newBuilder()
                                    .setRecursive(true)
                                    .setAllowExists(true)
                                    .setWriteType(WritePType.CACHE_THROUGH)
                                    .build());
        }
        long cpu = cpuNanos();
        long started = System.nanoTime();
        pass();
        long nanos = System.nanoTime() - started;
        long files = done.get();
        return new ClusterLoadResult(
                files,
                files * spec.size(),
                nanos,
                cpuNanos() - cpu,
                mismatches.get(),
                failures.get(),
                Objects.requireNonNull(firstError.get()).orElse(""));
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private void pass() throws InterruptedException {
        // The first file of each worker is alone: when first accesses of a mount race, Alluxio closes the under file
        // system that it continues to use. Its S3 uploads would fail from then on.
        clients.forEach(client -> workOnce());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < spec.threads(); i++) {
            Thread thread = new Thread(this::work, "load-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            do {
                thread.join(PROGRESS_MILLIS);
                System.out.println(ClusterLoadResult.progressLine(done.get()));
            } while (thread.isAlive());
        }
    }

    private void work() {
        while (workOnce()) {
            // The loop ends with the set of files.
        }
    }

    /** Writes or reads one more file. Returns false when all files are done. */
    private boolean workOnce() {
        int index = next.getAndIncrement();
        if (index >= spec.files()) {
            return false;
        }
        FileSystem client = clients.get((index + spec.shift()) % clients.size());
        try {
            switch (spec.action()) {
                case WRITE -> write(client, index);
                case WRITE_ALL -> writeAll(client, index);
                case OVERWRITE -> {
                    client.delete(new AlluxioURI(spec.file(index)));
                    write(client, index);
                }
                case READ -> read(client, index);
                case SEEK -> seek(client, index);
            }
            done.incrementAndGet();
        } catch (IOException | AlluxioException | RuntimeException e) {
            failures.incrementAndGet();
            firstError.compareAndSet(NONE, Optional.of(spec.file(index) + ": " + e));
        }
        return true;
    }

    private void write(FileSystem client, int index) throws IOException, AlluxioException {
        CreateFilePOptions options = CreateFilePOptions.newBuilder()
                .setWriteType(WritePType.valueOf(spec.writeType()))
                .build();
        try (FileOutStream out = client.createFile(new AlluxioURI(spec.file(index)), options)) {
            out.write(contents.of(index));
        }
    }

    private void writeAll(FileSystem client, int index) throws IOException, AlluxioException {
        for (int repetition = 0; ; repetition++) {
            try {
                write(client, index);
                return;
            } catch (IOException | AlluxioException e) {
                if (repetition == MOST_REPETITIONS) {
                    throw e;
                }
                forget(client, index);
            }
        }
    }

    /** Removes a file from Alluxio after a failed write. The store has no object of it. */
    private void forget(FileSystem client, int index) throws IOException, AlluxioException {
        try {
            client.delete(
                    new AlluxioURI(spec.file(index)),
                    DeletePOptions.newBuilder().setAlluxioOnly(true).build());
        } catch (FileDoesNotExistException e) {
            // The write failed before Alluxio knew the file.
        }
    }

    private FileInStream open(FileSystem client, int index) throws IOException, AlluxioException {
        OpenFilePOptions options = OpenFilePOptions.newBuilder()
                .setReadType(spec.cache() ? ReadPType.CACHE : ReadPType.NO_CACHE)
                .build();
        return client.openFile(new AlluxioURI(spec.file(index)), options);
    }

    private void read(FileSystem client, int index) throws IOException, AlluxioException {
        try (FileInStream in = open(client, index)) {
            compare(in.readAllBytes(), contents.of(index), index);
        }
    }

    /** Reads at pseudo-random positions, by turns after a seek and positioned, and at last past the end. */
    private void seek(FileSystem client, int index) throws IOException, AlluxioException {
        byte[] expected = contents.of(index);
        SplittableRandom positions = new SplittableRandom(spec.seed() + index);
        try (FileInStream in = open(client, index)) {
            for (int i = 0; i < SEEKS; i++) {
                int from = positions.nextInt(expected.length);
                byte[] actual = new byte[Math.min(1 + positions.nextInt(expected.length), expected.length - from)];
                int count;
                if (i % 2 == 0) {
                    in.seek(from);
                    count = in.readNBytes(actual, 0, actual.length);
                } else {
                    count = in.positionedRead(from, actual, 0, actual.length);
                }
                compare(
                        Arrays.copyOf(actual, Math.max(0, count)),
                        Arrays.copyOfRange(expected, from, from + actual.length),
                        index);
            }
            in.seek(expected.length);
            if (in.read() != -1) {
                compare(new byte[1], new byte[0], index);
            }
        }
    }

    private void compare(byte[] actual, byte[] expected, int index) {
        if (!Arrays.equals(actual, expected)) {
            mismatches.incrementAndGet();
            firstError.compareAndSet(NONE, Optional.of(spec.file(index) + ": other bytes than were written"));
        }
    }
}
