// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.sun.management.ThreadMXBean;
import io.packing.seed.Seed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of blobs from an attacker who knows the format: every checksum is right. */
class HostileBlobTest {
    private static final long ALLOCATION_LIMIT = 1 << 20;

    static Stream<Arguments> hostile() {
        byte[] unfinished = {'/', (byte) 0xC3};
        byte[] overlong = {'/', (byte) 0xC0, (byte) 0xAF, '.', '.'};
        byte[] surrogate = {'/', (byte) 0xED, (byte) 0xA0, (byte) 0x80};
        return Stream.of(
                arguments(
                        "number of names",
                        HostileBlob.withNames(Integer.MAX_VALUE).padding()),
                arguments("number of names", HostileBlob.withNames(-1)),
                arguments(
                        "name's length",
                        HostileBlob.withNames(1).varint(1L << 40).padding()),
                arguments("ends inside", HostileBlob.withNames(1).varint(1000).padding()),
                arguments(
                        "not UTF-8",
                        HostileBlob.withNames(1).varint(1).octets(0xFF).padding()),
                arguments(
                        "longer than 64 bits",
                        HostileBlob.withOneName()
                                .octets(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1)),
                arguments(
                        "longer than 64 bits",
                        HostileBlob.withOneName().octets(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2)),
                arguments(
                        "path's prefix", HostileBlob.withOneName().path(1, "/a").padding()),
                arguments(
                        "path's suffix",
                        HostileBlob.withOneName().varint(0).varint(1L << 33).padding()),
                arguments("path's suffix", HostileBlob.withOneName().path(0, TestFiles.random(Seed.random(), 65_536))),
                arguments("is the root", whole("")),
                arguments("is the root", whole("/")),
                arguments("not absolute", whole("a/b")),
                arguments("component", whole("/../x")),
                arguments("component", whole("/x/..")),
                arguments("component", whole("/x/.")),
                arguments("component", whole("/./x")),
                arguments("component", whole("//x")),
                arguments("component", whole("/x/")),
                arguments("NUL", whole("/x\0y")),
                arguments(
                        "not UTF-8",
                        HostileBlob.withOneName().path(0, unfinished).file(1, 0, 0, 0)),
                arguments(
                        "not UTF-8", HostileBlob.withOneName().path(0, overlong).file(1, 0, 0, 0)),
                arguments(
                        "not UTF-8",
                        HostileBlob.withOneName().path(0, surrogate).file(1, 0, 0, 0)),
                arguments("component", two("/ab.", 4, "/../x")),
                arguments("component", two("/ab/.", 5, "./x")),
                arguments("component", two("/ab/.", 5, "")),
                arguments("component", two("/ab/.+", 5, "/")),
                arguments("component", two("/ab/+", 4, "../..")),
                arguments("component", two("/ab", 3, "/")),
                arguments("inside a character", two("/\u00e9", 2, new byte[] {(byte) 0xAA})),
                arguments("out of order", two("/b", 1, "a")),
                arguments("out of order", two("/b/c", 2, "")),
                arguments("repeated or out of order", sameVersion()),
                arguments("occurs twice", whole("/a").files(2).path(1, "b").file(0, 0, 0, 0)),
                arguments("version", HostileBlob.withOneName().path(0, "/a").file(0, 0, 0, 0)),
                arguments("version", HostileBlob.withOneName().path(0, "/a").file(-1, 5, 0, 0)),
                arguments("version", HostileBlob.withOneName().path(0, "/a").file(1, -2, 0, 0)),
                arguments("version", HostileBlob.withOneName().path(0, "/a").file(Long.MAX_VALUE, 1, 0, 0)),
                arguments(
                        "file's length", HostileBlob.withOneName().path(0, "/a").file(1, 0, -1, 0)),
                arguments("number of extents", oneFile(Long.MAX_VALUE, Integer.MAX_VALUE)),
                arguments("number of extents", oneFile(Long.MAX_VALUE, 2).extent(0, 1, 0)),
                arguments("offset in the file", oneFile(50, 1).extent(-1, 1, 0)),
                arguments("past its length", oneFile(50, 1).extent(0, 51, 0)),
                arguments("past its length", oneFile(50, 1).extent(Long.MAX_VALUE, 1, 0)),
                arguments("past its length", oneFile(Long.MAX_VALUE, 1).extent(Long.MAX_VALUE, 1, 0)),
                arguments("past its length", oneFile(50, 1).extent(0, 0, 0)),
                arguments("extent's length", oneFile(1L << 40, 1).extent(0, Extent.MAX_LENGTH + 1L, 0)),
                arguments("extent's length", oneFile(1L << 40, 1).extent(0, -1, 0)),
                arguments("outside the body", oneFile(200, 1).extent(0, 101, 0)),
                arguments("outside the body", oneFile(50, 1).extent(0, 50, 51)),
                arguments("outside the body", oneFile(50, 1).extent(0, 50, -1)),
                arguments("outside the body", oneFile(50, 1).extent(0, 50, Long.MAX_VALUE)),
                arguments("outside the body", oneFile(50, 1).extent(0, 50, Long.MIN_VALUE)),
                arguments("overlap at 65", oneFile(100, 2).extent(0, 50, 0).extent(0, 50, -1)),
                arguments("overlap", oneFile(100, 2).extent(0, 60, 0).extent(0, 40, -60)),
                arguments(
                        "overlap",
                        oneFile(100, 3).extent(0, 10, 50).extent(0, 10, -15).extent(0, 10, -30)),
                arguments(
                        "overlap",
                        oneFile(1000, 3).extent(0, 60, 0).extent(0, 60, -60).extent(0, 60, -60)),
                arguments("unknown codec 2", oneFile(50, 1).extentOf(2)),
                arguments("unknown codec 3", oneFile(50, 1).extentOf(3)),
                arguments("unknown codec 4", versionTwo(0, 1).extentOf(4)),
                arguments("unknown codec 255", versionTwo(30, 1).extentOf(255)),
                arguments("needs a dictionary", versionTwo(0, 1).extentOf(3)),
                arguments("dictionary's bytes", versionTwo(Dictionary.MAX_SECTION + 1, 0)),
                arguments("dictionary's bytes", versionTwo(-1, 0)),
                arguments("a dictionary of 19 bytes", versionTwo(19, 0)),
                arguments("a dictionary of 101 bytes", versionTwo(101, 0)),
                arguments("outside the body", versionTwo(30, 1).extent(0, 10, -1)),
                arguments("overlap", versionTwo(30, 2).extent(0, 50, 0).extent(0, 21, -50)),
                arguments(
                        "stored length",
                        oneFile(50, 1)
                                .varint(0)
                                .varint(1)
                                .signed(0)
                                .octets(1)
                                .varint(Extent.MAX_LENGTH + 1L)
                                .octets(0, 0, 0, 0)),
                arguments(
                        "outside the body",
                        oneFile(50, 1).varint(0).varint(1).signed(0).octets(1, 0, 0, 0, 0, 0)),
                arguments(
                        "owner's index", HostileBlob.withNames(0).path(0, "/a").file(1, 0, 0, 0)),
                arguments(
                        "mode",
                        HostileBlob.withOneName()
                                .path(0, "/a")
                                .octets(2, 0, 0, 0, 0, 0)
                                .varint(010000)
                                .octets(0)),
                arguments("follow the last file", whole("/a").octets(0)),
                arguments("ends inside", whole("/" + "a".repeat(40)).files(2)),
                arguments("cannot be in a footer", whole("/a").files(1000)),
                arguments("cannot be in a footer", whole("/a").files(-1)),
                arguments("cannot be in a footer", whole("/a").files(Integer.MAX_VALUE)),
                arguments("past the limit", whole("/a").claimInflated(Integer.MAX_VALUE)),
                arguments("past the limit", whole("/a").claimInflated(-2)),
                arguments("past the limit", whole("/" + "a".repeat(60_000))),
                arguments("more bytes than announced", whole("/abc").claimInflated(13)),
                arguments("does not inflate", whole("/abc").claimInflated(100)),
                arguments("left over", whole("/a").junkAfterStream(1)),
                arguments("does not inflate", whole("/a").cutStream()));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void aHostileFooterIsRejectedWithItsFaultAndLittleMemory(String fault, HostileBlob blob) {
        byte[] bytes = blob.bytes();
        assertRejected(bytes, fault);
    }

    @Test
    void aHostileTrailerIsRejected() {
        ByteBuffer footer = ByteBuffer.allocate(10);
        assertRejected(
                HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, 116, Integer.MAX_VALUE, 0, 0, 0, 0)),
                "outside");
        assertRejected(HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, 116, -1, 0, 0, 0, 0)), "outside");
        assertRejected(HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, -1, 10, 0, 0, 0, 0)), "outside");
        assertRejected(
                HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, Long.MAX_VALUE, 10, 0, 0, 0, 0)),
                "outside");
        assertRejected(HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, 15, 111, 0, 0, 0, 0)), "outside");
        assertRejected(
                HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, 115, 10, 0, 0, 0, 0)), "the trailer says");
        assertRejected(
                HostileBlob.join(100, footer.duplicate(), new BlobTrailer(1, 116, 10, 321, 0, 0, 0)), "past the limit");
    }

    @Test
    void anUnknownVersionIsRejectedByNumber() throws IOException {
        byte[] trailer = GoldenBlobs.bytes("empty");
        patchVersion(trailer, trailer.length - BlobTrailer.SIZE, 28, BlobTrailer.CRC_AT);
        assertRejected(trailer, "trailer has format version 5 (flags 0), this reader knows versions 1 to 4");

        byte[] header = GoldenBlobs.bytes("empty");
        patchVersion(header, 0, 8, 12);
        assertRejected(
                () -> BlobVerifier.verify(new BytesSource(header)),
                "header has format version 5 (flags 0), this reader knows versions 1 to 4");
    }

    /** Sets version 5 and the checksum that fits it. */
    private static void patchVersion(byte[] blob, int start, int versionAt, int crcAt) {
        blob[start + versionAt] = 5;
        int crc = ExtentCodec.crc32c(ByteBuffer.wrap(blob, start, crcAt));
        ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).putInt(start + crcAt, crc);
    }

    /** Every entry repeats sixty thousand characters; a list of such files would take 600 MB. */
    @Test
    void aFooterThatFoldsManyLongPathsTakesTheMemoryOfItsBytes() throws Exception {
        HostileBlob blob = HostileBlob.withOneName().files(10_000);
        Random random = Seed.random();
        blob.path(0, "/" + "x".repeat(60_000) + "000000").file(1, 0, 0, 0);
        for (int i = 1; i < 10_000; i++) {
            blob.path(60_001, "%06d%x".formatted(i, random.nextLong())).file(1, 0, 0, 0);
        }
        byte[] bytes = blob.bytes();
        long before = allocated();
        Footer footer = BlobReader.open(new BytesSource(bytes)).footer();
        assertThat(allocated() - before).isLessThan(4 << 20);
        assertThat(footer.fileCount()).isEqualTo(10_000);
        assertThat(footer.iterator().next().path().value()).hasSize(60_007);
    }

    @Test
    void anExtentThatInflatesToMoreThanItSaysIsRejectedWithLittleMemory() {
        ByteBuffer bomb = ExtentCodec.encode(Codec.DEFLATE, ByteBuffer.allocate(Extent.MAX_LENGTH))
                .bytes();
        Extent extent = new ExtentCodec.Stored(Codec.DEFLATE, bomb).at(0, 100, 16);
        assertRejected(() -> ExtentCodec.decode("blob-under-test", extent, bomb), "more bytes than announced");
    }

    @Test
    void anExtentThatSaysMoreThanItsBytesCanHoldIsRejectedWithLittleMemory() {
        for (int stored : new int[] {1, 100, 4_000}) {
            ByteBuffer bytes = ByteBuffer.allocate(stored);
            Extent deflated = new ExtentCodec.Stored(Codec.DEFLATE, bytes).at(0, Extent.MAX_LENGTH, 16);
            assertRejected(() -> ExtentCodec.decode("blob-under-test", deflated, bytes), "are never stored in");
        }
        // A frame of one raw block of a byte that states four megabytes.
        ByteBuffer frame = ByteBuffer.wrap(
                new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, (byte) 0xa0, 0, 0, 0x40, 0, 0x09, 0, 0, 'x'});
        Extent framed = new ExtentCodec.Stored(Codec.ZSTD, frame).at(0, Extent.MAX_LENGTH, 16);
        assertRejected(() -> ExtentCodec.decode("blob-under-test", framed, frame), "are never in blocks of 1");
    }

    private interface Attempt {
        Object run() throws IOException;
    }

    private static void assertRejected(byte[] blob, String fault) {
        BytesSource source = new BytesSource(blob);
        assertRejected(() -> BlobReader.open(source), fault);
    }

    private static void assertRejected(Attempt attempt, String fault) {
        long before = allocated();
        try {
            Object accepted = attempt.run();
            throw new AssertionError("accepted as %s; expected: %s".formatted(accepted, fault));
        } catch (CorruptBlobException e) {
            long allocated = allocated() - before;
            assertThat(e).hasMessageContaining(fault).hasMessageContaining("blob-under-test");
            assertThat(allocated).isLessThan(ALLOCATION_LIMIT);
        } catch (IOException e) {
            throw new AssertionError("not a CorruptBlobException", e);
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static HostileBlob whole(String path) {
        return HostileBlob.withOneName().path(0, path).file(1, 0, 0, 0);
    }

    private static HostileBlob two(String first, int prefix, String suffix) {
        return two(first, prefix, suffix.getBytes(StandardCharsets.UTF_8));
    }

    private static HostileBlob two(String first, int prefix, byte[] suffix) {
        return whole(first).files(2).path(prefix, suffix).file(1, 0, 0, 0);
    }

    private static HostileBlob sameVersion() {
        return whole("/a").files(2).path(2, "").file(0, 0, 0, 0);
    }

    private static HostileBlob versionTwo(long dictionaryBytes, int extents) {
        return HostileBlob.withDictionary(dictionaryBytes).path(0, "/a").file(1, 0, 100, extents);
    }

    private static HostileBlob oneFile(long length, int extents) {
        return HostileBlob.withOneName().path(0, "/a").file(1, 0, length, extents);
    }
}
