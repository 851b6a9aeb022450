// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files with bytes in objects of others: the master moves the names of these objects, and knows nothing else of them. */
class AdoptedBytesTest extends CompactionFixture {
    private static final FilePath FILE = new FilePath("/a/f01");
    private static final int LENGTH = "/a/f01".length();

    @BeforeEach
    void adopt() throws IOException {
        blob(
                "a",
                bytes -> new ExtentCodec.Stored(
                        Codec.ADOPTED, object(bytes.remaining()).encode()),
                Optional.empty());
    }

    private static AdoptedObject object(int length) {
        return new AdoptedObject("bucket", "key", "\"etag\"", length);
    }

    @Override
    byte[] content(FilePath path) {
        return path.value().getBytes(StandardCharsets.US_ASCII);
    }

    private LocatedFile located() throws IOException {
        return table.locate(FILE).orElseThrow();
    }

    private BlobExtent at() throws IOException {
        return ((Placement.Packed) located().placement()).extents().get(0);
    }

    private void isAdoptedIn(String worker) throws IOException {
        BlobExtent at = at();
        assertThat(at.blob().worker()).isEqualTo(worker);
        assertThat(at.extent().codec()).isEqualTo(Codec.ADOPTED);
        ByteBuffer stored = stores.objects.get(
                "blobs/" + at.blob().key(),
                at.extent().blobOffset(),
                at.extent().storedLength());
        assertThat(ExtentCodec.adopted(at.blob().toString(), at.extent(), stored))
                .isEqualTo(object(LENGTH));
    }

    /** Commits the file with bytes in a blob of a worker. */
    private void repack(WorkerSession by, String worker) throws IOException {
        BlobName blob = new BlobName(worker, 1_000, 99);
        Extent plain = new Extent(0, LENGTH, 16, LENGTH, Codec.NONE, 0);
        CommittedFile file = new CommittedFile(located().status().version(), List.of(new BlobExtent(blob, plain)));
        HeartbeatReply unused = by.heartbeat(new Heartbeat(0, 0, List.of(new PushedBlob(blob, 1_100)), List.of(file)));
    }

    @Test
    void aCompactionTakesTheNamesAlongAndFootersAloneGiveThemBack() throws IOException {
        isAdoptedIn("w");
        compact(MountKeys.none());
        isAdoptedIn(BlobRow.COMPACTED);
        loseMaster();
        isAdoptedIn(BlobRow.COMPACTED);
    }

    @Test
    void theWorkerThatAdoptedAFileMayPackItsBytes() throws IOException {
        repack(session, "w");
        assertThat(at().extent().codec()).isEqualTo(Codec.NONE);
        assertThat(at().blob().footerOffset()).isEqualTo(1_000);
        // A second commit changes nothing: the bytes are packed now.
        BlobExtent packed = at();
        CommittedFile again = new CommittedFile(
                located().status().version(),
                List.of(new BlobExtent(
                        new BlobName("w", 2_000, 100), new Extent(0, LENGTH, 16, LENGTH, Codec.NONE, 0))));
        HeartbeatReply unused = session.heartbeat(new Heartbeat(0, 0, List.of(), List.of(again)));
        assertThat(at()).isEqualTo(packed);
    }

    @Test
    void noOtherWorkerMayPackThem() throws IOException {
        try (WorkerSession other = table.register(new WorkerRegistration("other", "other:1"))) {
            repack(other, "other");
        }
        isAdoptedIn("w");
        compact(MountKeys.none());
        repack(session, "w");
        isAdoptedIn(BlobRow.COMPACTED);
    }
}
