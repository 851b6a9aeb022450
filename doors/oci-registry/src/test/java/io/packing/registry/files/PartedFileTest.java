// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.BlobExtent;
import io.packing.blob.FilePath;
import io.packing.registry.TestMount;
import io.packing.seed.Seed;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are written as parts are one file afterwards, share blobs with others, and leave nothing behind. */
class PartedFileTest {
    private static final FilePath WHOLE = new FilePath("/registry/whole");

    @TempDir
    private Path home;

    private final Layout layout = new Layout(new FilePath("/registry"));
    private final AtomicInteger ids = new AtomicInteger();
    private TestMount mount;

    @BeforeEach
    void start() throws Exception {
        mount = TestMount.start(home);
    }

    @AfterEach
    void stop() throws Exception {
        mount.close();
    }

    private PartedFile file() {
        return new PartedFile(mount.files(), layout, () -> "part-" + ids.incrementAndGet());
    }

    private static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(PartedFile file, byte[] bytes, SplittableRandom random) throws Exception {
        for (int done = 0; done < bytes.length; ) {
            int n = Math.min(bytes.length - done, random.nextInt(1, 6 << 20));
            file.write(bytes, done, n);
            done += n;
        }
    }

    private void place(PartedFile file, FilePath path) throws Exception {
        file.finish();
        VectorBuilder vector = new VectorBuilder();
        FilePath whole = file.addTo(vector);
        assertThat(mount.files().apply(vector.rename(whole, path, false).build()))
                .isInstanceOf(VectorResult.Applied.class);
    }

    private byte[] read(FilePath path) throws Exception {
        try (InputStream in = new FileBytes(mount.files().open(path), 0)) {
            return in.readAllBytes();
        }
    }

    private List<FileStatus> scratch() throws Exception {
        return mount.files()
                .list(layout.scratch("-").parent().orElseThrow(), "", 100)
                .orElse(List.of());
    }

    @Test
    void thePartsAreOneFileThen() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        int part = (int) mount.files().packedBytes();
        for (int length : new int[] {1, part - 1, part, part + 1, 2 * part, 3 * part + random.nextInt(part)}) {
            byte[] bytes = bytes(length, random.nextLong());
            PartedFile file = file();
            write(file, bytes, random);
            FilePath path = WHOLE.parent().orElseThrow().child("of-" + length);
            place(file, path);
            assertThat(file.length()).isEqualTo(length);
            assertThat(read(path)).isEqualTo(bytes);
        }
        assertThat(scratch()).isEmpty();
    }

    @Test
    void twoLargeFilesShareABlob() throws Exception {
        Set<String> blobs = new TreeSet<>();
        for (String name : List.of("a", "b")) {
            PartedFile file = file();
            write(file, bytes(9_000_000, name.hashCode()), new SplittableRandom(Seed.value()));
            place(file, WHOLE.parent().orElseThrow().child(name));
        }
        mount.mount().flush();
        int extents = 0;
        for (String name : List.of("a", "b")) {
            Placement.Mapped mapped = (Placement.Mapped) mount.mount()
                    .bdt()
                    .locate(WHOLE.parent().orElseThrow().child(name))
                    .orElseThrow()
                    .placement();
            for (Placement.Piece piece : mapped.pieces()) {
                for (BlobExtent extent : ((Placement.Packed) piece.content().placement()).extents()) {
                    blobs.add(extent.blob().toString());
                    extents++;
                }
            }
        }
        assertThat(extents).isEqualTo(6);
        // As large files they would be in two blobs at least, and a part in a blob of its own would make six.
        assertThat(blobs).hasSizeLessThan(4);
    }

    @Test
    void whatIsGivenUpLeavesNothing() throws Exception {
        PartedFile closed = file();
        write(closed, bytes(9_000_000, 3), new SplittableRandom(Seed.value()));
        closed.finish();
        PartedFile open = file();
        write(open, bytes(9_000_000, 4), new SplittableRandom(Seed.value()));
        assertThat(scratch()).isNotEmpty();
        closed.abort();
        open.abort();
        assertThat(scratch()).isEmpty();
    }

    @Test
    void aFileWithoutBytesIsNone() {
        assertThatThrownBy(() -> file().finish()).isInstanceOf(IllegalStateException.class);
    }
}
