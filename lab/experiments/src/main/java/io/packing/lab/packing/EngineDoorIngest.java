// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.google.common.util.concurrent.RateLimiter;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtOptions;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.SmallFiles;
import io.packing.rig.EngineRig;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.tongfei.progressbar.ProgressBar;

/**
 * The ingest experiment (§8, Table 1) at the engine's door: clients write small files through a packing worker, and the
 * same files as one object each, to the same S3 server.
 *
 * @param window files that one client has under way at once on the packed side
 * @param warmUp files written through packing before the clock starts
 * @param rate files that all clients together write a second; empty: as many as are taken
 */
public record EngineDoorIngest(IngestSpec spec, int window, long warmUp, Optional<Double> rate, Narrator narrator) {
    private static final long SEED = 8;
    private static final String WARM_UP = "warm-up";

    /** More gain nothing. */
    private static final int WARM_UP_ROUNDS = 2;
    /** Options that collect the warm-up's files soon after their deletion. */
    public static final Map<String, String> MOUNT_OPTIONS =
            Map.of(BdtOptions.GC_INTERVAL.key(), "1s", BdtOptions.GC_GRACE.key(), "1s");

    private static final int MOST_COLLECTING_SECONDS = 120;

    public EngineDoorIngest {
        if (window < 1) {
            throw new IllegalArgumentException("--window must be positive");
        }
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
    }

    public IngestResult run(EngineRig rig) throws IOException, InterruptedException {
        Meter.Metered packed = packed(rig);
        return IngestResult.of(spec, packed, direct(rig));
    }

    private Meter.Metered packed(EngineRig rig) throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        SmallFiles files = files("ingest", contents);
        Meter.Ingested ingested;
        try (EngineRig.Client client = rig.client()) {
            warmUp(client.mount(), contents);
            Meter meter = Meter.start(rig.s3(), EngineRig.PACKED);
            long start = System.nanoTime();
            Optional<RateLimiter> pace = rate.map(RateLimiter::create);
            each(
                    "writing through packing",
                    spec.files(),
                    numbers -> files.write(client.mount(), Clients.paced(numbers, pace)));
            double written = (System.nanoTime() - start) / 1e9;
            client.mount().flush();
            double seconds = (System.nanoTime() - start) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            client.mount().bdt().checkpoint();
            ingested = meter.ingested(written, seconds);
            narrator.accept(String.format(
                    Locale.ROOT,
                    "acknowledged at %,.0f files/s, durable in S3 after %.1f s",
                    spec.files() / written,
                    seconds));
        }
        AtomicLong verified = new AtomicLong();
        try (EngineRig.Client client = rig.client()) {
            each(
                    "reading back through packing",
                    spec.files(),
                    numbers -> verified.addAndGet(files.verify(client.mount(), numbers)));
        }
        return ingested.readBack(spec.files(), spec.size(), verified.get());
    }

    private void each(String what, long files, Clients.Work work) throws IOException, InterruptedException {
        narrator.accept(String.format(Locale.ROOT, "%s: %,d files of %,d bytes", what, files, spec.size()));
        try (ProgressBar bar = narrator.bar(what, files)) {
            Clients.run(spec.clients(), files, bar::stepBy, work);
        }
    }

    /**
     * A worker is a daemon: its code is compiled, its connections and the store's are open before the clock starts. In
     * rounds that end as the measured one does, because much of what was compiled before such an end is compiled anew
     * after it. The mount that is measured is empty again.
     */
    private void warmUp(RemotePackingFileSystem mount, NumberedFileContent contents)
            throws IOException, InterruptedException {
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            String root = WARM_UP + "/" + round;
            long files = warmUp * (round + 1) / WARM_UP_ROUNDS - warmUp * round / WARM_UP_ROUNDS;
            each("warming up", files, numbers -> files(root, contents).write(mount, numbers));
            mount.flush();
        }
        if (warmUp > 0) {
            removeWarmUp(mount.bdt());
            // The checkpoint keeps the warm-up's journal out of the measurement.
            mount.bdt().checkpoint();
        }
    }

    /** Deletes what the warm-up wrote, and waits until its blobs are gone. */
    private void removeWarmUp(Bdt bdt) throws IOException, InterruptedException {
        narrator.accept("removing what the warm-up wrote");
        Outcome outcome = bdt.delete(new FilePath("/" + WARM_UP), true);
        if (outcome != Outcome.DONE) {
            throw new IOException("cannot delete what the warm-up wrote: " + outcome);
        }
        for (int second = 0; bdt.statistics().blobs() > 0; second++) {
            if (second == MOST_COLLECTING_SECONDS) {
                throw new IOException("the blobs of the warm-up are still there after %d s: leave out %s and %s"
                        .formatted(second, BdtOptions.GC_INTERVAL.key(), BdtOptions.GC_GRACE.key()));
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private SmallFiles files(String root, NumberedFileContent contents) {
        return new SmallFiles(root, spec.size(), window, contents::of);
    }

    private static String key(SmallFiles files, long number) {
        return files.path(number).value().substring(1);
    }

    private Meter.Metered direct(EngineRig rig) throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        SmallFiles files = files("ingest", contents);
        try (ObjectStore store = rig.direct()) {
            long warm = IngestSpec.directWarmUp(warmUp);
            Clients.run(
                    spec.clients(),
                    Math.max(1, warm),
                    done -> {},
                    numbers -> put(store, files(WARM_UP, contents), numbers));
            Meter meter = Meter.start(rig.s3(), EngineRig.DIRECT);
            long start = System.nanoTime();
            Optional<RateLimiter> pace = rate.map(RateLimiter::create);
            each(
                    "writing one object per file",
                    spec.directFiles(),
                    numbers -> put(store, files, Clients.paced(numbers, pace)));
            Meter.Ingested ingested = meter.ingested((System.nanoTime() - start) / 1e9);
            AtomicLong verified = new AtomicLong();
            each("reading one object per file", spec.directFiles(), numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    ByteBuffer bytes = store.get(key(files, number), 0, spec.size());
                    verified.addAndGet(contents.matches(number, bytes) ? 1 : 0);
                }
            });
            return ingested.readBack(spec.directFiles(), spec.size(), verified.get());
        }
    }

    private static void put(ObjectStore store, SmallFiles files, Clients.Numbers numbers) throws IOException {
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            store.put(key(files, number), files.contents().apply(number), PutCondition.NONE);
        }
    }
}
