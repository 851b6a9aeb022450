// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Placement;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred files of one kind in a mount, pushed, two of them equal: for commands that read blobs by themselves. */
abstract class PackedFilesFixture {
    private static final int FILES = 200;

    @TempDir
    Path directory = Path.of("");

    private final Random random = Seed.random();
    final Map<String, byte[]> contents = new LinkedHashMap<>();
    CommandMount mount;

    /** Returns the options of the mount. */
    abstract Map<String, String> options() throws IOException;

    @BeforeEach
    final void start() throws IOException {
        mount = CommandMount.start(Files.createDirectory(directory.resolve("one")), options());
        for (int i = 0; i < FILES; i++) {
            write("/d/f%03d".formatted(i), text());
        }
        // Twice, for packing dedup.
        write("/d/again", content("/d/f007"));
        mount.flush();
    }

    @AfterEach
    final void stop() throws IOException {
        mount.close();
    }

    final void write(String path, byte[] bytes) throws IOException {
        mount.write(path, bytes);
        contents.put(path, bytes);
    }

    final byte[] content(String path) {
        byte[] known = contents.get(path);
        if (known == null) {
            throw new AssertionError(path + " was not written");
        }
        return known;
    }

    final byte[] text() {
        StringBuilder text = new StringBuilder();
        while (text.length() < 2_000) {
            text.append("{\"user\":\"%x\",\"event\":\"packed\",\"worker\":\"worker-%d\"}\n"
                    .formatted(random.nextInt(), random.nextInt(9)));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    final Placement.Packed packed(String path) throws IOException {
        return (Placement.Packed)
                mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
    }

    final Path blob() throws IOException {
        BlobName name = packed("/d/f000").extents().get(0).blob();
        return directory.resolve("one/store").resolve(BlobName.FOLDER + name.key());
    }

    static void assertOk(CommandRun run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
    }
}
