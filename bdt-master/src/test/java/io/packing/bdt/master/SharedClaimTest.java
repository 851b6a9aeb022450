// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.ContentFingerprint;
import io.packing.bdt.FencedException;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.NotedContent;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.upkeep.HashCleaner;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A worker claims files whose bytes it has not kept: they share those of a content with the same hash. */
class SharedClaimTest extends MountFixture {
    private static final FilePath PATH = new FilePath("/a/file");
    private static final FilePath OTHER = new FilePath("/b/c/other");

    /** Returns the bytes that {@link MountFixture#push} packs for an id. */
    private static byte[] bytes(long id) {
        return ByteBuffer.allocate(8).putLong(id).array();
    }

    /** Claims a file with its hash; the worker buffers it. */
    private Claim kept(FilePath path) throws IOException {
        long id = session.newFileId();
        Claim claim = hashed(id, path, bytes(id));
        ClaimResult.Granted granted = (ClaimResult.Granted) session.claim(claim).join();
        buffered.add(new Reclaim(granted.version(), path, claim.attributes()));
        return claim;
    }

    private Claim same(Claim other, FilePath path, boolean overwrite) throws IOException {
        return new Claim(session.newFileId(), path, other.attributes(), true, overwrite, false, other.sha256(), true);
    }

    private FileVersion shared(Claim other, FilePath path) throws IOException {
        ClaimResult result = session.claim(same(other, path, true)).join();
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).version();
    }

    private boolean isKnown(Claim claim) throws IOException {
        return session.known(List.of(new WantedContent(claim.sha256().orElseThrow(), claim.user())))
                .get(0);
    }

    private LocatedFile content(FilePath path) throws IOException {
        Placement placement = table.locate(path).orElseThrow().placement();
        assertThat(placement).isInstanceOf(Placement.Mapped.class);
        List<Placement.Piece> pieces = ((Placement.Mapped) placement).pieces();
        assertThat(pieces).hasSize(1);
        assertThat(pieces.get(0).length()).isEqualTo(8);
        return pieces.get(0).content();
    }

    private Outcome refused(Claim claim) {
        ClaimResult result = session.claim(claim).join();
        assertThat(result).isInstanceOf(ClaimResult.Refused.class);
        return ((ClaimResult.Refused) result).reason();
    }

    @Test
    void aFileSharesWhatAnotherWorkerBuffers() throws IOException {
        Claim first = kept(PATH);
        assertThat(isKnown(first)).isTrue();
        FileVersion version = shared(first, OTHER);
        assertThat(table.stat(OTHER).orElseThrow().version()).isEqualTo(version);
        assertThat(table.stat(OTHER).orElseThrow().attributes()).isEqualTo(first.attributes());
        assertThat(content(OTHER).placement()).isInstanceOf(Placement.Buffered.class);
        push(true);
        assertThat(content(OTHER).placement()).isInstanceOf(Placement.Packed.class);
        assertThat(content(PATH).status().version())
                .isEqualTo(content(OTHER).status().version());
        assertThat(table.statistics().packedBytes()).isEqualTo(16);
        assertThat(table.statistics().blobBytes() - table.statistics().deadBytes())
                .isEqualTo(8);
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        assertThat(content(OTHER).placement()).isInstanceOf(Placement.Packed.class);
        assertThat(isKnown(first)).isTrue();
        assertThat(table.delete(OTHER, false)).isEqualTo(Outcome.DONE);
        assertThat(isKnown(first)).isFalse();
    }

    @Test
    void aFileIsOverwrittenByItsOwnBytes() throws IOException {
        Claim first = kept(PATH);
        FileVersion second = shared(first, PATH);
        assertThat(table.stat(PATH).orElseThrow().version()).isEqualTo(second);
        push(true);
        FileVersion third = shared(first, PATH);
        assertThat(third).isNotEqualTo(second);
        assertThat(content(PATH).placement()).isInstanceOf(Placement.Packed.class);
        assertThat(table.statistics().files()).isEqualTo(1);
        assertThat(table.statistics().packedBytes()).isEqualTo(8);
    }

    @Test
    void aClaimIsRefusedAsAnyOther() throws IOException {
        Claim first = kept(PATH);
        kept(OTHER);
        assertThat(refused(same(first, OTHER, false))).isEqualTo(Outcome.EXISTS);
        assertThat(refused(same(first, new FilePath("/b/c"), true))).isEqualTo(Outcome.IS_A_DIRECTORY);
        assertThat(refused(same(first, PATH.child("x"), true))).isEqualTo(Outcome.NOT_A_DIRECTORY);
        assertThat(refused(hashed(session.newFileId(), new FilePath("/x"), new byte[] {1})
                        .sharing()))
                .isEqualTo(Outcome.UNKNOWN_CONTENT);
        // The hash is right, but the length is not its length.
        FileAttributes longer = new FileAttributes(9, 0, "u", "g", 0644);
        assertThat(refused(new Claim(
                        session.newFileId(), new FilePath("/y"), longer, true, true, false, first.sha256(), true)))
                .isEqualTo(Outcome.UNKNOWN_CONTENT);
        assertThat(table.stat(new FilePath("/x"))).isEmpty();
        assertThat(table.stat(new FilePath("/y"))).isEmpty();
    }

    @Test
    void aRefusedFileIsClaimedWithItsBytesUnderTheSameId() throws IOException {
        Claim claim = hashed(session.newFileId(), PATH, new byte[] {1, 2});
        assertThat(refused(claim.sharing())).isEqualTo(Outcome.UNKNOWN_CONTENT);
        assertThat(session.claim(claim).join()).isInstanceOf(ClaimResult.Granted.class);
        assertThat(isKnown(claim)).isTrue();
    }

    @Test
    void aRepeatedClaimIsAnsweredAsTheFirstTime() throws IOException {
        Claim again = same(kept(PATH), OTHER, true);
        ClaimResult result = session.claim(again).join();
        assertThat(session.claim(again).join()).isEqualTo(result);
        crashMaster();
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.claim(again).join()).isEqualTo(result);
    }

    @Test
    void whatIsKnownIsKnownAfterARestart() throws IOException {
        Claim first = kept(PATH);
        crashMaster();
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(isKnown(first)).isTrue();
        Claim later = kept(OTHER);
        assertThat(isKnown(later)).isTrue();
        assertThat(isKnown(hashed(session.newFileId(), PATH, new byte[] {7}))).isFalse();
    }

    @Test
    void whatIsLostOrOverIsNotShared() throws IOException {
        Claim first = kept(PATH);
        Claim over = kept(OTHER);
        assertThat(table.delete(OTHER, false)).isEqualTo(Outcome.DONE);
        assertThat(isKnown(over)).isFalse();
        // The worker comes back without its buffer.
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        session.reclaimed();
        assertThat(isKnown(first)).isFalse();
        assertThat(refused(same(first, OTHER, true))).isEqualTo(Outcome.UNKNOWN_CONTENT);
    }

    @Test
    void aSnapshotKeepsWhatAShareOverwrites() throws IOException {
        Claim first = kept(PATH);
        Claim second = kept(OTHER);
        push(true);
        assertThat(table.apply(OperationVector.of(new Operation.TakeSnapshot(FilePath.ROOT, "s"))))
                .isInstanceOf(VectorResult.Applied.class);
        FileVersion before = content(new FilePath("/.snapshot/s/a/file"), second);
        FileVersion now = shared(second, PATH);
        assertThat(now).isNotEqualTo(before);
        assertThat(table.stat(new FilePath("/.snapshot/s/a/file")).orElseThrow().version())
                .isEqualTo(before);
        assertThat(isKnown(first)).isTrue();
    }

    private FileVersion content(FilePath path, Claim other) throws IOException {
        FileVersion version = table.stat(path).orElseThrow().version();
        assertThat(version.id()).isNotEqualTo(other.fileId());
        return version;
    }

    @Test
    void aRebuildFromTheStoreHasTheSharedFiles() throws IOException {
        Claim first = kept(PATH);
        FileVersion version = shared(first, OTHER);
        FileVersion own = shared(first, PATH);
        push(true);
        table.checkpoint();
        loseMaster();
        session.reclaimed();
        assertThat(table.stat(OTHER).orElseThrow().version()).isEqualTo(version);
        assertThat(table.stat(PATH).orElseThrow().version()).isEqualTo(own);
        assertThat(content(OTHER).placement()).isInstanceOf(Placement.Packed.class);
        assertThat(content(PATH).placement()).isInstanceOf(Placement.Packed.class);
    }

    /** Claims a file without its hash. */
    private Reclaim unhashed(FilePath path) throws IOException {
        long id = session.newFileId();
        FileAttributes attributes = new FileAttributes(8, 0, "u", "g", 0644);
        ClaimResult.Granted granted = (ClaimResult.Granted)
                session.claim(new Claim(id, path, attributes, true, true)).join();
        Reclaim file = new Reclaim(granted.version(), path, attributes);
        buffered.add(file);
        return file;
    }

    private static NotedContent noted(Reclaim file) {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(file.version().id()));
        return new NotedContent(
                file.version(), Hashing.sha256().hashBytes(bytes.array()), ContentFingerprint.of(bytes));
    }

    @Test
    void aHashThatIsNotedLaterSharesTheBytes() throws IOException {
        Reclaim first = unhashed(PATH);
        Claim same = hashed(session.newFileId(), OTHER, bytes(first.version().id()));
        assertThat(session.fingerprints(0, 0).fingerprints().asList()).isEmpty();
        assertThat(isKnown(same)).isFalse();
        session.note(List.of(noted(first)));
        assertThat(isKnown(same)).isTrue();
        FingerprintPage page = session.fingerprints(0, 0);
        assertThat(page.complete()).isTrue();
        assertThat(page.fingerprints().asList()).containsExactly(noted(first).fingerprint());
        FileVersion version = shared(same, OTHER);
        push(true);
        assertThat(content(OTHER).placement()).isInstanceOf(Placement.Packed.class);
        assertThat(table.stat(OTHER).orElseThrow().version()).isEqualTo(version);
    }

    @Test
    void whatIsOverOrNotInTheWorkersBufferIsNotNoted() throws IOException {
        Reclaim gone = unhashed(PATH);
        assertThat(table.delete(PATH, false)).isEqualTo(Outcome.DONE);
        Reclaim others = unhashed(OTHER);
        WorkerSession another = table.register(new WorkerRegistration("another", "127.0.0.1:1"));
        another.note(List.of(noted(others)));
        session.note(List.of(noted(gone)));
        Reclaim packed = unhashed(PATH);
        push(true);
        session.note(List.of(noted(packed), noted(others)));
        FileVersion never = new FileVersion(1L << 40, 7);
        session.note(List.of(new NotedContent(never, noted(gone).sha256(), 1)));
        assertThat(rowsOf(Keys.HASH)).isZero();
        assertThat(session.fingerprints(0, 0).fingerprints().asList()).isEmpty();
    }

    @Test
    void aHashWithoutAFingerprintHasWorkersAskAboutAllFiles() throws IOException {
        Claim first = kept(PATH);
        // A worker of an older version sent none.
        assertThat(session.fingerprints(0, 0).complete()).isFalse();
        assertThat(isKnown(first)).isTrue();
    }

    @Test
    void hashesOfWhatIsOverGoInTime() throws IOException {
        for (int i = 0; i < 5; i++) {
            kept(new FilePath("/h/" + i));
        }
        kept(PATH);
        assertThat(rowsOf(Keys.HASH)).isEqualTo(6);
        assertThat(table.delete(new FilePath("/h"), true)).isEqualTo(Outcome.DONE);
        removeDeletedTrees();
        AtomicLong nanos = new AtomicLong();
        HashCleaner cleaner = new HashCleaner(
                master.openMount(TestStores.MOUNT).table(),
                Duration.ofDays(1),
                new Clocks(Clock.systemUTC(), nanos::get));
        assertThat(cleaner.step()).isFalse();
        nanos.set(Duration.ofDays(1).toNanos());
        while (cleaner.step()) {
            assertThat(rowsOf(Keys.HASH)).isLessThanOrEqualTo(6);
        }
        assertThat(rowsOf(Keys.HASH)).isEqualTo(1);
    }

    @Test
    void onlyALivingSessionAsks() throws IOException {
        Claim first = kept(PATH);
        WorkerSession old = session;
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(isKnown(first)).isTrue();
        assertThatThrownBy(
                        () -> old.known(List.of(new WantedContent(first.sha256().orElseThrow(), first.user()))))
                .isInstanceOf(FencedException.class);
    }
}
