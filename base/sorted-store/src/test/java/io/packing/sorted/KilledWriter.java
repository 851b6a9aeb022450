// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A process that writes synced entries and prints each number after its acknowledgement, until it is killed. */
final class KilledWriter {
    private KilledWriter() {}

    static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** Starts the process with the classes of this one. */
    static Process start(Path directory, SortedStoreOptions.Engine engine, Path errors) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        directory.toString(),
                        engine.name())
                .redirectError(errors.toFile())
                .start();
    }

    public static void main(String[] args) throws IOException {
        SortedStoreOptions.Engine engine = SortedStoreOptions.Engine.valueOf(args[1]);
        try (SortedStore store = SortedStores.open(Path.of(args[0]), SortedStoreContract.config(engine, 0))) {
            for (int i = 1; i < 1_000_000; i++) {
                store.write(new WriteBatch().put(key(i), new byte[100]), SortedStore.Sync.FSYNC);
                System.out.println(i);
            }
        }
    }
}
