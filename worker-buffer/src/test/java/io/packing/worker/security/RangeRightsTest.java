// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks by carol, who has a certificate without roles and knows every id, on bytes that none of her files has. */
@Timeout(120)
final class RangeRightsTest {
    private static final int LENGTH = 100;
    private static final FilePath SECRET = new FilePath("/secret");
    private static final FilePath PUBLIC = new FilePath("/public");

    @TempDir
    private Path home;

    private SecuredRig rig;
    private Users users;
    private PeerClient carol;
    private Peers carols;
    private int names;

    @BeforeEach
    void start() throws IOException {
        rig = new SecuredRig(home);
        users = new Users(rig);
        carol = new PeerClient(rig.certified("carol", "CN=carol").security());
        carols = carol.reading(Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() throws IOException {
        carol.close();
        users.close();
        rig.close();
    }

    /** Returns bytes that show their offset. */
    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    private FileVersion alices(FilePath path, int mode) throws Exception {
        CreateOptions options = new CreateOptions("", "", mode, false, false);
        return users.mount("alice")
                .put(path, ByteBuffer.wrap(bytes(LENGTH)), options)
                .get();
    }

    private static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    private void apply(String user, Operation... operations) throws IOException {
        assertThat(users.bdt(user).apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    /** Returns the bytes of a version that the worker gives to carol by any claimed path, by their offsets. */
    private Set<Integer> stolen(FileVersion version, FilePath... more) throws IOException {
        Set<Integer> stolen = new TreeSet<>();
        Stream<FilePath> known = Stream.of(SECRET, PUBLIC, FilePath.ROOT, new FilePath("/nothing"));
        for (FilePath path : Stream.concat(known, Stream.of(more)).toList()) {
            for (int offset = 0; offset < LENGTH; offset++) {
                try {
                    Optional<ByteBuffer> got = carols.read(
                            rig.workerAddress(), rig.nobody().mountName(), path, version, offset, LENGTH - offset);
                    for (int i = 0; got.isPresent() && i < got.get().remaining(); i++) {
                        assertThat(got.get().get(got.get().position() + i)).isEqualTo((byte) (offset + i + 1));
                        stolen.add(offset + i);
                    }
                } catch (DeniedException e) {
                    assertThat(e).hasMessageContaining("Permission denied");
                }
            }
        }
        return stolen;
    }

    private static Set<Integer> range(int from, int to) {
        Set<Integer> range = new TreeSet<>();
        for (int i = from; i < to; i++) {
            range.add(i);
        }
        return range;
    }

    private Operation[] header(FilePath to, int from, int length) {
        return new Operation[] {
            new Operation.CreateFile(to, mode(0644), false),
            new Operation.CloneRange(new ByteRange(SECRET, from, length), to, 0)
        };
    }

    @Test
    void aCloneOfAHeaderGivesTheHeadersBytesOnly() throws Exception {
        FileVersion version = alices(SECRET, 0600);
        apply("alice", header(PUBLIC, 0, 10));
        assertThat(stolen(version)).isEqualTo(range(0, 10));
        // The file gets several ranges, which touch, and one apart.
        FilePath more = new FilePath("/more");
        apply("alice", header(more, 10, 5));
        apply("alice", new Operation.CloneRange(new ByteRange(SECRET, 15, 5), more, 20));
        apply("alice", new Operation.CloneRange(new ByteRange(SECRET, 99, 1), more, 5));
        Set<Integer> all = range(0, 20);
        all.add(99);
        assertThat(stolen(version, more)).isEqualTo(all);
        assertThat(carols.read(rig.workerAddress(), rig.nobody().mountName(), more, version, 10, LENGTH - 10))
                .contains(ByteBuffer.wrap(bytes(20), 10, 10).slice());
        // As a reader of the file she gets all its bytes, and no other one.
        try (PackingInput in = users.mount("carol").open(PUBLIC)) {
            ByteBuffer all10 = ByteBuffer.allocate(10);
            assertThat(in.read(0, all10)).isEqualTo(10);
            assertThat(all10.array()).isEqualTo(bytes(10));
        }
    }

    @Test
    void whatAPunchOrATruncateTakesAwayIsNotReadByItsVersion() throws Exception {
        FileVersion version = alices(PUBLIC, 0644);
        apply("alice", new Operation.DeleteRange(new ByteRange(PUBLIC, 20, 30)));
        Set<Integer> left = range(0, 20);
        left.addAll(range(50, LENGTH));
        assertThat(stolen(version)).isEqualTo(left);
        apply("alice", new Operation.Truncate(PUBLIC, 5));
        comesAsAnother();
        assertThat(stolen(version)).isEqualTo(range(0, 5));
        // A longer length makes a hole.
        apply("alice", new Operation.Truncate(PUBLIC, LENGTH));
        comesAsAnother();
        assertThat(stolen(version)).isEqualTo(range(0, 5));
    }

    /** Lets carol come under a new name, for which the worker has no cached right. */
    private void comesAsAnother() throws IOException {
        carol.close();
        names++;
        carol = new PeerClient(
                rig.certified("carol" + names, "CN=carol" + names).security());
        carols = carol.reading(Duration.ofSeconds(20));
    }

    @Test
    void aSnapshotGivesTheBytesThatItsFileHadThen() throws Exception {
        FileVersion version = alices(SECRET, 0600);
        apply("alice", header(PUBLIC, 0, 10));
        apply("root", new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        apply("alice", new Operation.Truncate(PUBLIC, 3));
        FilePath then = new FilePath("/.snapshot/s/public");
        assertThat(stolen(version)).isEqualTo(range(0, 3));
        assertThat(stolen(version, then)).isEqualTo(range(0, 10));
        assertThat(stolen(version, new FilePath("/.snapshot/s/secret"))).isEqualTo(range(0, 3));
    }

    @Test
    void aCloneThatSheMadeGivesHerNoMoreThanItHasOnceSheLosesTheRight() throws Exception {
        FileVersion version = alices(SECRET, 0644);
        FilePath mine = new FilePath("/mine");
        apply("carol", header(mine, 0, 10));
        apply("alice", new Operation.SetAttributes(SECRET, mode(0600)));
        assertThat(stolen(version, mine)).isEqualTo(range(0, 10));
        apply("carol", new Operation.Truncate(mine, LENGTH));
        comesAsAnother();
        assertThat(stolen(version, mine)).isEqualTo(range(0, 10));
    }

    @Test
    void anotherGenerationIsNoVersion() throws Exception {
        FileVersion version = alices(SECRET, 0600);
        apply("alice", header(PUBLIC, 0, 10));
        for (long generation : new long[] {0, version.generation() - 1, version.generation() + 1, Long.MAX_VALUE}) {
            FileVersion stale = new FileVersion(version.id(), generation);
            assertThat(stolen(stale)).isEmpty();
            assertThat(located(PUBLIC, stale)).isEmpty();
        }
    }

    /** Returns the end of a read by a version: with bytes, denied, or without the version. */
    private String end(Peers reader, FilePath path, FileVersion version, int offset, int length) throws IOException {
        try {
            return reader.read(rig.workerAddress(), rig.nobody().mountName(), path, version, offset, length)
                    .map(bytes -> bytes.remaining() + " bytes")
                    .orElse("none");
        } catch (DeniedException e) {
            return "denied";
        }
    }

    @Test
    void aRefusedReadDoesNotTellHowLongAVersionIsNorThatItIsThere() throws Exception {
        FilePath closed = new FilePath("/closed");
        apply("alice", new Operation.MakeDirectory(closed, new DirectoryAttributes("", "", 0700), false));
        FileVersion version = alices(closed.child("f"), 0600);
        FileVersion invented = new FileVersion(version.id() + 1_000, version.generation());
        for (FilePath path : List.of(closed.child("f"), FilePath.ROOT, new FilePath("/nothing"))) {
            Set<String> ends = new TreeSet<>();
            for (int offset : new int[] {0, LENGTH - 1, LENGTH, LENGTH + 1, 1 << 20}) {
                ends.add(end(carols, path, version, offset, 10));
                ends.add(end(carols, path, invented, offset, 10));
            }
            assertThat(ends).as(path.value()).hasSize(1).doesNotContain("10 bytes");
        }
    }

    @Test
    void aReadBehindTheEndGivesWhatThereIs() throws Exception {
        FileVersion version = alices(PUBLIC, 0644);
        assertThat(end(carols, PUBLIC, version, LENGTH - 5, 1_000)).isEqualTo("5 bytes");
        assertThat(end(carols, PUBLIC, version, LENGTH, 1_000)).isEqualTo("none");
        assertThat(end(carols, PUBLIC, version, Integer.MAX_VALUE, 1)).isEqualTo("none");
    }

    private Optional<LocatedFile> located(FilePath path, FileVersion version) throws IOException {
        try {
            return users.bdt("carol").locate(version, path);
        } catch (DeniedException e) {
            return Optional.empty();
        }
    }

    @Test
    void placesAreToldOfExtentsThatTheFileHasBytesOfAndOfNoOther() throws Exception {
        int extent = Extent.MAX_LENGTH;
        try (PackingOutput out = users.mount("alice").create(SECRET, new CreateOptions("", "", 0600, false, false))) {
            for (int i = 0; i < 3; i++) {
                out.write(bytes(extent));
            }
        }
        apply("alice", header(PUBLIC, extent + 5, 10));
        users.mount("root").flush();
        Bdt hers = users.bdt("carol");
        FileVersion version = users.bdt("alice").stat(SECRET).orElseThrow().version();
        List<BlobExtent> all = extents(users.bdt("root").locate(SECRET).orElseThrow());
        assertThat(all.size()).isGreaterThanOrEqualTo(3);
        List<BlobExtent> needed = all.stream()
                .filter(each -> each.extent().fileOffset() < extent + 15
                        && each.extent().fileEnd() > extent + 5)
                .toList();
        assertThat(needed.size()).isLessThan(all.size());
        assertThat(extents(hers.locate(PUBLIC).orElseThrow())).isEqualTo(needed);
        assertThat(extents(hers.locate(version, PUBLIC).orElseThrow())).isEqualTo(needed);
        assertThat(hers.find(List.of(PUBLIC, SECRET)).stream()
                        .flatMap(found -> found.entry().orElseThrow().placement().stream())
                        .flatMap(placement -> extents(placement).stream())
                        .toList())
                .isEqualTo(needed);
        apply("alice", new Operation.MakeDirectory(new FilePath("/d"), new DirectoryAttributes("", "", 0755), false));
        apply("alice", new Operation.Rename(PUBLIC, new FilePath("/d/public"), false));
        assertThat(hers.listLocated(new FilePath("/d"), "", 10).orElseThrow().entries().stream()
                        .flatMap(entry -> entry.placement().stream())
                        .flatMap(placement -> extents(placement).stream())
                        .toList())
                .isEqualTo(needed);
        assertThat(located(SECRET, version)).isEmpty();
        assertThat(hers.locate(version)).isEmpty();
        // Her file is read.
        try (PackingInput in = users.mount("carol").open(new FilePath("/d/public"))) {
            ByteBuffer read = ByteBuffer.allocate(10);
            assertThat(in.read(0, read)).isEqualTo(10);
            assertThat(read.array()).isEqualTo(Arrays.copyOfRange(bytes(15), 5, 15));
        }
        // These are bytes that a truncate took from the version's own file.
        apply("alice", new Operation.SetAttributes(SECRET, mode(0644)), new Operation.Truncate(SECRET, 1));
        assertThat(extents(hers.locate(version, SECRET).orElseThrow())).isEqualTo(all.subList(0, 1));
    }

    private static List<BlobExtent> extents(LocatedFile file) {
        return extents(file.placement());
    }

    private static List<BlobExtent> extents(Placement placement) {
        if (placement instanceof Placement.Mapped mapped) {
            return mapped.pieces().stream()
                    .map(piece -> piece.content().placement())
                    .distinct()
                    .flatMap(content -> extents(content).stream())
                    .toList();
        }
        return ((Placement.Packed) placement).extents();
    }
}
