package io.packing.cli.experiment;

import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.cli.compare.Comparison;
import io.packing.cli.compare.Measurement;
import io.packing.cli.compare.Requests;
import io.packing.cli.compare.Side;
import io.packing.cli.rig.EngineRig;
import io.packing.cli.rig.Narrator;
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
 * @param window files that one client has under way at once on the packed side
 * @param warmUp files written through packing before the clock starts
 */
record EngineIngest(IngestSpec spec, int window, long warmUp, Narrator narrator) {
    private static final long SEED = 8;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    EngineIngest {
        if (window < 1) {
            throw new IllegalArgumentException("--window must be positive");
        }
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
    }

    Comparison run(EngineRig rig) throws IOException, InterruptedException {
        var packed = Side.of(packed(rig), spec.prices());
        var direct = Side.extrapolated(direct(rig), spec.files(), spec.prices());
        return Comparison.of(packed, direct);
    }

    private Measurement packed(EngineRig rig) throws IOException, InterruptedException {
        var contents = new Contents(spec.size(), SEED);
        Requests before;
        double seconds;
        try (var client = rig.client()) {
            warmUp(client.mount(), contents);
            before = rig.s3().requests(EngineRig.PACKED);
            var start = System.nanoTime();
            each(
                    "writing through packing",
                    spec.files(),
                    numbers -> write(client.mount(), "ingest", contents, numbers));
            var written = (System.nanoTime() - start) / 1e9;
            client.mount().flush();
            seconds = (System.nanoTime() - start) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            client.mount().directory().checkpoint();
            narrator.accept(String.format(
                    Locale.ROOT,
                    "acknowledged at %,.0f files/s, durable in S3 after %.1f s",
                    spec.files() / written,
                    seconds));
        }
        var ingested = rig.s3().requests(EngineRig.PACKED);
        var verified = new AtomicLong();
        try (var client = rig.client()) {
            each(
                    "reading back through packing",
                    spec.files(),
                    numbers -> verified.addAndGet(verify(client.mount(), contents, numbers)));
        }
        return measurement(spec.files(), seconds, before, ingested, rig.s3().requests(EngineRig.PACKED), verified);
    }

    private Measurement measurement(
            long files, double seconds, Requests before, Requests ingested, Requests all, AtomicLong verified) {
        return new Measurement(
                files, spec.size(), seconds, ingested.since(before), all.since(ingested), verified.get());
    }

    private void each(String what, long files, Clients.Work work) throws IOException, InterruptedException {
        narrator.accept(String.format(Locale.ROOT, "%s: %,d files of %,d bytes", what, files, spec.size()));
        try (var bar = narrator.bar(what, files)) {
            Clients.run(spec.clients(), files, bar::stepBy, work);
        }
    }

    /** A worker is a daemon: its code is compiled, its connections and the store's are open before the clock starts. */
    private void warmUp(RemotePackingFileSystem mount, Contents contents) throws IOException, InterruptedException {
        each("warming up", warmUp, numbers -> write(mount, "warm-up", contents, numbers));
        mount.flush();
    }

    private static FilePath path(long number) {
        return path("ingest", number);
    }

    private static FilePath path(String root, long number) {
        return new FilePath("/%s/d%04d/f%09d".formatted(root, number / 1_000, number));
    }

    private void write(RemotePackingFileSystem mount, String root, Contents contents, Clients.Numbers numbers)
            throws IOException {
        Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
        try {
            for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                underWay.add(mount.put(path(root, number), contents.of(number), CREATE));
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
            ByteBuffer bytes = ByteBuffer.allocate(spec.size());
            try (PackingInput in = mount.open(path(number))) {
                while (bytes.hasRemaining() && in.read(bytes.position(), bytes) >= 0) {
                    // Reads on.
                }
            }
            verified += contents.matches(number, bytes.flip()) ? 1 : 0;
        }
        return verified;
    }

    private Measurement direct(EngineRig rig) throws IOException, InterruptedException {
        var contents = new Contents(spec.size(), SEED);
        try (var store = rig.direct()) {
            store.put("warm-up", ByteBuffer.allocate(spec.size()), PutCondition.NONE);
            var before = rig.s3().requests(EngineRig.DIRECT);
            var start = System.nanoTime();
            each("writing one object per file", spec.directFiles(), numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    store.put(path(number).value().substring(1), contents.of(number), PutCondition.NONE);
                }
            });
            var seconds = (System.nanoTime() - start) / 1e9;
            var ingested = rig.s3().requests(EngineRig.DIRECT);
            var verified = new AtomicLong();
            each("reading one object per file", spec.directFiles(), numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    var bytes = store.get(path(number).value().substring(1), 0, spec.size());
                    verified.addAndGet(contents.matches(number, bytes) ? 1 : 0);
                }
            });
            var all = rig.s3().requests(EngineRig.DIRECT);
            return measurement(spec.directFiles(), seconds, before, ingested, all, verified);
        }
    }
}
