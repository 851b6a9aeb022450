// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A file that one program replaces by renames while others open and read it: each reader gets all of one of its
 * versions.
 */
@Timeout(300)
@Tag("hunt")
class ReplacedFileTest extends OneMountFixture {
    private static final int ROUNDS = Integer.getInteger("packing.rounds", 1);
    private static final int RENAMES = 400 * ROUNDS;
    private static final int READERS = 3;
    private static final String PREFIX = "version ";

    private static void replace(Path directory, int version) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), PREFIX + version);
        Path unused = Files.move(next, directory.resolve("value"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static int version(Path file) throws IOException {
        String text = Files.readString(file);
        assertThat(text).startsWith(PREFIX);
        return Integer.parseInt(text.substring(PREFIX.length()));
    }

    /** Reads the file again and again with all threads while its versions are replaced through a directory. */
    private static void replaceAndRead(Path writing, Path reading) throws Exception {
        replace(writing, 0);
        AtomicBoolean ends = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(() -> {
                    int reads = 0;
                    while (!ends.get()) {
                        int unused = version(reading.resolve("value"));
                        reads++;
                    }
                    return reads;
                }));
            }
            for (int i = 1; i <= RENAMES; i++) {
                replace(writing, i);
            }
            ends.set(true);
            for (Future<Integer> reader : readers) {
                assertThat(reader.get(120, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            ends.set(true);
            threads.shutdownNow();
            assertThat(threads.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whoOpensAFileThatIsReplacedReadsOneOfItsVersions() throws Exception {
        replaceAndRead(root, root);
        assertThat(version(root.resolve("value"))).isEqualTo(RENAMES);
    }

    @Test
    void whoOpensAFileThatAnotherMountReplacesReadsOneOfItsVersions() throws Exception {
        try (FuseMount other = rig.mount("other", false)) {
            replaceAndRead(root, other.directory());
        }
    }

    @Test
    void whoOverwritesAFileThatIsReplacedWritesToOneOfItsVersions() throws Exception {
        replace(root, 0);
        AtomicBoolean ends = new AtomicBoolean();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> writer = thread.submit(() -> {
                int writes = 0;
                while (!ends.get()) {
                    // This truncates the opened file.
                    Path unused = Files.writeString(root.resolve("value"), PREFIX + "7");
                    writes++;
                }
                return writes;
            });
            for (int i = 1; i <= RENAMES; i++) {
                replace(root, i);
            }
            ends.set(true);
            assertThat(writer.get(120, TimeUnit.SECONDS)).isPositive();
        } finally {
            ends.set(true);
            thread.shutdownNow();
        }
    }

    @Test
    void anOpenFileIsReadAndShownAfterAnotherMountReplacedOrDeletedIt() throws Exception {
        try (FuseMount other = rig.mount("other", false)) {
            for (boolean deletes : new boolean[] {false, true}) {
                replace(root, 1);
                try (FileChannel before = FileChannel.open(other.directory().resolve("value"))) {
                    if (deletes) {
                        Files.delete(root.resolve("value"));
                    } else {
                        replace(root, 2);
                    }
                    // The flush takes the old version's bytes out of the worker.
                    rig.files().flush();
                    ByteBuffer bytes = ByteBuffer.allocate(100);
                    while (before.read(bytes) > 0) {}
                    String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
                    assertThat(text).isEqualTo(PREFIX + 1);
                    assertThat(before.size()).isEqualTo(text.length());
                }
            }
        }
    }
}
