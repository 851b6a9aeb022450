// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that damage on the way leads to another read, and damage in the store to an error. */
class SoundReadTest {
    private static final long SEED = Seed.value();

    @TempDir
    private Path directory;

    /** A blob that damages one answer to a first read, and counts second reads. */
    private static final class DamagedOnce implements RangeSource {
        private final BytesSource source;
        private final int victim;
        private final Random random;
        private int answers;
        private int again;

        DamagedOnce(byte[] blob, int victim, Random random) {
            this.source = new BytesSource(blob);
            this.victim = victim;
            this.random = random;
        }

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public long length() {
            return source.length();
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            ByteBuffer sound = source.read(offset, length);
            if (answers++ != victim) {
                return sound;
            }
            byte[] bytes = new byte[length];
            sound.get(bytes);
            return switch (random.nextInt(4)) {
                case 0 -> ByteBuffer.wrap(bytes, 0, random.nextInt(length));
                case 1 -> ByteBuffer.wrap(new byte[length + 1 + random.nextInt(length)]);
                default -> {
                    bytes[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                    yield ByteBuffer.wrap(bytes);
                }
            };
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            again++;
            return source.read(offset, length);
        }
    }

    private byte[] blob(Random random, List<byte[]> contents) throws IOException {
        for (int i = 0; i < 20; i++) {
            contents.add(TestFiles.random(random, 1 + random.nextInt(200_000)));
        }
        return TestFiles.blob(directory, Codec.NONE, writer -> {
            List<PackedFile> files = new ArrayList<>();
            for (int i = 0; i < contents.size(); i++) {
                files.add(TestFiles.add(writer, i + 1, "/f%03d".formatted(i), contents.get(i)));
            }
            return files;
        });
    }

    @Test
    void whicheverAnswerIsDamagedOnceABlobIsReadAndVerified() throws IOException {
        Random random = new Random(SEED);
        List<byte[]> contents = new ArrayList<>();
        byte[] blob = blob(random, contents);
        for (int victim = 0; victim < 21; victim++) {
            DamagedOnce source = new DamagedOnce(blob, victim, random);
            BlobReader reader = BlobReader.open(source);
            for (PackedFile file : reader.footer()) {
                byte[] want = contents.get((int) file.version().id() - 1);
                assertThat(reader.readExtent(file.extents().get(0)))
                        .as("seed %d, answer %d", SEED, victim)
                        .isEqualTo(ByteBuffer.wrap(want));
            }
            // The guessed tail has more bytes than the footer; damage in the others concerns no part of the blob.
            assertThat(source.again).as("seed %d", SEED).isBetween(victim == 0 ? 0 : 1, 1);
            DamagedOnce verified = new DamagedOnce(blob, victim % 3, random);
            assertThat(BlobVerifier.verify(verified).files())
                    .as("seed %d", SEED)
                    .isEqualTo(20);
        }
    }

    @Test
    void aGapThatIsDamagedOnceIsNoDamageOfTheBlob() throws IOException {
        byte[] content = TestFiles.random(new Random(SEED), 100);
        byte[] blob = TestFiles.blob(directory, Codec.NONE, writer -> {
            Extent unnamed = writer.append(0, ByteBuffer.wrap(TestFiles.random(new Random(SEED), 5_000)));
            assertThat(unnamed.length()).isEqualTo(5_000);
            return List.of(TestFiles.add(writer, 1, "/a", content));
        });
        for (int i = 0; i < 20; i++) {
            int at = 16 + new Random(SEED + i).nextInt(5_000);
            RangeSource source = flippingAtFirst(blob, at);
            assertThat(BlobVerifier.verify(source).gapBytes())
                    .as("seed %d, byte %d", SEED, at)
                    .isEqualTo(5_000);
        }
    }

    private static RangeSource flippingAtFirst(byte[] blob, int at) {
        byte[] damaged = blob.clone();
        damaged[at] ^= 1;
        BytesSource sound = new BytesSource(blob);
        BytesSource wrong = new BytesSource(damaged);
        return new RangeSource() {
            @Override
            public String name() {
                return sound.name();
            }

            @Override
            public long length() {
                return sound.length();
            }

            @Override
            public ByteBuffer read(long offset, int length) throws IOException {
                return wrong.read(offset, length);
            }

            @Override
            public ByteBuffer readAgain(long offset, int length) throws IOException {
                return sound.read(offset, length);
            }
        };
    }

    @Test
    void aDamagedObjectIsReadAFewTimesAndThenNamed() throws IOException {
        byte[] blob = blob(new Random(SEED), new ArrayList<>());
        BytesSource source = new BytesSource(blob);
        BlobReader reader = BlobReader.open(source);
        Extent extent = reader.footer().iterator().next().extents().get(0);
        blob[(int) extent.blobOffset()] ^= 1;
        int before = source.reads();
        assertThatThrownBy(() -> reader.readExtent(extent))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("blob-under-test")
                .hasMessageContaining("the object itself is damaged");
        assertThat(source.reads() - before).isEqualTo(SoundRead.TRIES);
    }
}
