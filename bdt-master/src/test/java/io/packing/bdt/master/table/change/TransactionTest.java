// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileIds;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.operation.ClaimOperations;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.operation.SessionOperations;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final Inode BUFFERED = new Inode(7, 3, FILE, new Inode.Buffered(new SessionId("w", 1), false));

    private final TreeStore store = new TreeStore();
    private final WriteSet writes = new WriteSet(store);
    private final TableMemory memory = memory(store);
    private final Sessions sessions = memory.sessions();
    private final Transaction transaction;

    TransactionTest() throws IOException {
        transaction = new Transaction(writes, memory, true);
    }

    private static TableMemory memory(TreeStore store) {
        try {
            return TableMemory.load(store, 10, MapForm.USUAL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        transaction.accept();
    }

    private void reject() {
        transaction.reject();
    }

    @Test
    void workersAreNotToldToForgetWhatAFailedMutationDidNotRemove() throws IOException {
        transaction.add(Inode.ROOT_ID, "kept", BUFFERED);
        accept();
        transaction.remove(Inode.ROOT_ID, "kept", BUFFERED);
        reject();
        assertThat(transaction.drops()).isEmpty();
        assertThat(transaction.namespace().entry(Inode.ROOT_ID, "kept")).contains(BUFFERED);

        transaction.remove(Inode.ROOT_ID, "kept", BUFFERED);
        accept();
        transaction.remove(Inode.ROOT_ID, "never accepted", BUFFERED);
        reject();
        assertThat(transaction.drops()).containsExactly(new DroppedFiles.Order("w", new FileVersion(7, 3), false));
    }

    @Test
    void aSessionIsTheLatestThatWasAcceptedOrWritten() throws IOException {
        SessionRow first = new SessionRow(new SessionId("w", 3), "host:1", 0, "");
        SessionRow second = new SessionRow(new SessionId("w", 5), "host:2", 0, "");
        transaction.putSession(first);
        accept();
        assertThat(transaction.checkSession(new SessionId("w", 3))).isEqualTo(first);
        transaction.putSession(second);
        assertThatThrownBy(() -> transaction.checkSession(new SessionId("w", 3)))
                .isInstanceOf(FencedException.class);
        reject();
        assertThat(transaction.checkSession(new SessionId("w", 3))).isEqualTo(first);

        assertThat(sessions.of("w")).as("not written yet").isEmpty();
        writes.all().forEach(row -> sessions.written(row.getKey(), row.getValue()));
        writes.written();
        assertThat(transaction.checkSession(new SessionId("w", 3))).isEqualTo(first);
        assertThatThrownBy(() -> transaction.checkSession(new SessionId("v", 3)))
                .isInstanceOf(SessionExpiredException.class);
    }

    @Test
    void sessionsFromBeforeARecoveryHaveExpired() throws IOException {
        store.write(
                new WriteBatch()
                        .put(Recoveries.KEY, new Bytes.Out().number(10).toBytes())
                        .put(
                                Keys.named(Keys.WORKER, "w"),
                                new SessionRow(new SessionId("w", 10), "host:1", 0, "").encode()),
                SortedStore.Sync.NONE);
        Sessions recovered = Sessions.load(new StoreRows(store));
        assertThatThrownBy(() -> recovered.check(new SessionId("w", 10), recovered.of("w")))
                .isInstanceOf(SessionExpiredException.class)
                .hasMessageContaining("10");
        SessionRow later = new SessionRow(new SessionId("w", 11), "host:1", 0, "");
        recovered.written(Keys.named(Keys.WORKER, "w"), Optional.of(later.encode()));
        assertThat(recovered.check(new SessionId("w", 11), recovered.of("w"))).isEqualTo(later);
    }

    @Test
    void blobsCountTheFilesOfAllMutationsButThoseThatFailed() throws IOException {
        long blob = transaction.blobs().number(new BlobName("w", 1_000, 1));
        Inode packed = BUFFERED.at(
                Inode.Packed.of(List.of(new Inode.StoredExtent(blob, new Extent(0, 10, 16, 10, Codec.NONE, 0)))));
        transaction.add(Inode.ROOT_ID, "f", BUFFERED);
        transaction.replace(Inode.ROOT_ID, "f", BUFFERED, packed);
        accept();
        assertThat(transaction.namespace().placements().blob(blob).live()).isEqualTo(10);

        transaction.replace(Inode.ROOT_ID, "f", packed, BUFFERED);
        reject();
        accept();
        assertThat(transaction.namespace().placements().blob(blob).live()).isEqualTo(10);

        transaction.remove(Inode.ROOT_ID, "f", packed);
        accept();
        assertThat(transaction.namespace().placements().blob(blob).live()).isZero();
        assertThat(writes.get(Keys.numbered(Keys.DEAD, blob))).isPresent();
    }

    @Test
    void aBlobIsDeadFromTheLastPositionOfTheMutationThatTookItsLastLiveBytes() throws IOException {
        long blob = transaction.blobs().number(new BlobName("w", 1_000, 1));
        Inode packed = BUFFERED.at(
                Inode.Packed.of(List.of(new Inode.StoredExtent(blob, new Extent(0, 10, 16, 10, Codec.NONE, 0)))));
        addPacked(packed);
        accept();
        assertThat(deadFrom(blob)).as("files need it").isEmpty();

        long first = transaction.change().nextPosition();
        transaction.remove(Inode.ROOT_ID, "f", packed);
        accept();
        assertThat(deadFrom(blob)).as("position taken before").contains(first);
        assertThat(transaction.change().position()).as("takes no second one").isEqualTo(first);

        addPacked(packed);
        accept();
        assertThat(deadFrom(blob)).as("files need it again").isEmpty();

        transaction.remove(Inode.ROOT_ID, "f", packed);
        long last = transaction.change().nextPosition() + 1;
        assertThat(transaction.change().nextPosition()).isEqualTo(last);
        accept();
        assertThat(deadFrom(blob)).as("positions taken after").contains(last);

        addPacked(packed);
        accept();
        transaction.remove(Inode.ROOT_ID, "f", packed);
        accept();
        assertThat(deadFrom(blob)).as("a mutation without a position takes one").contains(last + 1);
        assertThat(transaction.change().position()).isEqualTo(last + 1);
    }

    private void addPacked(Inode packed) throws IOException {
        transaction.add(Inode.ROOT_ID, "f", BUFFERED);
        transaction.replace(Inode.ROOT_ID, "f", BUFFERED, packed);
    }

    private Optional<Long> deadFrom(long blob) throws IOException {
        return writes.get(Keys.numbered(Keys.DEAD, blob)).map(row -> new Bytes.In(row).number());
    }

    @Test
    void accountsThatAreWrongAreSaidToBeAndCountedAnew() throws IOException {
        long blob = transaction.blobs().number(new BlobName("w", 1_000, 1));
        Inode packed = BUFFERED.at(
                Inode.Packed.of(List.of(new Inode.StoredExtent(blob, new Extent(0, 10, 16, 10, Codec.NONE, 0)))));
        transaction.add(Inode.ROOT_ID, "f", BUFFERED);
        transaction.replace(Inode.ROOT_ID, "f", BUFFERED, packed);
        accept();
        List<FileVersion> footer = List.of(packed.version(), new FileVersion(99, 99));
        assertThat(transaction.live().recount(blob, footer)).isFalse();
        assertThat(transaction.live().errors()).isZero();

        // As if the file had been removed before, by a defect.
        transaction
                .live()
                .putBlob(blob, transaction.namespace().placements().blob(blob).withLive(4));
        transaction.counters().liveBytes = 4;
        transaction.replace(Inode.ROOT_ID, "f", packed, BUFFERED);
        accept();
        assertThat(transaction.live().errors()).isEqualTo(1);
        assertThat(transaction.namespace().placements().blob(blob).live()).isZero();
        assertThat(transaction.counters().liveBytes).isZero();

        transaction.add(Inode.ROOT_ID, "f", packed);
        assertThat(transaction.live().recount(blob, footer)).isTrue();
        accept();
        assertThat(transaction.live().errors()).isEqualTo(2);
        assertThat(transaction.namespace().placements().blob(blob).live()).isEqualTo(10);
        assertThat(transaction.counters().liveBytes).isEqualTo(10);
        assertThat(writes.get(Keys.numbered(Keys.DEAD, blob))).isEmpty();
    }

    @Test
    void aClaimIsKnownAgainWhateverBecameOfItsGroup() throws IOException {
        register();
        long first = new SessionOperations(transaction).leaseIds(new SessionId("w", 3), FileIds.RANGE);
        long last = first + FileIds.RANGE - 1;
        Claim claim = new Claim(last, new FilePath("/f"), FILE, false, false);
        accept();
        assertThat(transaction.unclaimed().contains(last)).isTrue();
        claims().claim(new SessionId("w", 3), List.of(claim));
        reject();
        ClaimResult granted =
                claims().claim(new SessionId("w", 3), List.of(claim)).get(0);
        accept();
        assertThat(transaction.unclaimed().contains(last)).isFalse();
        assertThat(claims().claim(new SessionId("w", 3), List.of(claim)))
                .as("in its batch")
                .containsExactly(granted);

        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        writes.written();
        assertThat(claims().claim(new SessionId("w", 3), List.of(claim)))
                .as("later")
                .containsExactly(granted);
        assertThat(transaction.unclaimed().contains(first)).as("not claimed").isTrue();
        assertThat(transaction.unclaimed().contains(last + 1)).as("not leased").isFalse();
        assertThat(transaction.unclaimed().contains(first - 1))
                .as("leased by another process")
                .isFalse();
    }

    @Test
    void oldLeasesAreForgotten() throws IOException {
        UnclaimedIds ids = new UnclaimedIds();
        for (int i = 0; i < 300; i++) {
            ids.add(1 + (long) i * FileIds.RANGE, FileIds.RANGE);
        }
        ids.written();
        assertThat(ids.contains(1)).isFalse();
        assertThat(ids.contains(299L * FileIds.RANGE)).isTrue();
        ids.add(1L << 40, FileIds.RANGE + 1);
        assertThat(ids.contains(1L << 40)).as("too many to remember").isFalse();
    }

    private void register() {
        transaction.putSession(new SessionRow(new SessionId("w", 3), "host:1", 0, ""));
    }

    private ClaimOperations claims() {
        register();
        return new ClaimOperations(transaction, new NamespaceOperations(transaction));
    }
}
