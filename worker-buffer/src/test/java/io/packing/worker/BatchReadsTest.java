// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.transport.Security;
import io.packing.worker.read.BatchAnswer;
import io.packing.worker.read.BatchReads;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of small files that a worker reads for a client. */
@Timeout(120)
final class BatchReadsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path temp;

    private static List<FilePath> paths(String... paths) {
        return List.of(paths).stream().map(FilePath::new).toList();
    }

    private static List<BatchAnswer> read(MountRig rig, int worker, List<FilePath> paths) throws IOException {
        return read(rig, worker, paths, false);
    }

    private static List<BatchAnswer> read(MountRig rig, int worker, List<FilePath> paths, boolean readsOn)
            throws IOException {
        try (PeerClient client = new PeerClient(Security.NONE)) {
            return client.readBatch(address(rig, worker), rig.options().mountName(), paths, readsOn, PATIENCE);
        }
    }

    private static String address(MountRig rig, int worker) throws IOException {
        return rig.mounts.get(0).bdt().workers().stream()
                .filter(each -> each.worker().equals("w" + worker))
                .findFirst()
                .orElseThrow()
                .address();
    }

    /** Sends a batch again for the paths without an answer, until all have one. */
    private static List<BatchAnswer> readAll(MountRig rig, List<FilePath> paths) throws IOException {
        List<BatchAnswer> all = new ArrayList<>();
        while (all.size() < paths.size()) {
            List<BatchAnswer> some = read(rig, 0, paths.subList(all.size(), paths.size()));
            assertThat(some).isNotEmpty();
            all.addAll(some);
        }
        return all;
    }

    private static BatchAnswer whole(byte[] bytes) {
        return new BatchAnswer.Whole(ByteBuffer.wrap(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "deflate", "zstd"})
    void eachPathHasItsAnswerInBuffersAndInBlobs(String compression) throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.compression", compression)) {
            byte[] small = MountRig.bytes(1, 8_000);
            MountRig.write(rig.mounts.get(0), "/d/small", small, MountRig.NEW);
            MountRig.write(rig.mounts.get(0), "/d/empty", new byte[0], MountRig.NEW);
            MountRig.write(rig.mounts.get(0), "/d/large", new byte[BatchReads.MOST_FILE_BYTES + 1], MountRig.NEW);
            MountRig.write(rig.mounts.get(0), "/d/largest", new byte[BatchReads.MOST_FILE_BYTES], MountRig.NEW);
            List<FilePath> asked =
                    paths("/none", "/d/small", "/d", "/d/empty", "/d/large", "/d/small", "/d/small/x", "/d/largest");
            List<BatchAnswer> expected = List.of(
                    new BatchAnswer.Absent(),
                    whole(small),
                    new BatchAnswer.Directory(),
                    whole(new byte[0]),
                    new BatchAnswer.Apart(),
                    whole(small),
                    new BatchAnswer.Absent(),
                    whole(new byte[BatchReads.MOST_FILE_BYTES]));
            assertThat(read(rig, 0, asked)).isEqualTo(expected);
            rig.mounts.get(0).flush();
            assertThat(read(rig, 0, asked)).isEqualTo(expected);
            assertThat(read(rig, 1, asked)).isEqualTo(expected);
        }
    }

    @Test
    void aFileWithRangesOfOthersIsReadWithItsHoles() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            MountRig.write(rig.mounts.get(0), "/a", "abcdef".getBytes(StandardCharsets.UTF_8), MountRig.NEW);
            MountRig.write(rig.mounts.get(1), "/b", "xyz".getBytes(StandardCharsets.UTF_8), MountRig.NEW);
            VectorResult done = rig.mounts
                    .get(0)
                    .bdt()
                    .apply(OperationVector.of(
                            new Operation.CloneRange(new ByteRange(new FilePath("/b"), 0, 2), new FilePath("/a"), 8)));
            assertThat(done).isInstanceOf(VectorResult.Applied.class);
            for (int flushed = 0; flushed < 2; flushed++) {
                assertThat(read(rig, 0, paths("/a")))
                        .containsExactly(whole("abcdef\0\0xy".getBytes(StandardCharsets.UTF_8)));
                rig.mounts.get(0).flush();
            }
        }
    }

    @Test
    void theBufferOfAnotherWorkerIsNamed() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            MountRig.write(rig.mounts.get(1), "/theirs", new byte[10], MountRig.NEW);
            String theirs = address(rig, 1);
            assertThat(read(rig, 0, paths("/theirs"))).containsExactly(new BatchAnswer.BufferedElsewhere(theirs));
            assertThat(read(rig, 1, paths("/theirs"))).containsExactly(whole(new byte[10]));
        }
    }

    @Test
    void anAnswerHasTheFirstOfTheFilesAndAtMostSomeMegabytes() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            List<FilePath> asked = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                MountRig.write(rig.mounts.get(0), "/" + i, MountRig.bytes(i, 1_000_000), MountRig.NEW);
                asked.add(new FilePath("/" + i));
            }
            rig.mounts.get(0).flush();
            assertThat(read(rig, 0, asked)).hasSize(4);
            List<BatchAnswer> all = readAll(rig, asked);
            for (int i = 0; i < 12; i++) {
                assertThat(all.get(i)).isEqualTo(whole(MountRig.bytes(i, 1_000_000)));
            }
        }
    }

    private static double gets(MountRig rig) {
        return rig.simple.find("packing.store.requests").tag("kind", "get").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void neighboursInABlobCostOneRequestInAnyOrder() throws Exception {
        int count = 2_000;
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            for (int i = 0; i < count; i++) {
                MountRig.write(rig.mounts.get(0), "/f" + i, MountRig.bytes(i, 4_096), MountRig.NEW);
            }
            rig.mounts.get(0).flush();
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, count).boxed().toList());
            Collections.shuffle(order, Seed.random());
            List<FilePath> asked =
                    order.stream().map(i -> new FilePath("/f" + i)).toList();
            double before = gets(rig);
            for (int at = 0; at < count; at += 1_000) {
                List<BatchAnswer> answers = readAll(rig, asked.subList(at, at + 1_000));
                for (int i = 0; i < 1_000; i++) {
                    assertThat(answers.get(i)).isEqualTo(whole(MountRig.bytes(order.get(at + i), 4_096)));
                }
            }
            // 8 MB: some windows that grow, and not 2,000 files.
            assertThat(gets(rig) - before).isBetween(1.0, 16.0);
        }
    }

    @Test
    void aBlobThatIsReadInItsOrderCostsOneRequestHoweverManyBatches() throws Exception {
        int count = 3_000;
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            List<FilePath> asked = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                MountRig.write(rig.mounts.get(0), "/f" + i, MountRig.bytes(i, 8_192), MountRig.NEW);
                asked.add(new FilePath("/f" + i));
            }
            rig.mounts.get(0).flush();
            double before = gets(rig);
            for (int at = 0; at < count; at += 300) {
                List<BatchAnswer> answers = read(rig, 0, asked.subList(at, at + 300), true);
                assertThat(answers).hasSize(300);
                for (int i = 0; i < 300; i++) {
                    assertThat(answers.get(i)).isEqualTo(whole(MountRig.bytes(at + i, 8_192)));
                }
            }
            assertThat(gets(rig) - before).isEqualTo(1.0);
        }
    }

    @Test
    void aRequestThatNoClientSendsIsRefused() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            List<FilePath> many = Collections.nCopies(FoundEntry.MOST_PATHS + 1, FilePath.ROOT);
            assertThatThrownBy(() -> read(rig, 0, many))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("1001 paths");
        }
    }
}
