// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.operations.copy.CopyResult;
import io.packing.operations.copy.CopySpec;
import io.packing.operations.copy.TreeCopy;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.seed.Seed;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of trees to buckets and back. */
@NullUnmarked
@Timeout(180)
class CopyStoreTest {
    private static final int SMALL = 60;
    /** More than a window of a read. */
    private static final int LARGE = 9 << 20;

    @TempDir
    private Path home;

    private S3Server server;

    @BeforeEach
    void start() throws IOException {
        server = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Map<String, String> options() {
        return Map.of(
                "packing.s3.endpoint",
                server.endpoint().toString(),
                "packing.s3.access.key",
                "access",
                "packing.s3.secret.key",
                "secret",
                "packing.s3.retry.timeout",
                "1s");
    }

    private ObjectStore store() throws IOException {
        Map<String, String> all = new TreeMap<>(options());
        all.put("packing.store", "s3://bucket");
        return ObjectStores.open(StoreOptions.from(all));
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(Seed.value() + seed).nextBytes(bytes);
        return bytes;
    }

    private Path tree() throws IOException {
        Path top = home.resolve("tree");
        for (int i = 0; i < SMALL; i++) {
            file(top.resolve("d%d/e/f%d".formatted(i % 7, i)), bytes(i, i));
        }
        file(top.resolve("d1-and-more"), bytes(1_002, 10));
        file(top.resolve("a:b c%20é/x#y?z"), bytes(1_000, 10));
        file(top.resolve("large"), bytes(1_001, LARGE));
        return top;
    }

    private static void file(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static Map<String, Integer> content(Path top) throws IOException {
        Map<String, Integer> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(top)) {
            for (Path path : walk.filter(Files::isRegularFile).toList()) {
                all.put(top.relativize(path).toString(), Arrays.hashCode(Files.readAllBytes(path)));
            }
        }
        return all;
    }

    private CopyResult copy(String from, String to, boolean checksum) throws IOException, InterruptedException {
        return TreeCopy.run(
                new CopySpec(
                        CopySpec.place(from),
                        CopySpec.place(to),
                        8,
                        false,
                        checksum,
                        options(),
                        Map.of(),
                        Map.of(),
                        List.of()),
                failure -> ExitCodes.of(failure) == ExitCodes.UNAVAILABLE,
                new TreeCopy.Progress() {
                    @Override
                    public void found(long files) {}

                    @Override
                    public void done() {}
                },
                System::nanoTime);
    }

    @Test
    void aTreeGoesToABucketAndComesBackAsItWas() throws Exception {
        Path tree = tree();
        CopyResult there = copy(tree.toString(), "s3://bucket/in/here", true);
        assertThat(there.refused()).isEmpty();
        assertThat(there.files()).isEqualTo(SMALL + 3);
        CopyResult again = copy(tree.toString(), "s3://bucket/in/here", false);
        assertThat(again.refused()).isEmpty();
        assertThat(again.files()).isZero();
        assertThat(again.there()).isEqualTo(SMALL + 3);
        Path back = home.resolve("back");
        assertThat(copy("s3a://bucket/in/here", back.toString(), false).refused())
                .isEmpty();
        assertThat(content(back)).isEqualTo(content(tree));
        assertThat(copy("s3://bucket/in/here/large", home.resolve("one").toString(), false)
                        .bytes())
                .isEqualTo(LARGE);
        try (ObjectStore store = store()) {
            assertThat(store.list("", "", 1_000))
                    .extracting(ObjectInfo::key)
                    .as("nothing of a copy under way")
                    .noneMatch(key -> key.contains("_COPYING_"))
                    .hasSize(SMALL + 3);
        }
    }

    @Test
    void aBucketGoesToAMountAndIsThereThen() throws Exception {
        try (ObjectStore store = store();
                CommandMount mount = CommandMount.start(home)) {
            for (int i = 0; i < SMALL; i++) {
                store.put("data/%d/f%d".formatted(i % 3, i), ByteBuffer.wrap(bytes(i, i)), PutCondition.NONE);
            }
            List<String> words = List.of(
                    "copy",
                    "s3://bucket/data",
                    "packing://" + mount.master() + "/data",
                    "--json",
                    "--option",
                    "packing.store=" + mount.store(),
                    "--source-option",
                    "packing.s3.endpoint=" + server.endpoint(),
                    "--source-option",
                    "packing.s3.credentials.file=" + credentials());
            for (int there = 0; there <= SMALL; there += SMALL) {
                CommandRun run = CommandRun.of(words.toArray(String[]::new));
                assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCodes.OK);
                JsonNode told = new ObjectMapper().readTree(run.out());
                assertThat(told.get("there").asInt()).isEqualTo(there);
                assertThat(told.get("files").asInt()).isEqualTo(SMALL - there);
            }
            for (int i = 0; i < SMALL; i++) {
                assertThat(mount.read("/data/%d/f%d".formatted(i % 3, i))).isEqualTo(bytes(i, i));
            }
        }
    }

    private Path credentials() throws IOException {
        return Files.writeString(
                home.resolve("credentials"), "[default]\naws_access_key_id = access\naws_secret_access_key = secret\n");
    }

    @Test
    void whatCannotBeReadLeavesNoPartOfItselfAsAnObject() throws Exception {
        Path tree = home.resolve("tree");
        file(tree.resolve("good"), bytes(1, 10));
        file(tree.resolve("x".repeat(250)), bytes(2, 10));
        CopyResult result = copy(tree.toString(), "s3://bucket/to", false);
        assertThat(result.files()).isEqualTo(1);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.refused().get(0).why()).contains("longer than");
        try (ObjectStore store = store()) {
            assertThat(store.list("", "", 10)).extracting(ObjectInfo::key).containsExactly("to/good");
        }
    }

    @Test
    void aStoreThatDoesNotAnswerEndsTheCopy() throws Exception {
        Path tree = tree();
        List<String> words = new ArrayList<>(List.of("copy", tree.toString(), "s3://bucket/x"));
        words.addAll(List.of("--option", "packing.s3.endpoint=http://127.0.0.1:1"));
        words.addAll(List.of("--option", "packing.s3.credentials.file=" + credentials()));
        words.addAll(List.of("--option", "packing.s3.retry.timeout=100ms"));
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(run.err()).contains("packing.s3.endpoint");
    }
}
