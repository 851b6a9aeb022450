// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.ContentFingerprint;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.NotedContent;
import io.packing.bdt.WantedContent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.buffer.Appender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The worker's side of sharing, with a master in memory and a clock that the test sets. */
@Timeout(60)
final class LateHashingTest {
    private static final Optional<BdtUser> READER = Optional.of(new BdtUser("reader", false));
    private static final Optional<BdtUser> SUPERUSER = Optional.of(new BdtUser("root", true));
    /** As many files on their way make a worker busy. */
    private static final int BUSY = 8;

    private final Map<FileVersion, byte[]> buffer = new HashMap<>();
    private final List<NotedContent> noted = new ArrayList<>();
    private final List<Integer> fingerprints = new ArrayList<>();
    private final Set<HashCode> hashes = new HashSet<>();
    private final List<String> asked = new ArrayList<>();
    private boolean isAway;
    private boolean isOld;
    /** A buffered version that cannot be read. */
    private Optional<FileVersion> damaged = Optional.empty();

    private long nanos = 1;
    private long ids;

    private final Deduplication.Master master = new Deduplication.Master() {
        @Override
        public List<Boolean> known(List<WantedContent> contents) {
            asked.add("known " + contents.size());
            return contents.stream().map(each -> hashes.contains(each.sha256())).toList();
        }

        @Override
        public void note(List<NotedContent> contents) throws IOException {
            if (isAway) {
                throw new IOException("planted");
            }
            noted.addAll(contents);
            contents.forEach(each -> hashes.add(each.sha256()));
            contents.forEach(each -> fingerprints.add(each.fingerprint()));
        }

        @Override
        public FingerprintPage fingerprints(long list, long after) {
            int from = list == 1 ? (int) after : 0;
            return new FingerprintPage(
                    1,
                    fingerprints.size(),
                    !isOld,
                    false,
                    ImmutableIntArray.copyOf(fingerprints.subList(from, fingerprints.size())));
        }

        @Override
        public CompletableFuture<ClaimResult> claim(Claim claim) {
            asked.add("claim " + claim.path());
            return CompletableFuture.completedFuture(
                    new ClaimResult.Granted(new FileVersion(claim.fileId(), claim.fileId())));
        }

        @Override
        public void together(Runnable claims) {
            claims.run();
        }
    };
    private final Deduplication files =
            new Deduplication(master, new LateHashing(master, this::buffered, () -> nanos), length -> {});

    private final List<CompletableFuture<FileVersion>> busy = new ArrayList<>();

    private Optional<ByteBuffer> buffered(FileVersion version) throws IOException {
        if (damaged.isPresent() && damaged.get().equals(version)) {
            throw new IOException("planted");
        }
        return Optional.ofNullable(buffer.get(version)).map(ByteBuffer::wrap);
    }

    private static byte[] bytes(int number) {
        return MountRig.bytes(number, 100);
    }

    private IncomingFile file(int number, Optional<BdtUser> user) {
        byte[] bytes = bytes(number);
        CreateOptions options = new CreateOptions("u", "g", 0644, true, false);
        return new IncomingFile(
                ++ids,
                new FilePath("/" + ids),
                new FileAttributes(bytes.length, 0, "u", "g", 0644),
                user.map(options::by).orElse(options),
                ByteBuffer.wrap(bytes),
                Appender.Writer.STREAMS,
                ContentFingerprint.of(ByteBuffer.wrap(bytes)),
                Optional.empty());
    }

    /** Buffers a file at once, and answers when the returned future completes. */
    private CompletableFuture<FileVersion> put(IncomingFile file, CompletableFuture<FileVersion> answer)
            throws IOException {
        return files.put(file, incoming -> {
            asked.add("buffer " + incoming.path());
            byte[] bytes = new byte[incoming.bytes().remaining()];
            incoming.bytes().duplicate().get(bytes);
            return answer.thenApply(version -> {
                buffer.put(version, bytes);
                incoming.sha256().ifPresent(hash -> {
                    // The claim brought it.
                    hashes.add(hash);
                    fingerprints.add(incoming.fingerprint());
                });
                return version;
            });
        });
    }

    private CompletableFuture<FileVersion> put(int number, Optional<BdtUser> user) throws IOException {
        IncomingFile file = file(number, user);
        return put(file, CompletableFuture.completedFuture(new FileVersion(file.id(), file.id())));
    }

    /** Makes the worker busy with files of which the master is asked, and has it read the fingerprints. */
    @BeforeEach
    void busy() throws IOException, InterruptedException {
        for (int i = 0; i < BUSY; i++) {
            busy.add(new CompletableFuture<>());
            CompletableFuture<FileVersion> unused = put(file(1_000 + i, Optional.empty()), busy.get(i));
        }
        files.step();
        asked.clear();
    }

    @Test
    void aBusyWorkerAsksNothingAboutANewContent() throws IOException, InterruptedException {
        assertThat(put(1, Optional.empty())).isCompleted();
        assertThat(put(2, SUPERUSER)).isCompleted();
        files.hashAll();
        assertThat(asked).containsExactly("buffer /9", "buffer /10");
        assertThat(noted).hasSize(2);
        assertThat(noted.get(0).sha256()).isEqualTo(Hashing.sha256().hashBytes(bytes(1)));
        assertThat(noted.get(0).version()).isEqualTo(new FileVersion(9, 9));
    }

    @Test
    void aWorkerWithFewFilesAsksAtOnce() throws IOException, InterruptedException {
        busy.forEach(file -> file.completeExceptionally(new IOException("gone")));
        CompletableFuture<FileVersion> file = put(1, Optional.empty());
        assertThat(file).isNotDone();
        files.step();
        assertThat(file).isCompleted();
        assertThat(asked).containsExactly("known 1", "buffer /9");
    }

    @Test
    void theSecondFileOfAContentSharesIt() throws IOException, InterruptedException {
        assertThat(put(1, Optional.empty())).isCompleted();
        CompletableFuture<FileVersion> second = put(1, Optional.empty());
        assertThat(second).isNotDone();
        files.step();
        assertThat(second).isCompletedWithValue(new FileVersion(10, 10));
        assertThat(asked).containsExactly("buffer /9", "known 1", "claim /10");
        assertThat(noted).hasSize(1);
    }

    @Test
    void aFileWaitsForTheFirstOfItsContent() throws IOException, InterruptedException {
        CompletableFuture<FileVersion> claimed = new CompletableFuture<>();
        CompletableFuture<FileVersion> first = put(file(1, Optional.empty()), claimed);
        CompletableFuture<FileVersion> second = put(1, Optional.empty());
        files.step();
        assertThat(second).isNotDone();
        claimed.complete(new FileVersion(9, 9));
        assertThat(first).isCompleted();
        files.step();
        assertThat(second).isCompletedWithValue(new FileVersion(10, 10));
        assertThat(asked).contains("claim /10").doesNotContain("buffer /10");
    }

    @Test
    void aFileWhoseFirstOneFailsIsBuffered() throws IOException, InterruptedException {
        CompletableFuture<FileVersion> claimed = new CompletableFuture<>();
        CompletableFuture<FileVersion> first = put(file(1, Optional.empty()), claimed);
        CompletableFuture<FileVersion> second = put(1, Optional.empty());
        files.step();
        claimed.completeExceptionally(new IOException("planted"));
        assertThat(first).isCompletedExceptionally();
        files.step();
        assertThat(second).isCompletedWithValue(new FileVersion(10, 10));
        assertThat(asked).contains("buffer /10").doesNotContain("claim /10");
        assertThat(noted).isEmpty();
    }

    @Test
    void aWriterWhoMayNotReadAllWaitsForTheMasterWhateverTheWorkerKnows() throws IOException, InterruptedException {
        assertThat(put(1, Optional.empty())).isCompleted();
        for (int content : new int[] {1, 2}) {
            CompletableFuture<FileVersion> file = put(content, READER);
            assertThat(file).isNotDone();
            files.step();
            assertThat(file).isCompleted();
        }
        assertThat(asked).containsExactly("buffer /9", "known 1", "buffer /10", "known 1", "buffer /11");
        assertThat(noted).isEmpty();
    }

    @Test
    void whatAnotherWorkerNotedIsAskedAboutOnceItIsRead() throws IOException, InterruptedException {
        fingerprints.add(ContentFingerprint.of(ByteBuffer.wrap(bytes(1))));
        hashes.add(Hashing.sha256().hashBytes(bytes(1)));
        nanos += TimeUnit.SECONDS.toNanos(1);
        CompletableFuture<FileVersion> other = put(2, READER);
        files.step();
        assertThat(other).isCompleted();
        asked.clear();
        CompletableFuture<FileVersion> same = put(1, Optional.empty());
        files.step();
        assertThat(same).isCompleted();
        assertThat(asked).containsExactly("known 1", "claim /10");
    }

    @Test
    void withoutFreshFingerprintsItAsks() throws IOException, InterruptedException {
        nanos += TimeUnit.SECONDS.toNanos(3);
        CompletableFuture<FileVersion> file = put(1, Optional.empty());
        assertThat(file).isNotDone();
        files.step();
        assertThat(file).isCompleted();
        assertThat(asked).containsExactly("known 1", "buffer /9");
    }

    @Test
    void atAMasterWithoutAllFingerprintsItAsks() throws IOException, InterruptedException {
        isOld = true;
        nanos += TimeUnit.SECONDS.toNanos(1);
        CompletableFuture<FileVersion> other = put(2, READER);
        files.step();
        assertThat(other).isCompleted();
        assertThat(put(1, Optional.empty())).isNotDone();
    }

    @Test
    void anIdleWorkerHashesAndTriesAgainWhenTheMasterWasAway() throws IOException, InterruptedException {
        assertThat(put(1, Optional.empty())).isCompleted();
        nanos += TimeUnit.MILLISECONDS.toNanos(200);
        files.step();
        assertThat(noted).as("files are on their way").isEmpty();
        busy.forEach(file -> file.completeExceptionally(new IOException("gone")));
        isAway = true;
        files.step();
        isAway = false;
        files.step();
        assertThat(noted).as("it has just failed").isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(2);
        files.step();
        assertThat(noted).hasSize(1);
    }

    @Test
    void aFileThatIsGoneOrDamagedIsNotHashedAndOthersAre() throws IOException {
        assertThat(put(1, Optional.empty())).isCompleted();
        assertThat(put(2, Optional.empty())).isCompleted();
        assertThat(put(3, Optional.empty())).isCompleted();
        buffer.remove(new FileVersion(9, 9));
        buffer.put(new FileVersion(10, 10), bytes(99));
        assertThat(put(4, Optional.empty())).isCompleted();
        damaged = Optional.of(new FileVersion(12, 12));
        files.hashAll();
        assertThat(noted).extracting(NotedContent::version).containsExactly(new FileVersion(11, 11));
    }
}
