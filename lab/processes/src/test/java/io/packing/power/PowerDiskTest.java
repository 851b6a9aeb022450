// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that the disk keeps all that POSIX promises, and nothing else. */
final class PowerDiskTest {
    private static final byte[] KEY = {1};

    private final PowerDisk disk = new PowerDisk();
    private final Path root = disk.root();
    private final Random random = Seed.random();

    @ParameterizedTest
    @EnumSource
    void whatWasForcedIsThereAfterAnyLoss(Loss loss) throws IOException {
        byte[] bytes = new byte[3_000];
        Arrays.fill(bytes, (byte) 7);
        Path file = Files.createDirectory(root.resolve("d")).resolve("f");
        force(root);
        write(file, bytes);
        force(file);
        force(root.resolve("d"));
        write(file, new byte[10_000]);
        Files.write(root.resolve("d/other"), bytes);
        for (int i = 0; i < 50; i++) {
            Path left = disk.afterLoss(loss, random).root().resolve("d/f");
            byte[] found = Files.readAllBytes(left);
            assertThat(found).hasSizeGreaterThanOrEqualTo(3_000);
            // Bytes that were overwritten and not forced have the old or the new value.
            Set<Byte> values = new HashSet<>();
            for (int at = 0; at < 3_000; at++) {
                values.add(found[at]);
            }
            assertThat(values).isSubsetOf((byte) 7, (byte) 0);
            if (loss == Loss.ALL) {
                assertThat(found).isEqualTo(bytes);
            }
        }
    }

    @Test
    void aFlippedBitIsOneOfOneFileAndOutlivesEachLoss() throws IOException {
        byte[] bytes = new byte[100];
        Files.createDirectory(root.resolve("d"));
        for (String name : List.of("d/a.segment", "d/b.segment", "d/c.other", "empty.segment")) {
            write(root.resolve(name), name.startsWith("empty") ? new byte[0] : bytes);
            force(root.resolve(name));
        }
        force(root.resolve("d"));
        force(root);
        String flipped = disk.flipBit(".segment", random).orElseThrow();
        assertThat(flipped).isIn("/d/a.segment", "/d/b.segment");
        Path left = disk.afterLoss(Loss.ALL, random).root();
        assertThat(bits(Files.readAllBytes(left.resolve(flipped)))).isEqualTo(1);
        String other = flipped.contains("a.") ? "d/b.segment" : "d/a.segment";
        assertThat(bits(Files.readAllBytes(left.resolve(other)))).isZero();
        assertThat(bits(Files.readAllBytes(left.resolve("d/c.other")))).isZero();
        assertThat(disk.flipBit(".none", random)).isEmpty();
    }

    private static int bits(byte[] bytes) {
        return BitSet.valueOf(bytes).cardinality();
    }

    @Test
    void aForcedFileWithoutItsNameIsLost() throws IOException {
        write(root.resolve("f"), new byte[10]);
        force(root.resolve("f"));
        assertThat(names(Loss.ALL)).isEmpty();
        force(root);
        assertThat(names(Loss.ALL)).containsExactly("f");
    }

    @Test
    void aRenameIsThereWholeOrNotAtAll() throws IOException {
        write(root.resolve("new"), new byte[10]);
        write(root.resolve("old"), new byte[20]);
        force(root);
        Files.move(root.resolve("new"), root.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
        Set<Set<String>> seen = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            seen.add(names(Loss.REORDERED));
        }
        assertThat(seen).containsExactlyInAnyOrder(Set.of("old"), Set.of("new", "old"));
    }

    @Test
    void sectorsThatWereNotForcedComeInAnyCombination() throws IOException {
        byte[] bytes = new byte[2_048];
        Arrays.fill(bytes, (byte) 7);
        write(root.resolve("f"), bytes);
        force(root);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            byte[] left = Files.readAllBytes(
                    disk.afterLoss(Loss.REORDERED, random).root().resolve("f"));
            StringBuilder sectors = new StringBuilder();
            for (int at = 0; at < left.length; at += 512) {
                sectors.append(left[at]);
            }
            seen.add(sectors.toString());
        }
        assertThat(seen).hasSize(16);
    }

    @Test
    void aTableGoesWhereItsFolderGoes() throws IOException {
        Path folder = Files.createDirectory(root.resolve("mount"));
        disk.table(folder).write(new WriteBatch().put(KEY, KEY), SortedStore.Sync.FSYNC);
        Files.move(folder, root.resolve("older"), StandardCopyOption.ATOMIC_MOVE);
        Path fresh = Files.createDirectory(folder);
        assertThat(disk.table(fresh).get(KEY)).isEmpty();
        assertThat(disk.table(root.resolve("older")).get(KEY)).hasValue(KEY);
        force(root);
        PowerDisk left = disk.afterLoss(Loss.ALL, random);
        assertThat(left.table(left.root().resolve("mount")).get(KEY)).isEmpty();
        assertThat(left.table(left.root().resolve("older")).get(KEY)).hasValue(KEY);
    }

    @Test
    void aTableEndsWithItsFolder() throws IOException {
        Path folder = Files.createDirectory(root.resolve("mount"));
        disk.table(folder).write(new WriteBatch().put(KEY, KEY), SortedStore.Sync.FSYNC);
        force(root);
        Files.delete(folder);
        assertThat(disk.table(Files.createDirectory(folder)).get(KEY)).isEmpty();
        Set<Boolean> seen = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            PowerDisk left = disk.afterLoss(Loss.ALL, random);
            seen.add(left.table(left.root().resolve("mount")).get(KEY).isPresent());
        }
        // The name was not forced, and of the engine's files nothing is known.
        assertThat(seen).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void aCursorShowsTheEntriesOfItsStart() throws IOException {
        SortedStore table = disk.table(Files.createDirectory(root.resolve("mount")));
        for (byte i = 0; i < 5; i++) {
            table.write(new WriteBatch().put(new byte[] {i}, new byte[] {i}), SortedStore.Sync.FSYNC);
        }
        try (Cursor cursor = table.scan(KEY, new byte[] {4})) {
            assertThat(cursor.next()).isTrue();
            table.write(
                    new WriteBatch()
                            .put(KEY, new byte[] {9})
                            .delete(new byte[] {2})
                            .put(new byte[] {3}, new byte[] {9})
                            .put(new byte[] {3, 1}, KEY),
                    SortedStore.Sync.FSYNC);
            assertThat(cursor.key()).isEqualTo(KEY);
            assertThat(cursor.value()).isEqualTo(KEY);
            for (byte i = 2; i < 4; i++) {
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.key()).containsExactly(i);
                assertThat(cursor.value()).containsExactly(i);
            }
            assertThat(cursor.next()).isFalse();
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(channel.write(ByteBuffer.wrap(bytes))).isEqualTo(bytes.length);
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            channel.force(true);
        }
    }

    private Set<String> names(Loss loss) throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> list = Files.list(disk.afterLoss(loss, random).root())) {
            list.forEach(path -> names.add(String.valueOf(path.getFileName())));
        }
        return names;
    }
}
