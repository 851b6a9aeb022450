// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** A worker process that writes files on several threads and prints each one's number after its close. */
final class KilledWorker {
    /** The name of a configuration whose only push begins while the first blob fills. */
    static final String AHEAD = "ahead";

    private static final int THREADS = 4;

    private KilledWorker() {}

    /** The name of a configuration some of whose files are written in slices, and share a segment. */
    static final String SHARED = "shared";

    /** Returns the content of a file; its number determines its length, too. */
    static byte[] content(int number, String configuration) {
        Random random = new Random(number);
        boolean sliced = configuration.equals(SHARED) && number % 5 == 0;
        byte[] bytes = new byte[sliced ? 5_000_000 : number % 50 == 0 ? 300_000 : random.nextInt(20_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    static FilePath path(int number) {
        return new FilePath("/killed/f" + number);
    }

    static PackingWorker start(Path buffer, GrpcBdts master) throws IOException {
        return PackingWorker.start(
                new WorkerOptions("killed", buffer, "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    /** @param values of small files, {@link #AHEAD} or {@link #SHARED} */
    static Map<String, String> options(Path store, String values) {
        if (values.equals(AHEAD)) {
            return Map.of(
                    "packing.store", store.toUri().toString(),
                    "packing.blob.max.bytes", "64MB",
                    "packing.seal.after", "1h",
                    "packing.seal.quiet", "0s");
        }
        if (values.equals(SHARED)) {
            return Map.of(
                    "packing.store", store.toUri().toString(),
                    "packing.blob.max.bytes", "128MB",
                    "packing.seal.after", "2s");
        }
        return Map.of(
                "packing.store", store.toUri().toString(),
                "packing.blob.max.bytes", "1MB",
                "packing.spill.bytes", "100KB",
                "packing.threads", "2",
                "packing.buffer.values", values,
                "packing.seal.after", "200ms");
    }

    public static void main(String[] args) throws Exception {
        GrpcBdts master = GrpcBdts.connect(args[0], Duration.ofSeconds(30));
        PackingFileSystem mount =
                start(Path.of(args[1]), master).open(MountOptions.from(options(Path.of(args[2]), args[3])));
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread;
            new Thread(() -> {
                        try {
                            for (int number = first; ; number += THREADS) {
                                PackingOutput out =
                                        mount.create(path(number), new CreateOptions("o", "g", 0644, true, false));
                                ByteBuffer bytes = ByteBuffer.wrap(content(number, args[3]));
                                out.write(bytes.array(), 0, bytes.limit());
                                out.close();
                                System.out.println(number);
                            }
                        } catch (IOException e) {
                            e.printStackTrace();
                            System.exit(1);
                        }
                    })
                    .start();
        }
    }
}
