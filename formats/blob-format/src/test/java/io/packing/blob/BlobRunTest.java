// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.Keystore;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of blobs whose runs are made in any order. */
class BlobRunTest {
    private static final int RUNS = 20;

    @TempDir
    private Path directory;

    private Keystore keystore = Keystore.NONE;
    private final Random random = Seed.random();

    @BeforeEach
    void open() throws IOException {
        keystore = EncryptedGoldens.keystore();
    }

    private FileChannel channel(String name) throws IOException {
        return FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private static BlobWriter writer(FileChannel channel, Optional<BlobKey> key) throws IOException {
        return new BlobWriter(channel, bytes -> ExtentCodec.encode(Codec.NONE, bytes), key);
    }

    private Optional<BlobKey> key(boolean encrypted) throws IOException {
        return encrypted ? Optional.of(BlobKey.begin(EncryptedGoldens.dataKeys())) : Optional.empty();
    }

    private static Extent plain(byte[] bytes) {
        return ExtentCodec.encode(Codec.NONE, ByteBuffer.wrap(bytes)).at(0, bytes.length, 1_000);
    }

    private byte[] content() {
        byte[] content = new byte[1 + random.nextInt(5_000)];
        random.nextBytes(content);
        return content;
    }

    /** A run of two extents, with a file of each. */
    private record Reserved(long place, int bytes, int first) {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsThatAreMadeInAnyOrderMakeABlob(boolean encrypted) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        List<Reserved> runs = new ArrayList<>();
        List<PackedFile> files = new ArrayList<>(Collections.nCopies(2 * RUNS, TestFiles.file(1, "/none", List.of())));
        try (FileChannel channel = channel("blob")) {
            BlobWriter writer = writer(channel, key(encrypted));
            for (int run = 0; run < RUNS; run++) {
                contents.add(content());
                contents.add(content());
                int bytes = writer.copiedLength(plain(contents.get(2 * run)))
                        + writer.copiedLength(plain(contents.get(2 * run + 1)));
                runs.add(new Reserved(writer.reserve(bytes), bytes, 2 * run));
            }
            Collections.shuffle(runs, random);
            for (Reserved each : runs) {
                BlobRun run = writer.run(each.place, ByteBuffer.allocate(each.bytes));
                for (int i = each.first; i < each.first + 2; i++) {
                    byte[] content = contents.get(i);
                    Extent moved = run.copy(i + 1, plain(content), ByteBuffer.wrap(content));
                    files.set(i, TestFiles.file(i + 1, "/f" + i, List.of(moved)));
                }
                run.write();
            }
            FinishedBlob unused = writer.finish(files);
            FileRangeSource source = new FileRangeSource("blob", channel);
            assertThat(BlobVerifier.verify(source, keystore).files()).isEqualTo(2 * RUNS);
            BlobReader reader = BlobReader.open(source, keystore);
            for (PackedFile file : reader.footer()) {
                long id = file.version().id();
                assertThat(reader.readExtent(id, file.extents().get(0)))
                        .isEqualTo(ByteBuffer.wrap(contents.get((int) id - 1)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 100_000})
    void aBlobThatIsWrittenOverAnotherFileHasNothingOfIt(int before) throws IOException {
        byte[] content = content();
        try (FileChannel channel = channel("blob")) {
            byte[] other = new byte[before];
            random.nextBytes(other);
            int unused = channel.write(ByteBuffer.wrap(other), 0);
            Optional<BlobKey> key = key(true);
            BlobWriter writer = BlobWriter.over(channel, bytes -> ExtentCodec.encode(Codec.NONE, bytes), key);
            PackedFile file = TestFiles.add(writer, 7, "/f", content);
            FinishedBlob finished = writer.finish(List.of(file));
            assertThat(channel.size()).isEqualTo(finished.length());
            VerifiedBlob verified = BlobVerifier.verify(new FileRangeSource("blob", channel), keystore);
            assertThat(verified.gapBytes()).isZero();
            assertThat(verified.files()).isEqualTo(1);
        }
    }

    @Test
    void aRunThatIsNotFullIsNotWritten() throws IOException {
        try (FileChannel channel = channel("blob")) {
            BlobWriter writer = writer(channel, key(true));
            byte[] content = content();
            int bytes = writer.copiedLength(plain(content));
            BlobRun run = writer.run(writer.reserve(bytes + 1), ByteBuffer.allocate(bytes + 1));
            Extent unused = run.copy(1, plain(content), ByteBuffer.wrap(content));
            assertThatIllegalStateException().isThrownBy(run::write).withMessageContaining("1 bytes");
            assertThatIllegalStateException()
                    .isThrownBy(() -> writer.finish(List.of()))
                    .withMessageContaining("written or reserved");
        }
    }

    @Test
    void damagedBytesAreNotEncrypted() throws IOException {
        try (FileChannel channel = channel("blob")) {
            BlobWriter writer = writer(channel, key(true));
            byte[] content = content();
            Extent extent = plain(content);
            content[random.nextInt(content.length)] ^= 1;
            int bytes = writer.copiedLength(extent);
            BlobRun run = writer.run(writer.reserve(bytes), ByteBuffer.allocate(bytes));
            assertThatThrownBy(() -> run.copy(1, extent, ByteBuffer.wrap(content)))
                    .isInstanceOf(CorruptBlobException.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> run.copy(1, extent, ByteBuffer.wrap(content, 1, content.length - 1)));
        }
    }
}
