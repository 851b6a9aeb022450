package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final Inode BUFFERED = new Inode(7, 3, FILE, new Inode.Buffered("w", 1));

    private final TreeStore store = new TreeStore();
    private final Changes changes = new Changes(store);
    private final Table table = new Table(changes, new Counters(), new DirectoryCache(store, 10), true);

    private void accept() throws IOException {
        table.accept();
        changes.accept();
    }

    private void reject() {
        changes.reject();
        table.reject();
    }

    @Test
    void workersAreNotToldToForgetWhatAFailedMutationDidNotRemove() throws IOException {
        table.add(Inode.ROOT_ID, "kept", BUFFERED);
        accept();
        table.remove(Inode.ROOT_ID, "kept", BUFFERED);
        reject();
        assertThat(table.takeForgets()).isEmpty();
        assertThat(table.namespace().entry(Inode.ROOT_ID, "kept")).contains(BUFFERED);

        table.remove(Inode.ROOT_ID, "kept", BUFFERED);
        accept();
        table.remove(Inode.ROOT_ID, "never accepted", BUFFERED);
        reject();
        assertThat(table.takeForgets()).containsExactly(new Table.Forget("w", 7));
    }

    @Test
    void blobsCountTheFilesOfAllMutationsButThoseThatFailed() throws IOException {
        long blob = table.blobNumber(new BlobName("w", 1_000, 1));
        Inode packed = BUFFERED.at(
                Inode.Packed.of(List.of(new Inode.StoredExtent(blob, new Extent(0, 10, 16, 10, Codec.NONE, 0)))));
        table.add(Inode.ROOT_ID, "f", BUFFERED);
        table.replace(Inode.ROOT_ID, "f", BUFFERED, packed);
        accept();
        assertThat(table.namespace().blob(blob).live()).isEqualTo(10);

        table.replace(Inode.ROOT_ID, "f", packed, BUFFERED);
        reject();
        accept();
        assertThat(table.namespace().blob(blob).live()).isEqualTo(10);

        table.remove(Inode.ROOT_ID, "f", packed);
        accept();
        assertThat(table.namespace().blob(blob).live()).isZero();
        assertThat(changes.get(Keys.numbered(Keys.DEAD, blob))).isPresent();
    }
}
