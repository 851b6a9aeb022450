// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.lab.direct.DirectClient;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.direct.DirectStore;
import io.packing.lab.load.Clients;
import io.packing.lab.load.Meter;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.RunProgress;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The direct side of an ingest: threads store one object for each file, and each waits for its file.
 *
 * @param warmUp files before the clock starts
 * @param pace the rate that all threads share
 */
public record DirectIngest(IngestSpec spec, long warmUp, Pace pace, RunProgress progress) {
    private static final long SEED = 8;

    /** A rate at which files come. */
    public interface Pace {
        /** As many as are taken. */
        Pace NONE = numbers -> numbers;

        /** Returns the numbers at that rate. */
        Clients.Numbers of(Clients.Numbers numbers);
    }

    /** Writes the files with a new client, and reads them back with another one. */
    public DirectRun run(S3Process s3, DirectStore store, DirectKind kind) throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(spec.size(), SEED);
        Meter.Ingested ingested;
        String settings;
        long repeated;
        try (DirectClient client = store.open(kind)) {
            if (warmUp > 0) {
                each(kind.title() + " warms up", warmUp, numbers -> write(client, "warm-up", contents, numbers));
            }
            long repeatedBefore = client.repeated();
            Meter meter = Meter.start(s3, EngineRig.DIRECT);
            long start = System.nanoTime();
            each(
                    kind.title() + " writes",
                    spec.directFiles(),
                    numbers -> write(client, "files", contents, pace.of(numbers)));
            ingested = meter.ingested((System.nanoTime() - start) / 1e9);
            settings = client.settings();
            repeated = client.repeated() - repeatedBefore;
        }
        AtomicLong verified = new AtomicLong();
        try (DirectClient client = store.open(kind)) {
            each(
                    kind.title() + " reads",
                    spec.directFiles(),
                    numbers -> verified.addAndGet(verify(client, contents, numbers)));
        }
        return new DirectRun(
                kind.label(), settings, repeated, ingested.readBack(spec.directFiles(), spec.size(), verified.get()));
    }

    private void each(String part, long files, Clients.Work work) throws IOException, InterruptedException {
        try (RunProgress.Files told = progress.begins(part, files)) {
            Clients.run(spec.clients(), files, told::stepBy, work);
        }
    }

    /** Returns the key of a file; a thousand files share a directory. */
    private static String key(String folder, long number) {
        return "%s/d%04d/f%09d".formatted(folder, number / 1_000, number);
    }

    private static void write(DirectClient client, String folder, NumberedFileContent contents, Clients.Numbers numbers)
            throws IOException {
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            client.put(key(folder, number), contents.of(number).array());
        }
    }

    private long verify(DirectClient client, NumberedFileContent contents, Clients.Numbers numbers) throws IOException {
        long verified = 0;
        for (long number = numbers.next(); number >= 0; number = numbers.next()) {
            byte[] bytes = client.get(key("files", number), spec.size());
            verified += contents.matches(number, ByteBuffer.wrap(bytes)) ? 1 : 0;
        }
        return verified;
    }
}
