// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two equal files: one enters the buffer while the worker asks the master about the other. */
@Timeout(60)
final class DeduplicationRaceTest {
    private static final byte[] BYTES = MountRig.bytes(1, 1_000);

    private final CompletableFuture<FileVersion> firstIn = new CompletableFuture<>();
    private final List<String> asked = new ArrayList<>();
    private final AtomicLong saved = new AtomicLong();
    private boolean isKnown;

    private final Deduplication.Master master = new Deduplication.Master() {
        @Override
        public List<Boolean> known(List<WantedContent> contents) {
            asked.add("known");
            boolean then = isKnown;
            if (asked.size() > 1 && !isKnown) {
                // The answer was made before the first file was in.
                isKnown = true;
                firstIn.complete(new FileVersion(1, 1));
            }
            return contents.stream().map(each -> then).toList();
        }

        @Override
        public CompletableFuture<ClaimResult> claim(Claim claim) {
            asked.add("claim " + claim.path());
            return CompletableFuture.completedFuture(new ClaimResult.Granted(new FileVersion(2, 2)));
        }

        @Override
        public void together(Runnable claims) {
            claims.run();
        }

        @Override
        public void note(List<NotedContent> contents) {
            contents.forEach(each -> asked.add("note " + each.version()));
        }

        @Override
        public FingerprintPage fingerprints(long list, long after) {
            return new FingerprintPage(1, 0, false, false, ImmutableIntArray.of());
        }
    };
    private final Deduplication deduplication =
            new Deduplication(master, new LateHashing(master, version -> Optional.empty(), () -> 0), saved::addAndGet);

    private static IncomingFile file(String path) {
        return new IncomingFile(
                1,
                new FilePath(path),
                new FileAttributes(BYTES.length, 0, "u", "g", 0644),
                new CreateOptions("u", "g", 0644, true, false),
                ByteBuffer.wrap(BYTES),
                Appender.Writer.CLOSES,
                ContentFingerprint.of(ByteBuffer.wrap(BYTES)),
                Optional.empty());
    }

    @Test
    void anAnswerThatIsOldByThenBuffersNothingTwice() throws IOException, InterruptedException {
        CompletableFuture<FileVersion> first = deduplication.put(file("/first"), file -> firstIn);
        deduplication.step();
        CompletableFuture<FileVersion> second = deduplication.put(file("/second"), file -> {
            throw new IllegalStateException("buffered once more");
        });
        deduplication.step();
        deduplication.step();
        assertThat(first).isCompletedWithValue(new FileVersion(1, 1));
        assertThat(second).isCompletedWithValue(new FileVersion(2, 2));
        assertThat(asked).containsExactly("known", "known", "known", "claim /second");
        assertThat(saved).hasValue(BYTES.length);
    }
}
