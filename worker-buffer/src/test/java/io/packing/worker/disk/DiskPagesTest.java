// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.BlobName;
import io.packing.durable.DirectoryInUseException;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages on the disk are whole or absent: after restarts, kills, damage, and on a full disk. */
@Timeout(120)
@Tag("process")
final class DiskPagesTest {
    private static final long ENOUGH = 8L << 20;
    private static final long SEGMENT = 1L << 20;
    private static final int SMALL = 100;

    private final long seed = Seed.value();

    @TempDir
    private Path temp;

    private static BlobPage page(int number) {
        return new BlobPage(new BlobName("w-" + number % 3, 1L << 30, 1_700_000_000_000_000L), number);
    }

    private ByteBuffer bytes(int number, int length) {
        byte[] bytes = new byte[length];
        new Random(seed + number).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private DiskPages open() throws IOException {
        return DiskPages.open(temp.resolve("cache"), ENOUGH, SEGMENT);
    }

    private void write(DiskPages pages, int from, int to, int length) {
        for (int i = from; i < to; i++) {
            assertThat(pages.offer(page(i), bytes(i, length))).isTrue();
            assertThat(pages.step()).isTrue();
        }
    }

    private void expect(DiskPages pages, int number, int length) {
        assertThat(pages.read(page(number)))
                .as("page %d, seed %d", number, seed)
                .isEqualTo(new DiskPages.Search.Found(bytes(number, length)));
    }

    private static void expectNone(DiskPages pages, int number) {
        assertThat(pages.read(page(number))).isInstanceOf(DiskPages.Search.Absent.class);
        assertThat(pages.contains(page(number))).isFalse();
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("cache"))) {
            return files.filter(file -> PageSegment.number(file).isPresent())
                    .sorted()
                    .toList();
        }
    }

    private long bytesOnDisk() throws IOException {
        long bytes = 0;
        for (Path segment : segments()) {
            bytes += Files.size(segment);
        }
        return bytes;
    }

    private static void flip(Path file, long offset) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            assertThat(channel.read(one, offset)).isEqualTo(1);
            one.put(0, (byte) (one.get(0) ^ 1)).rewind();
            assertThat(channel.write(one, offset)).isEqualTo(1);
        }
    }

    private static void cut(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(channel.truncate(size).size()).isEqualTo(size);
        }
    }

    /** Returns a copy of the directory as a kill at this moment would leave it. */
    private Path killed(String name) throws IOException {
        Path copy = Files.createDirectories(temp.resolve(name));
        for (Path segment : segments()) {
            assertThat(Files.copy(segment, copy.resolve(segment.getFileName()))).exists();
        }
        return copy;
    }

    @Test
    void pagesAreThereAfterARestartAndAfterAKill() throws IOException {
        Path killed;
        try (DiskPages pages = open()) {
            write(pages, 0, 10, BlobPage.BYTES);
            write(pages, 10, 12, SMALL);
            killed = killed("killed");
            expect(pages, 3, BlobPage.BYTES);
            expectNone(pages, 12);
        }
        for (Path each : List.of(temp.resolve("cache"), killed)) {
            try (DiskPages again = DiskPages.open(each, ENOUGH, SEGMENT)) {
                for (int i = 0; i < 10; i++) {
                    expect(again, i, BlobPage.BYTES);
                }
                expect(again, 11, SMALL);
                expectNone(again, 12);
                write(again, 12, 13, SMALL);
                expect(again, 12, SMALL);
            }
        }
    }

    @Test
    void aSegmentCutAtAnyByteHasThePagesBeforeTheCut() throws IOException {
        int count = 4;
        Path whole;
        try (DiskPages pages = open()) {
            write(pages, 0, count, SMALL);
            whole = killed("killed").resolve(segments().get(0).getFileName());
        }
        cutAtEveryByte(whole, count);
        // Cut also in the footer of the segment that the close sealed.
        cutAtEveryByte(segments().get(0), count);
    }

    private void cutAtEveryByte(Path segment, int count) throws IOException {
        int record = PageHeader.of(page(0), bytes(0, SMALL)).recordBytes();
        long size = Files.size(segment);
        for (long cut = 0; cut <= size; cut++) {
            Path directory = Files.createTempDirectory(temp, "cut");
            Path file = Files.copy(segment, directory.resolve(segment.getFileName()));
            cut(file, cut);
            // The first restart reads the headers, the second one the footer made of them.
            for (int restart = 0; restart < 2; restart++) {
                try (DiskPages pages = DiskPages.open(directory, ENOUGH, SEGMENT)) {
                    for (int i = 0; i < count; i++) {
                        if ((i + 1L) * record <= cut) {
                            expect(pages, i, SMALL);
                        } else {
                            expectNone(pages, i);
                        }
                    }
                }
            }
        }
    }

    @Test
    void whateverByteIsDamagedNoPageIsWrongAndTheDamagedOneIsRemoved() throws IOException {
        int count = 3;
        try (DiskPages pages = open()) {
            write(pages, 0, count, SMALL);
        }
        Path segment = segments().get(0);
        long size = Files.size(segment);
        int record = PageHeader.of(page(0), bytes(0, SMALL)).recordBytes();
        for (long at = 0; at < size; at++) {
            Path directory = Files.createTempDirectory(temp, "damaged");
            Path file = Files.copy(segment, directory.resolve(segment.getFileName()));
            flip(file, at);
            boolean inPage = at < (long) count * record;
            try (DiskPages pages = DiskPages.open(directory, ENOUGH, SEGMENT)) {
                for (int i = 0; i < count; i++) {
                    if (inPage && at / record == i) {
                        assertThat(pages.read(page(i))).isInstanceOf(DiskPages.Search.Damaged.class);
                        expectNone(pages, i);
                    } else {
                        expect(pages, i, SMALL);
                    }
                }
            }
            try (DiskPages pages = DiskPages.open(directory, ENOUGH, SEGMENT)) {
                for (int i = 0; i < count; i++) {
                    if (inPage && at / record == i) {
                        assertThat(pages.read(page(i))).as("byte %d", at).isNotInstanceOf(DiskPages.Search.Found.class);
                    } else {
                        expect(pages, i, SMALL);
                    }
                }
            }
        }
    }

    @Test
    void damageWhileItRunsIsAMissAndThePageCanBeWrittenAgain() throws IOException {
        try (DiskPages pages = open()) {
            write(pages, 0, 3, BlobPage.BYTES);
            flip(segments().get(0), 2L * BlobPage.BYTES);
            List<DiskPages.Search> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(pages.read(page(i)));
            }
            assertThat(all)
                    .filteredOn(DiskPages.Search.Damaged.class::isInstance)
                    .hasSize(1);
            int damaged = all.indexOf(new DiskPages.Search.Damaged());
            expectNone(pages, damaged);
            write(pages, damaged, damaged + 1, BlobPage.BYTES);
            expect(pages, damaged, BlobPage.BYTES);
        }
        try (DiskPages pages = open()) {
            for (int i = 0; i < 3; i++) {
                expect(pages, i, BlobPage.BYTES);
            }
        }
    }

    @Test
    void theOldestSegmentsGoSoThatTheBoundHolds() throws IOException {
        int count = 100;
        try (DiskPages pages = open()) {
            for (int i = 0; i < count; i++) {
                write(pages, i, i + 1, BlobPage.BYTES);
                assertThat(bytesOnDisk()).isEqualTo(pages.bytes()).isLessThanOrEqualTo(ENOUGH);
            }
            // At least the newest seven segments of three pages are there.
            for (int i = count - 21; i < count; i++) {
                expect(pages, i, BlobPage.BYTES);
            }
            expectNone(pages, 0);
        }
        assertThat(bytesOnDisk()).isLessThanOrEqualTo(ENOUGH);
        long less = 3L << 20;
        try (DiskPages pages = DiskPages.open(temp.resolve("cache"), less, SEGMENT)) {
            assertThat(bytesOnDisk()).isEqualTo(pages.bytes()).isLessThanOrEqualTo(less);
            expect(pages, count - 1, BlobPage.BYTES);
            expectNone(pages, count - 21);
        }
    }

    @Test
    void nothingWaitsForTheDisk() throws IOException {
        try (DiskPages pages = open()) {
            for (int i = 0; i < DiskPages.MOST_WAITING; i++) {
                assertThat(pages.offer(page(i), bytes(i, SMALL))).isTrue();
                assertThat(pages.offer(page(i), bytes(i, SMALL))).as("twice").isTrue();
            }
            assertThat(pages.offer(page(999), bytes(999, SMALL))).isFalse();
            assertThat(pages.step()).isTrue();
            assertThat(pages.offer(page(999), bytes(999, SMALL))).isTrue();
        }
        try (DiskPages pages = open()) {
            // The close wrote the queue.
            for (int i = 0; i < DiskPages.MOST_WAITING; i++) {
                expect(pages, i, SMALL);
            }
            expect(pages, 999, SMALL);
        }
    }

    @Test
    void aForgottenPageIsNotThereAlsoWhenItWaitedAndAfterARestart() throws IOException {
        try (DiskPages pages = open()) {
            write(pages, 0, 2, SMALL);
            assertThat(pages.offer(page(2), bytes(2, SMALL))).isTrue();
            pages.forget(page(0));
            pages.forget(page(2));
            assertThat(pages.step()).isFalse();
            expectNone(pages, 0);
            expectNone(pages, 2);
        }
        try (DiskPages pages = open()) {
            assertThat(pages.read(page(0))).isInstanceOf(DiskPages.Search.Absent.class);
            expect(pages, 1, SMALL);
            expectNone(pages, 2);
        }
    }

    @Test
    void aDirectoryIsOneUsersOnly() throws IOException {
        try (DiskPages pages = open()) {
            write(pages, 0, 1, SMALL);
            assertThatThrownBy(this::open)
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining("configure another directory");
            expect(pages, 0, SMALL);
        }
    }

    @Test
    void readersFindRightPagesOrNoneWhileSegmentsComeAndGo() throws Exception {
        int names = 60;
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong found = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (DiskPages pages = DiskPages.open(temp.resolve("cache"), 4L << 20, SEGMENT)) {
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int reader = 0; reader < 4; reader++) {
                Random random = new Random(seed + reader);
                readers.add(CompletableFuture.runAsync(
                        () -> {
                            while (!ended.get()) {
                                int number = random.nextInt(names);
                                DiskPages.Search search = pages.read(page(number));
                                assertThat(search).isNotInstanceOf(DiskPages.Search.Damaged.class);
                                if (search instanceof DiskPages.Search.Found there) {
                                    assertThat(there.bytes()).isEqualTo(bytes(number, BlobPage.BYTES));
                                    found.incrementAndGet();
                                }
                            }
                        },
                        threads));
            }
            Random random = new Random(seed);
            for (int i = 0; i < 600 || found.get() < 100; i++) {
                int number = random.nextInt(names);
                boolean unused = pages.offer(page(number), bytes(number, BlobPage.BYTES)) && pages.step();
            }
            ended.set(true);
            readers.forEach(CompletableFuture::join);
        } finally {
            ended.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void aFullDiskTurnsItOffAndItsSpaceIsGivenBack() throws Exception {
        Path disk = Files.createDirectories(temp.resolve("disk"));
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "a full disk is tested where mounting a tmpfs is permitted: run as root");
        try (DiskPages pages = DiskPages.open(disk.resolve("cache"), ENOUGH, SEGMENT)) {
            int written = 0;
            while (!pages.isOff()) {
                write(pages, written, written + 1, BlobPage.BYTES);
                written++;
            }
            assertThat(written).isBetween(5, 12);
            expectNone(pages, 0);
            assertThat(pages.bytes()).isZero();
            assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(2L << 20);
            assertThat(pages.offer(page(0), bytes(0, SMALL))).isTrue();
            assertThat(pages.step()).isFalse();
        } finally {
            assertThat(new ProcessBuilder("umount", "-l", disk.toString())
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    @Test
    void filesOfOthersStayAndDamagedSegmentsGo() throws IOException {
        Path directory = Files.createDirectories(temp.resolve("cache"));
        Path others = Files.writeString(directory.resolve("notes.txt"), "not a segment");
        Path strange = Files.write(
                directory.resolve("000000000007.pages"), bytes(1, 5_000).array());
        try (DiskPages pages = open()) {
            assertThat(others).exists();
            assertThat(strange).doesNotExist();
            write(pages, 0, 1, SMALL);
            expect(pages, 0, SMALL);
        }
    }
}
