// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.TestMount;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.BulkInputStream;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads whose chunks are several parts: a chunk is there whole or not at all. */
class UploadPartsTest {
    private static final String REPOSITORY = "repo";

    @TempDir
    private Path home;

    private final Layout layout = new Layout(new FilePath("/registry"));
    private TestMount mount;
    private RegistryFiles files;
    private Blobs blobs;
    private Uploads uploads;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        files = mount.files();
        ReadAhead readAhead = new ReadAhead(Runnable::run, 4L * ReadAhead.PIECE);
        blobs = new Blobs(files, layout, new Rebuilder(files, layout, readAhead), readAhead);
        uploads = new Uploads(
                files, layout, blobs, readAhead, () -> UUID.randomUUID().toString());
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(Seed.value()).nextBytes(bytes);
        return bytes;
    }

    private List<FileStatus> scratch() throws IOException {
        return files.list(layout.scratch("-").parent().orElseThrow(), "", 100).orElse(List.of());
    }

    @Test
    void aBodyThatBreaksOffBehindSomePartsLeavesNothing() throws Exception {
        String id = uploads.begin(REPOSITORY);
        InputStream broken = new BulkInputStream() {
            @Override
            public int read(byte[] into, int offset, int count) throws IOException {
                throw new IOException("cut");
            }
        };
        InputStream body = new SequenceInputStream(new ByteArrayInputStream(bytes(10_000_000)), broken);
        assertThatThrownBy(() -> uploads.append(REPOSITORY, id, Optional.empty(), body))
                .hasMessage("cut");
        assertThat(uploads.offset(REPOSITORY, id)).isZero();
        assertThat(scratch()).isEmpty();
    }

    @Test
    void chunksOfSeveralPartsMakeOneBlob() throws Exception {
        byte[] blob = bytes(19_000_000);
        Digest digest = Digest.Algorithm.SHA256.of(blob);
        String id = uploads.begin(REPOSITORY);
        long first = uploads.append(REPOSITORY, id, Optional.of(0L), new ByteArrayInputStream(blob, 0, 9_000_001));
        assertThat(first).isEqualTo(9_000_001);
        InputStream rest = new ByteArrayInputStream(blob, 9_000_001, blob.length);
        assertThat(uploads.finish(REPOSITORY, id, Optional.of(first), rest, digest))
                .isTrue();
        for (int from : new int[] {0, 5_000_000, 9_000_001, blob.length - 1}) {
            try (InputStream in = blobs.find(REPOSITORY, digest).orElseThrow().open(from)) {
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(blob, from, blob.length));
            }
        }
        assertThat(scratch()).isEmpty();
    }

    /** A collection with a short grace takes the oldest parts first, while the youngest are written. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aChunkOfWhichAPartWasCollectedMeanwhileIsNone(int collected) throws Exception {
        String id = uploads.begin(REPOSITORY);
        InputStream body = new BulkInputStream() {
            private int reads;

            @Override
            public int read(byte[] into, int offset, int count) throws IOException {
                if (++reads == 100) {
                    List<FileStatus> parts = scratch().stream()
                            .sorted(Comparator.comparingLong(
                                    part -> part.version().id()))
                            .toList();
                    assertThat(parts).hasSizeGreaterThan(1);
                    VectorResult unused = files.apply(new VectorBuilder()
                            .delete(parts.get(collected).path())
                            .build());
                }
                return reads <= 130 ? Math.min(count, 100_000) : -1;
            }
        };
        assertThatThrownBy(() -> uploads.append(REPOSITORY, id, Optional.empty(), body))
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.code()).isEqualTo(OciCode.BLOB_UPLOAD_UNKNOWN));
        assertThat(uploads.offset(REPOSITORY, id)).isZero();
        assertThat(scratch()).isEmpty();
    }

    @Test
    void aChunkWhoseUploadWasGivenUpMeanwhileMakesNoOther() throws Exception {
        String id = uploads.begin(REPOSITORY);
        InputStream body = new BulkInputStream() {
            private int reads;

            @Override
            public int read(byte[] into, int offset, int count) throws IOException {
                if (++reads == 7) {
                    try {
                        uploads.cancel(REPOSITORY, id);
                    } catch (OciException e) {
                        throw new IOException(e);
                    }
                }
                return reads <= 100 ? Math.min(count, 100_000) : -1;
            }
        };
        assertThatThrownBy(() -> uploads.append(REPOSITORY, id, Optional.empty(), body))
                .isInstanceOfSatisfying(
                        OciException.class, e -> assertThat(e.code()).isEqualTo(OciCode.BLOB_UPLOAD_UNKNOWN));
        assertThat(scratch()).isEmpty();
        assertThat(files.stat(layout.upload(REPOSITORY, id))).isEmpty();
    }
}
