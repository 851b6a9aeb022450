package io.packing.cli.experiment;

import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.cli.demo.Comparison;
import io.packing.cli.demo.Demo.Narrator;
import io.packing.cli.demo.Prices;
import io.packing.cli.demo.Requests;
import io.packing.cli.demo.Side;
import io.packing.store.PutCondition;
import io.packing.worker.CreateOptions;
import io.packing.worker.PackingInput;
import io.packing.worker.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ingest experiment (§8, Table 1) at the engine's door: clients write small files through a packing worker, and the
 * same files as one object each, to the same S3 server.
 *
 * @param files on the packed side
 * @param directFiles really written on the direct side, at most {@code files}; its figures are extrapolated from them
 * @param window files that one client has under way at once on the packed side
 */
record Ingest(long files, int size, int clients, int window, long directFiles, Prices prices, Narrator narrator) {
    private static final long SEED = 8;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    /** Both sides and how many times as much direct cost. */
    record Result(Measured packed, Measured direct, Comparison.Ratio ratio) {}

    Result run(EngineRig rig) throws IOException, InterruptedException {
        var packed = packed(rig);
        var direct = direct(rig);
        return new Result(
                packed, direct, Comparison.of(packed.side(), direct.side()).ratio());
    }

    private Measured packed(EngineRig rig) throws IOException, InterruptedException {
        var contents = new Contents(size, SEED);
        Requests before;
        double seconds;
        try (var client = rig.client()) {
            warmUp(client.mount());
            before = rig.requests(EngineRig.PACKED);
            narrator.accept("writing %,d files of %,d bytes through packing".formatted(files, size));
            var start = System.nanoTime();
            Clients.run(clients, files, numbers -> write(client.mount(), contents, numbers));
            var written = (System.nanoTime() - start) / 1e9;
            client.mount().flush();
            seconds = (System.nanoTime() - start) / 1e9;
            narrator.accept(String.format(
                    Locale.ROOT,
                    "acknowledged at %,.0f files/s, durable in S3 after %.1f s",
                    files / written,
                    seconds));
        }
        var ingest = rig.requests(EngineRig.PACKED).since(before);
        narrator.accept("reading them back");
        var verified = new AtomicLong();
        try (var client = rig.client()) {
            Clients.run(clients, files, numbers -> verified.addAndGet(verify(client.mount(), contents, numbers)));
        }
        var all = rig.requests(EngineRig.PACKED).since(before);
        var side = Side.of(files, seconds, all, prices, verified.get()).withDollars(prices.dollars(ingest));
        return Measured.of(side, ingest, size, files);
    }

    /** Connections, code and file system are warm on both sides before the clock starts. */
    private void warmUp(RemotePackingFileSystem mount) throws IOException {
        try {
            for (int i = 0; i < window; i++) {
                if (mount.put(new FilePath("/warm-up/" + i), ByteBuffer.allocate(size), CREATE)
                                .get()
                                .id()
                        <= 0) {
                    throw new IllegalStateException("a file without an id");
                }
            }
        } catch (ExecutionException e) {
            throw Clients.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
        mount.flush();
    }

    static FilePath path(long number) {
        return new FilePath("/ingest/d%04d/f%09d".formatted(number / 1_000, number));
    }

    private void write(RemotePackingFileSystem mount, Contents contents, Clients.Numbers numbers) throws IOException {
        Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        try {
            for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                underWay.add(mount.put(path(number), contents.of(number), CREATE));
                if (underWay.size() == window) {
                    underWay.remove().get();
                }
            }
            while (!underWay.isEmpty()) {
                underWay.remove().get();
            }
        } catch (ExecutionException e) {
            throw Clients.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
    }

    private long verify(RemotePackingFileSystem mount, Contents contents, Clients.Numbers numbers) throws IOException {
        long verified = 0;
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            ByteBuffer bytes = ByteBuffer.allocate(size);
            try (PackingInput in = mount.open(path(number))) {
                while (bytes.hasRemaining() && in.read(bytes.position(), bytes) >= 0) {
                    // Reads on.
                }
            }
            verified += contents.matches(number, bytes.flip()) ? 1 : 0;
        }
        return verified;
    }

    private Measured direct(EngineRig rig) throws IOException, InterruptedException {
        var contents = new Contents(size, SEED);
        narrator.accept("writing %,d files as one object each".formatted(directFiles));
        try (var store = rig.direct()) {
            store.put("warm-up", ByteBuffer.allocate(size), PutCondition.NONE);
            var before = rig.requests(EngineRig.DIRECT);
            var start = System.nanoTime();
            Clients.run(clients, directFiles, numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    store.put(path(number).value().substring(1), contents.of(number), PutCondition.NONE);
                }
            });
            var seconds = (System.nanoTime() - start) / 1e9;
            var ingest = scaled(rig.requests(EngineRig.DIRECT).since(before));
            narrator.accept("reading them back");
            var verified = new AtomicLong();
            Clients.run(clients, directFiles, numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    var bytes = store.get(path(number).value().substring(1), 0, size);
                    verified.addAndGet(contents.matches(number, bytes) ? 1 : 0);
                }
            });
            var all = scaled(rig.requests(EngineRig.DIRECT).since(before));
            var side = Side.of(files, seconds * files / directFiles, all, prices, verified.get())
                    .withDollars(prices.dollars(ingest));
            return Measured.of(side, ingest, size, directFiles);
        }
    }

    private long scaled(long count) {
        return Math.round((double) count * files / directFiles);
    }

    private Requests scaled(Requests r) {
        return new Requests(
                scaled(r.put()),
                scaled(r.get()),
                scaled(r.list()),
                scaled(r.head()),
                scaled(r.throttled()),
                scaled(r.bytes()));
    }
}
