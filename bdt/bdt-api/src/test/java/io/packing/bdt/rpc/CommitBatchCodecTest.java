// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitBatchCodecTest {
    private static final BlobName FIRST = new BlobName("worker-1", 1_000_000, 1);
    private static final BlobName SECOND = new BlobName("worker-1", 2_000_000, 2);

    @Test
    void whatIsEncodedComesBack() {
        List<PushedBlob> blobs = List.of(new PushedBlob(FIRST, 1_000_100, 300), new PushedBlob(SECOND, 2_000_200));
        List<CommittedFile> files = List.of(
                new CommittedFile(new FileVersion(70, 9), List.of(at(FIRST, 0, 10, 500_000, 10))),
                new CommittedFile(new FileVersion(7, 1L << 60), List.of()),
                new CommittedFile(
                        new FileVersion(1L << 60, 3),
                        List.of(at(SECOND, 0, 8_192, 16, 4_000), at(FIRST, 8_192, 1, 999_999, 1))));

        CommitBatch batch = CommitBatchCodec.encode(blobs, files);
        assertThat(CommitBatchCodec.blobs(batch)).isEqualTo(blobs);
        assertThat(CommitBatchCodec.files(batch)).isEqualTo(files);
        CommitBatchCodec.Pushes pushes = new CommitBatchCodec.Pushes(blobs, files);
        assertThat(CommitBatchCodec.fromBytes(CommitBatchCodec.toBytes(pushes))).isEqualTo(pushes);
    }

    @Test
    void smallFilesInARowTakeAbout20Bytes() {
        List<CommittedFile> files = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            files.add(new CommittedFile(
                    new FileVersion(1_000_000 + i, 5_000_000 + i),
                    List.of(at(FIRST, 0, 8_192, 16 + i * 8_300L, 8_192))));
        }
        int bytes = CommitBatchCodec.encode(List.of(), files).getSerializedSize();
        assertThat(bytes / 10_000.0).isLessThan(20);
    }

    @Test
    void columnsThatDoNotFitAreRefused() {
        CommitBatch good = CommitBatchCodec.encode(
                List.of(), List.of(new CommittedFile(new FileVersion(1, 2), List.of(at(FIRST, 0, 10, 16, 10)))));
        assertRefused(good.toBuilder().addIds(5).build());
        assertRefused(good.toBuilder().addLengths(5).build());
        assertRefused(good.toBuilder().setExtents(0, 2).build());
        assertRefused(good.toBuilder().setExtents(0, 0).build());
        assertRefused(good.toBuilder().setExtents(0, -1).build());
        assertRefused(good.toBuilder().setExtentBlobs(0, 1).build());
        assertRefused(good.toBuilder().setExtentBlobs(0, -1).build());
        assertRefused(good.toBuilder().setBlobs(0, "no name").build());
        assertRefused(good.toBuilder().setLengths(0, -7).build());
        assertRefused(good.toBuilder().setCodecs(0, 4).build());
        assertRefused(good.toBuilder().setCodecs(0, -1).build());
        assertThatIllegalArgumentException().isThrownBy(() -> CommitBatchCodec.fromBytes(new byte[] {1, 2, 3}));
    }

    private static void assertRefused(CommitBatch batch) {
        assertThatIllegalArgumentException().isThrownBy(() -> CommitBatchCodec.files(batch));
    }

    private static BlobExtent at(BlobName blob, long fileOffset, int length, long blobOffset, int stored) {
        Codec codec = stored == length ? Codec.NONE : Codec.of(1 + stored % 3);
        return new BlobExtent(blob, new Extent(fileOffset, length, blobOffset, stored, codec, -1));
    }
}
