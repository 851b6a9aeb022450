// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.google.common.util.concurrent.RateLimiter;
import io.packing.bdt.Bdt;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.lab.direct.DirectStore;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.RunProgress;
import io.packing.lab.load.SmallFiles;
import io.packing.rig.EngineRig;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ingest experiment (§8, Table 1) at the door of Java programs: clients write small files through a packing worker,
 * and the same files as one object each, to the same S3 server. The mount has the defaults that ship.
 *
 * @param window files that one client has under way at once on the packed side
 * @param warmUp files written through packing before the clock starts
 * @param rate files that all clients together write a second; empty: as many as are taken
 */
public record EngineDoorIngest(
        IngestSpec spec, TurnPlan plan, int window, long warmUp, Optional<Double> rate, RunProgress progress) {
    private static final long SEED = 8;
    private static final String WARM_UP = "warm-up";

    /** More gain nothing. */
    private static final int WARM_UP_ROUNDS = 2;

    public EngineDoorIngest {
        if (window < 1) {
            throw new IllegalArgumentException("--window must be positive");
        }
        if (warmUp < 0) {
            throw new IllegalArgumentException("--warm-up must not be negative");
        }
    }

    /** Measures all runs. */
    public IngestResult run(EngineRig rig, DirectStore directs) throws IOException, InterruptedException {
        Optional<RateLimiter> shared = rate.map(RateLimiter::create);
        DirectIngest direct = new DirectIngest(
                spec, IngestSpec.directWarmUp(warmUp), numbers -> Clients.paced(numbers, shared), progress);
        return plan.play(spec, turn -> packed(rig, turn), kind -> direct.run(rig.s3(), directs, kind));
    }

    private Meter.Metered packed(EngineRig rig, int turn) throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        SmallFiles files = files("ingest-" + turn, contents);
        Meter.Ingested ingested;
        try (EngineRig.Client client = rig.client()) {
            if (turn == 0) {
                warmUp(client.mount(), contents);
            }
            Meter meter = Meter.start(rig.s3(), EngineRig.PACKED);
            long start = System.nanoTime();
            Optional<RateLimiter> pace = rate.map(RateLimiter::create);
            each("packing writes", spec.files(), numbers -> files.write(client.mount(), Clients.paced(numbers, pace)));
            double written = (System.nanoTime() - start) / 1e9;
            client.mount().flush();
            double seconds = (System.nanoTime() - start) / 1e9;
            // The durable files do not wait for it, but it is paid for.
            client.mount().bdt().checkpoint();
            ingested = meter.ingested(written, seconds);
            progress.accept(String.format(
                    Locale.ROOT,
                    "acknowledged at %,.0f files/s, durable in S3 after %.1f s",
                    spec.files() / written,
                    seconds));
        }
        AtomicLong verified = new AtomicLong();
        try (EngineRig.Client client = rig.client()) {
            each("packing reads", spec.files(), numbers -> verified.addAndGet(files.verify(client.mount(), numbers)));
            if (turn + 1 < plan.packedRuns()) {
                // The next run finds the mount as this one did.
                remove(client.mount().bdt(), files.root());
            }
        }
        return ingested.readBack(spec.files(), spec.size(), verified.get());
    }

    private void each(String part, long files, Clients.Work work) throws IOException, InterruptedException {
        try (RunProgress.Files told = progress.begins(part, files)) {
            Clients.run(spec.clients(), files, told::stepBy, work);
        }
    }

    /**
     * A worker is a daemon: its code is compiled, its connections and the store's are open before the clock starts. In
     * rounds that end as the measured one does, because much of what was compiled before such an end is compiled anew
     * after it. The table that is measured is empty again; the blobs stay for the hour of the mount's default grace.
     */
    private void warmUp(RemotePackingFileSystem mount, NumberedFileContent contents)
            throws IOException, InterruptedException {
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            String root = WARM_UP + "/" + round;
            long files = warmUp * (round + 1) / WARM_UP_ROUNDS - warmUp * round / WARM_UP_ROUNDS;
            each("packing warms up", files, numbers -> files(root, contents).write(mount, numbers));
            mount.flush();
        }
        if (warmUp > 0) {
            remove(mount.bdt(), WARM_UP);
        }
    }

    /** Deletes a directory of files that were measured or warmed up. */
    private void remove(Bdt bdt, String root) throws IOException {
        progress.accept("removing /" + root);
        Outcome outcome = bdt.delete(new FilePath("/" + root), true);
        if (outcome != Outcome.DONE) {
            throw new IOException("cannot delete /%s: %s".formatted(root, outcome));
        }
        // The checkpoint keeps the journal of these files out of the next measurement.
        bdt.checkpoint();
    }

    private SmallFiles files(String root, NumberedFileContent contents) {
        return new SmallFiles(root, spec.size(), window, contents::of);
    }
}
