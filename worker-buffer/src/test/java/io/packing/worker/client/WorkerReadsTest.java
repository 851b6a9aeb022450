// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DeniedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.worker.api.Writers;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The workers that a client asks for bytes in blobs, in a time that passes when it waits. */
final class WorkerReadsTest {
    private static final FilePath PATH = new FilePath("/d/f");
    private static final FileVersion VERSION = new FileVersion(7, 9);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** An answer of a worker. */
    private interface Answer {
        Optional<ByteBuffer> give() throws IOException;
    }

    private static final Answer BYTES = () -> Optional.of(ByteBuffer.wrap(new byte[] {1}));
    private static final Answer NOTHING = Optional::empty;
    private static final Answer DEAD = () -> {
        throw new UnavailableException("Connection refused");
    };

    private final Map<String, Answer> answers = new HashMap<>();
    private final List<WorkerInfo> live = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private int listings;
    private long now;
    private Runnable onPause = () -> {};

    private final Peers peers = new Peers() {
        @Override
        public Optional<ByteBuffer> read(
                String address, String mount, FilePath path, FileVersion version, long offset, int length) {
            throw new IllegalStateException("bytes in blobs are not read as buffered ones");
        }

        @Override
        public Optional<ByteBuffer> readStored(
                String address, String mount, FilePath path, FileVersion version, long offset, int length)
                throws IOException {
            asked.add(address);
            return answers.getOrDefault(address, DEAD).give();
        }

        @Override
        public void flush(String address, String mount) {}
    };

    private final WorkerReads reads = new WorkerReads(
            "m",
            () -> {
                listings++;
                return List.copyOf(live);
            },
            Writers.preferHost("near"),
            peers,
            TIMEOUT,
            () -> now,
            millis -> {
                now += TimeUnit.MILLISECONDS.toNanos(millis);
                onPause.run();
            },
            Seed.random());

    private void worker(String address, boolean leaving, Answer answer) {
        live.add(new WorkerInfo(address, address, 1, 0, 0, WorkerActivity.NONE, leaving));
        answers.put(address, answer);
    }

    private Optional<ByteBuffer> read() throws IOException {
        return reads.read(PATH, VERSION, 0, 1);
    }

    @Test
    void aClientStaysAtTheWorkerOnItsHost() throws IOException {
        worker("far:1", false, BYTES);
        worker("near:1", false, BYTES);
        for (int i = 0; i < 3; i++) {
            assertThat(read()).isPresent();
        }
        assertThat(asked).containsExactly("near:1", "near:1", "near:1");
        assertThat(listings).isEqualTo(1);
    }

    @Test
    void theNextWorkerIsAskedWhenOneDoesNotAnswerAndKept() throws IOException {
        worker("far:1", false, BYTES);
        worker("near:1", false, BYTES);
        assertThat(read()).isPresent();
        answers.put("near:1", DEAD);
        asked.clear();
        assertThat(read()).isPresent();
        assertThat(read()).isPresent();
        assertThat(asked).containsExactly("near:1", "far:1", "far:1");
    }

    @Test
    void aWorkerThatLeavesIsAskedOnlyWhenThereIsNoOther() throws IOException {
        worker("near:1", true, BYTES);
        worker("far:1", false, BYTES);
        assertThat(read()).isPresent();
        assertThat(asked).containsExactly("far:1");
        live.remove(1);
        answers.put("far:1", DEAD);
        assertThat(read()).isPresent();
        assertThat(asked).containsExactly("far:1", "far:1", "near:1");
    }

    @Test
    void aVersionThatNoWorkerFindsIsLocatedAgain() throws IOException {
        worker("near:1", false, NOTHING);
        worker("far:1", false, DEAD);
        worker("far:2", false, NOTHING);
        assertThat(read()).isEmpty();
        assertThat(asked).containsExactly("near:1", "far:1", "far:2");
        assertThat(now).isZero();
    }

    @Test
    void aWorkerThatStartsWithinTheTimeoutIsWaitedFor() throws IOException {
        onPause = () -> {
            if (now > TIMEOUT.toNanos() / 2 && live.isEmpty()) {
                worker("near:1", false, BYTES);
            }
        };
        assertThat(read()).isPresent();
    }

    @Test
    void withoutWorkersTheErrorNamesTheFileAndTheOptions() {
        assertThatThrownBy(this::read)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining(
                        "/d/f is in the store, and this client reads it through workers, but after 10.0 s")
                .hasMessageContaining("the BDT master lists no live worker")
                .hasMessageContaining("packing.worker.timeout")
                .hasMessageContaining("packing.read.peer.timeout");
        worker("far:1", false, DEAD);
        assertThatThrownBy(this::read)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("far:1: Connection refused");
    }

    @Test
    void aRefusalAndDamageAreNoReasonToAskAnother() {
        worker("near:1", false, () -> {
            throw new DeniedException("Permission denied: user=carol");
        });
        worker("far:1", false, BYTES);
        assertThatThrownBy(this::read).isInstanceOf(DeniedException.class).hasMessageContaining("user=carol");
        answers.put("near:1", () -> {
            throw new CorruptBlobException("damaged on the way");
        });
        assertThatThrownBy(this::read).isInstanceOf(CorruptBlobException.class);
        answers.put("near:1", () -> {
            throw new IOException("worker at near:1: blob b: extent at 1+2 has crc 3, want 4");
        });
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessage("/d/f: worker at near:1: blob b: extent at 1+2 has crc 3, want 4");
        assertThat(asked).containsExactly("near:1", "near:1", "near:1");
    }
}
