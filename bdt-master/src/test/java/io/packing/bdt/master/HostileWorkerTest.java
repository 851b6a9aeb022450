// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FencedException;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a worker says of files and blobs, those of others stay what they are, and so does what it cannot have. */
class HostileWorkerTest extends MountFixture {
    private static final FileAttributes FILE = new FileAttributes(10, 1, "u", "g", 0644);
    private static final BlobName OWN = new BlobName("liar", 1_000, 1);

    private WorkerSession liar;

    @BeforeEach
    void register() throws IOException {
        liar = table.register(new WorkerRegistration("liar", "127.0.0.1:2"));
    }

    @Test
    void workerCannotCommitAFileThatAnotherBuffers() throws IOException {
        FileVersion victim = claim(session, "/victim");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(liar, victim, new BlobExtent(OWN, extent(0, 10, 16))))
                .withMessageContaining("liar")
                .withMessageContaining("worker w buffers");
        assertThat(located("/victim")).isEqualTo(new Placement.Buffered("w", "127.0.0.1:1"));
        assertThat(table.statistics().blobs()).isZero();
        BlobExtent right = new BlobExtent(new BlobName("w", 1_000, 1), extent(0, 10, 16));
        commit(session, victim, right);
        assertThat(located("/victim")).isEqualTo(new Placement.Packed(List.of(right)));
    }

    @Test
    void workerCannotCommitAnOverwriteThatAnotherBuffers() throws IOException {
        FileVersion v1 = claim(session, "/victim");
        FileVersion waiting = ((ClaimResult.Granted)
                        session.claim(new Claim(session.newFileId(), new FilePath("/victim"), FILE, true, true, true))
                                .join())
                .version();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(liar, waiting, new BlobExtent(OWN, extent(0, 10, 16))));
        assertThat(table.stat(new FilePath("/victim")).orElseThrow().version()).isEqualTo(v1);
    }

    @Test
    void packedFileStaysWhereItIsWhoeverReportsIt() throws IOException {
        FileVersion victim = claim(session, "/victim");
        BlobExtent right = new BlobExtent(new BlobName("w", 1_000, 1), extent(0, 10, 16));
        commit(session, victim, right);
        commit(liar, victim, new BlobExtent(OWN, extent(0, 10, 16)));
        assertThat(located("/victim")).isEqualTo(new Placement.Packed(List.of(right)));
    }

    /** Extents that no honest worker has for a file of 10 bytes. */
    static Stream<List<BlobExtent>> impossible() {
        BlobName other = new BlobName("w", 1_000, 1);
        return Stream.of(
                List.of(),
                List.of(new BlobExtent(other, extent(0, 10, 16))),
                List.of(new BlobExtent(OWN, extent(0, 10, 991))),
                List.of(new BlobExtent(OWN, extent(0, 10, Long.MAX_VALUE - 20))),
                List.of(new BlobExtent(OWN, extent(0, 9, 16))),
                List.of(new BlobExtent(OWN, extent(0, 11, 16))),
                List.of(new BlobExtent(OWN, extent(1, 10, 16))),
                List.of(new BlobExtent(OWN, extent(0, 5, 16)), new BlobExtent(OWN, extent(5, 5, 20))),
                List.of(new BlobExtent(OWN, extent(0, 5, 16)), new BlobExtent(OWN, extent(4, 5, 30))),
                List.of(new BlobExtent(OWN, extent(0, 10, 16)), new BlobExtent(OWN, extent(3, 4, 40))),
                List.of(new BlobExtent(OWN, extent(0, 10, 16)), new BlobExtent(OWN, extent(0, 10, 40))),
                List.of(new BlobExtent(OWN, extent(5, 5, 16)), new BlobExtent(OWN, extent(0, 5, 40))));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void extentsThatCannotBeAreRefusedAndNothingElse(List<BlobExtent> extents) throws IOException {
        FileVersion own = claim(liar, "/own");
        FileVersion honest = claim(session, "/honest");
        BlobExtent right = new BlobExtent(new BlobName("w", 1_000, 9), extent(0, 10, 16));
        CompletableFuture<Boolean> bad = CompletableFuture.supplyAsync(() -> {
            try {
                return commit(liar, own, extents.toArray(new BlobExtent[0]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        commit(session, honest, right);
        assertThatThrownBy(bad::join).hasCauseInstanceOf(IllegalArgumentException.class);
        assertThat(located("/own")).isEqualTo(new Placement.Buffered("liar", "127.0.0.1:2"));
        assertThat(located("/honest")).isEqualTo(new Placement.Packed(List.of(right)));
        assertThat(table.statistics().blobs()).isEqualTo(1);
        commit(liar, own, new BlobExtent(OWN, extent(0, 10, 16)));
        assertThat(located("/own")).isInstanceOf(Placement.Packed.class);
    }

    static Stream<PushedBlob> impossibleBlobs() {
        return Stream.of(
                new PushedBlob(new BlobName("w", 1_000, 1), 1_100),
                new PushedBlob(new BlobName("compacted", 1_000, 1), 1_100),
                new PushedBlob(OWN, 999),
                new PushedBlob(OWN, -1),
                new PushedBlob(OWN, Long.MAX_VALUE),
                new PushedBlob(OWN, 1_100, -1),
                new PushedBlob(OWN, 1_100, 1_101));
    }

    @ParameterizedTest
    @MethodSource("impossibleBlobs")
    void blobsThatCannotBeItsOwnAreRefused(PushedBlob blob) throws IOException {
        FileVersion victim = claim(session, "/victim");
        commit(session, victim, new BlobExtent(new BlobName("w", 1_000, 1), extent(0, 10, 16)));
        BdtStatistics before = table.statistics();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> liar.heartbeat(new Heartbeat(0, 0, List.of(blob), List.of())));
        assertThat(table.statistics()).isEqualTo(before);
    }

    @Test
    void workerCannotTakeWhatAnotherBuffersByReclaimingOrClaimingIt() throws IOException {
        FileVersion victim = claim(session, "/victim");
        assertThat(liar.reclaim(List.of(new Reclaim(victim, new FilePath("/victim"), FILE))))
                .containsExactly(Optional.empty());
        Claim stolen = new Claim(victim.id(), new FilePath("/victim"), FILE, true, true);
        assertThat(liar.claim(stolen).join()).isEqualTo(new ClaimResult.Refused(Outcome.INVALID));
        assertThat(located("/victim")).isEqualTo(new Placement.Buffered("w", "127.0.0.1:1"));
    }

    @Test
    void workerThatIsToldNothingIsNotTakenForTheOneThatClaimed() throws IOException {
        FileVersion victim = claim(session, "/victim");
        WorkerSession newer = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThatThrownBy(() -> commit(session, victim, new BlobExtent(OWN, extent(0, 10, 16))))
                .isInstanceOf(FencedException.class);
        // The same worker after a restart: its local table says that the bytes are pushed.
        commit(newer, victim, new BlobExtent(new BlobName("w", 1_000, 1), extent(0, 10, 16)));
        assertThat(located("/victim")).isInstanceOf(Placement.Packed.class);
    }

    @Test
    void nameOfTheMastersOwnBlobsIsNoWorkerId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.register(new WorkerRegistration("compacted", "127.0.0.1:2")))
                .withMessageContaining("take another");
    }

    private static Extent extent(long fileOffset, int length, long blobOffset) {
        return new Extent(fileOffset, length, blobOffset, length, Codec.NONE, 7);
    }

    private static FileVersion claim(WorkerSession by, String path) throws IOException {
        return ((ClaimResult.Granted) by.claim(new Claim(by.newFileId(), new FilePath(path), FILE, true, true))
                        .join())
                .version();
    }

    private static boolean commit(WorkerSession by, FileVersion version, BlobExtent... extents) throws IOException {
        return by.heartbeat(new Heartbeat(0, 0, List.of(), List.of(new CommittedFile(version, List.of(extents)))))
                .sealNow();
    }

    private Placement located(String path) throws IOException {
        return table.locate(new FilePath(path)).orElseThrow().placement();
    }
}
