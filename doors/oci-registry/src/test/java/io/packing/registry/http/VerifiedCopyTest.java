// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.registry.RegistryClient;
import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import io.packing.registry.web.BodyStream;
import io.packing.registry.web.ClientRate;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blobs are sent whole only when all of their bytes are proved, by the digest at first and by checksums then. */
class VerifiedCopyTest {
    private static final int PIECE = ProvedBlobs.PIECE;
    private static final long MEMORY = 1 << 20;

    private final Random random = Seed.random();
    private final ProvedBlobs proved = new ProvedBlobs(MEMORY);
    private final VerifiedCopy copy = new VerifiedCopy(proved);

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns a stream that gives bytes as the stores of a registry do: as many at a time as memory holds. */
    private InputStream stream(byte[] bytes) {
        int most = 1 + random.nextInt(3 * PIECE);
        ByteArrayInputStream all = new ByteArrayInputStream(bytes);
        return new BulkInputStream() {
            @Override
            public int read(byte[] into, int offset, int count) {
                return all.read(into, offset, count);
            }

            @Override
            public long transferTo(OutputStream out) throws IOException {
                for (int from = 0; from < bytes.length; from += most) {
                    out.write(bytes, from, Math.min(most, bytes.length - from));
                }
                return bytes.length;
            }
        };
    }

    private byte[] sent(byte[] bytes, Digest digest, long length) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        copy.copy(stream(bytes), new BodyStream(Content.Sink.from(to), new ClientRate(() -> 0)), digest, length);
        return to.toByteArray();
    }

    /** Returns the bytes that a client has received when these are refused. */
    private byte[] refused(byte[] bytes, Digest digest, long length) {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        assertThatThrownBy(() -> copy.copy(
                        stream(bytes), new BodyStream(Content.Sink.from(to), new ClientRate(() -> 0)), digest, length))
                .isInstanceOf(VerifiedCopy.WrongBytesException.class);
        return to.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE + 12_345})
    void everyPullGivesTheSameBytes(int length) throws IOException {
        byte[] blob = bytes(length);
        Digest digest = RegistryClient.digest(blob);
        for (int pull = 0; pull < 4; pull++) {
            assertThat(sent(blob, digest, length)).isEqualTo(blob);
        }
    }

    @Test
    void aFlippedByteIsRefusedAtTheFirstPullAndAtEachLaterOne() throws IOException {
        for (int round = 0; round < 40; round++) {
            byte[] blob = bytes(1 + random.nextInt(4 * PIECE));
            Digest digest = RegistryClient.digest(blob);
            int pulls = random.nextInt(3);
            for (int pull = 0; pull < pulls; pull++) {
                assertThat(sent(blob, digest, blob.length)).isEqualTo(blob);
            }
            byte[] damaged = blob.clone();
            int at = random.nextInt(blob.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            byte[] sent = refused(damaged, digest, blob.length);
            assertThat(sent).as("not given out whole").hasSizeLessThan(blob.length);
            if (pulls > 0) {
                assertThat(sent).as("nothing of the damaged piece").isEqualTo(Arrays.copyOf(blob, at / PIECE * PIECE));
            }
            assertThat(sent(blob, digest, blob.length)).as("afterwards").isEqualTo(blob);
        }
    }

    @Test
    void otherBytesAtThePlaceOfABlobAreRefusedAfterItWasProved() throws IOException {
        byte[] blob = bytes(2 * PIECE + 5);
        Digest digest = RegistryClient.digest(blob);
        assertThat(sent(blob, digest, blob.length)).isEqualTo(blob);
        assertThat(refused(bytes(blob.length), digest, blob.length)).isEmpty();
        assertThat(sent(blob, digest, blob.length)).isEqualTo(blob);
        assertThat(refused(Arrays.copyOf(blob, PIECE), digest, PIECE)).isEmpty();
        assertThat(refused(Arrays.copyOf(blob, 2 * PIECE), digest, blob.length)).hasSizeLessThan(blob.length);
        assertThat(refused(Arrays.copyOf(blob, blob.length + 1), digest, blob.length))
                .hasSizeLessThan(blob.length);
    }

    @Test
    void whatWasRefusedIsHashedAtTheNextPull() throws IOException {
        byte[] blob = bytes(PIECE + 7);
        Digest digest = RegistryClient.digest(blob);
        assertThat(sent(blob, digest, blob.length)).isEqualTo(blob);
        assertThat(proved.find(digest)).isPresent();
        assertThat(refused(bytes(blob.length), digest, blob.length)).isEmpty();
        assertThat(proved.find(digest)).isEmpty();
    }

    @Test
    void aBlobThatAClientDidNotTakeWholeIsNotProved() {
        byte[] blob = bytes(3 * PIECE);
        Digest digest = RegistryClient.digest(blob);
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("the client is gone");
            }
        };
        assertThatThrownBy(() -> copy.copy(
                        stream(blob),
                        new BodyStream(Content.Sink.from(gone), new ClientRate(() -> 0)),
                        digest,
                        blob.length))
                .isInstanceOf(IOException.class);
        assertThat(proved.find(digest)).isEmpty();
    }

    /** The only way to see that a digest is not computed: bytes that have the checksums and another digest. */
    @Test
    void whatHasTheChecksumsIsNotHashed() throws IOException {
        byte[] blob = bytes(PIECE / 2);
        Digest digest = RegistryClient.digest(bytes(1));
        CRC32C crc = new CRC32C();
        crc.update(blob);
        proved.add(digest, new ProvedBlobs.Sums(blob.length, ImmutableIntArray.of((int) crc.getValue())));
        assertThat(sent(blob, digest, blob.length)).isEqualTo(blob);
    }

    @Test
    void blobsThatWereNotPulledForLongestAreForgottenFirst() throws IOException {
        byte[] first = bytes(10);
        byte[] second = bytes(10);
        byte[] unused = sent(first, RegistryClient.digest(first), first.length);
        byte[] unusedToo = sent(second, RegistryClient.digest(second), second.length);
        for (int i = 0; i < 10_000; i++) {
            proved.add(
                    RegistryClient.digest(new byte[] {1, (byte) i, (byte) (i >> 8)}),
                    new ProvedBlobs.Sums(5L * PIECE, ImmutableIntArray.copyOf(new int[5])));
            assertThat(proved.find(RegistryClient.digest(second))).isPresent();
            assertThat(proved.bytes()).isLessThanOrEqualTo(MEMORY);
        }
        assertThat(proved.find(RegistryClient.digest(first))).isEmpty();
    }
}
