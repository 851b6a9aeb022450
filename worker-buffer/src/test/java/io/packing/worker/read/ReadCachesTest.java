// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.durable.DirectoryLock;
import io.packing.seed.Seed;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The mounts that share a cache, and its disk when that works and when it does not. */
@Timeout(120)
@Tag("process")
final class ReadCachesTest {
    private static final int SIZE = 3_000_000;
    private static final BlobName BLOB = new BlobName("w", SIZE, 1_700_000_000_000_000L);

    private final long seed = Seed.value();
    private final byte[] body = new byte[SIZE];
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final FaultyObjectStore store =
            new FaultyObjectStore(objects, new Random(seed), FaultyObjectStore.Rates.NONE);
    private final AtomicInteger onDisk = new AtomicInteger();
    private final AtomicInteger missed = new AtomicInteger();
    private final AtomicInteger damagedOnDisk = new AtomicInteger();
    private final AtomicInteger damaged = new AtomicInteger();

    private final PageListener counting = new PageListener() {
        @Override
        public void damaged() {
            damaged.incrementAndGet();
        }

        @Override
        public void diskPage(boolean found) {
            (found ? onDisk : missed).incrementAndGet();
        }

        @Override
        public void diskDamaged() {
            damagedOnDisk.incrementAndGet();
        }
    };

    @TempDir
    private Path temp;

    @BeforeEach
    void putBlob() throws IOException {
        new Random(seed).nextBytes(body);
        objects.put(BlobName.FOLDER + BLOB.key(), ByteBuffer.wrap(body), PutCondition.IF_ABSENT);
    }

    private MountOptions options(String... more) {
        Map<String, String> raw = new HashMap<>();
        raw.put("packing.store", temp.resolve("store").toUri().toString());
        for (int i = 0; i < more.length; i += 2) {
            raw.put(more[i], more[i + 1]);
        }
        return MountOptions.from(raw);
    }

    private MountOptions withDisk(Path directory) {
        return options("packing.read.disk.bytes", "16MB", "packing.read.disk.dir", directory.toString());
    }

    private BlobPages open(ReadCaches caches, MountOptions options) throws IOException {
        return caches.open(options, store, counting);
    }

    private BlobExtent extent(int offset, int length) {
        ByteBuffer bytes = ByteBuffer.wrap(body, offset, length).slice();
        return new BlobExtent(BLOB, new Extent(0, length, offset, length, Codec.NONE, ExtentCodec.crc32c(bytes)));
    }

    private void readAll(BlobPages pages) throws IOException {
        for (int offset = 0; offset < SIZE; offset += 700_000) {
            int length = Math.min(700_000, SIZE - offset);
            assertThat(pages.extents().read(1, extent(offset, length)))
                    .as("seed %d, offset %d", seed, offset)
                    .isEqualTo(ByteBuffer.wrap(body, offset, length));
        }
    }

    private void storeIsDown() {
        store.failNext(RequestKind.GET, Fault.BEFORE, 1_000);
    }

    private Path segment(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".pages"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void mountsOfOneStoreWithTheSameLimitsShareACache() throws IOException {
        ReadCaches caches = new ReadCaches();
        try (BlobPages first = open(caches, options());
                BlobPages second = open(caches, options("packing.threads", "3"));
                BlobPages larger = open(caches, options("packing.read.cache.bytes", "1GB"));
                BlobPages others =
                        open(caches, options("packing.s3.access.key", "somebody", "packing.s3.secret.key", "elses"))) {
            assertThat(first.cache()).isSameAs(second.cache());
            assertThat(larger.cache()).isNotSameAs(first.cache());
            assertThat(others.cache()).isNotSameAs(first.cache());
        }
    }

    @Test
    void afterARestartTheDiskAnswersWithoutTheStore() throws IOException {
        Path disk = temp.resolve("disk");
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
            assertThat(onDisk).hasValue(0);
            assertThat(missed).hasPositiveValue();
        }
        storeIsDown();
        missed.set(0);
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
            assertThat(onDisk).hasValue((SIZE + (256 << 10) - 1) / (256 << 10));
            assertThat(missed).hasValue(0);
            assertThat(pages.cache().diskBytes()).isBetween((long) SIZE, SIZE + 10_000L);
        }
    }

    @Test
    void aDamagedPageOfTheDiskIsFetchedAndCounted() throws IOException {
        Path disk = temp.resolve("disk");
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
        }
        try (FileChannel channel = FileChannel.open(segment(disk), StandardOpenOption.WRITE)) {
            assertThat(channel.write(ByteBuffer.allocate(10), 100_000)).isEqualTo(10);
        }
        for (int restart = 0; restart < 2; restart++) {
            try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
                readAll(pages);
                assertThat(damagedOnDisk).hasValue(1);
                assertThat(damaged).as("of the store").hasValue(0);
            }
            // The page was removed, and written again.
            storeIsDown();
        }
    }

    @Test
    void whatWasDamagedOnTheWayIsNotKeptOnTheDisk() throws IOException {
        Path disk = temp.resolve("disk");
        store.failNext(RequestKind.GET, Fault.FLIPPED_READ, 1);
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
            assertThat(damaged).hasPositiveValue();
        }
        int before = damaged.get();
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
            assertThat(damaged).hasValue(before);
        }
    }

    @Test
    void aDirectoryThatSomebodyElseHasLeavesTheReadsToTheStore() throws IOException {
        Path disk = temp.resolve("disk");
        try (BlobPages first = open(new ReadCaches(), withDisk(disk));
                BlobPages second = open(new ReadCaches(), withDisk(disk))) {
            readAll(first);
            readAll(second);
            assertThat(first.cache().disk().isOn()).isTrue();
            assertThat(second.cache().disk().isOn()).isFalse();
            assertThat(second.cache().diskBytes()).isZero();
        }
        try (Stream<Path> homes = Files.list(disk)) {
            Path home = homes.findFirst().orElseThrow();
            DirectoryLock lock = DirectoryLock.acquire(home, "LOCK");
            lock.close();
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeLeavesTheReadsToTheStore() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "no directory");
        try (BlobPages pages = open(new ReadCaches(), withDisk(file.resolve("disk")))) {
            readAll(pages);
            assertThat(pages.cache().disk().isOn()).isFalse();
        }
    }

    @Test
    void aDiskThatFillsUpLeavesTheReadsToTheStore() throws Exception {
        Path disk = Files.createDirectories(temp.resolve("small"));
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "a full disk is tested where mounting a tmpfs is permitted: run as root");
        try (BlobPages pages = open(new ReadCaches(), withDisk(disk))) {
            readAll(pages);
            while (pages.cache().disk().isOn()) {
                // The writing thread is about to learn it.
                Thread.onSpinWait();
            }
            // Memory has no page of it any more.
            pages.cache().pages().synchronous().invalidateAll();
            readAll(pages);
        } finally {
            assertThat(new ProcessBuilder("umount", "-l", disk.toString())
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    @Test
    void impossibleDisksAreRefusedByName() {
        assertThatThrownBy(() -> options("packing.read.disk.bytes", "1GB"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing.read.disk.dir");
        assertThatThrownBy(() -> options("packing.read.disk.bytes", "1MB", "packing.read.disk.dir", temp.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing.read.disk.bytes")
                .hasMessageContaining("16MB");
    }

    @Test
    void anInterruptedReaderFailsNobodyElse() throws Exception {
        ReadCaches caches = new ReadCaches();
        try (BlobPages pages = open(caches, options());
                FaultyObjectStore.Gate gate = store.holdNext(RequestKind.GET)) {
            FutureTask<ByteBuffer> fetching =
                    new FutureTask<>(() -> pages.extents().read(1, extent(0, 1_000)));
            Thread thread = new Thread(fetching, "interrupted-reader");
            thread.start();
            gate.awaitArrival();
            List<CompletableFuture<ByteBuffer>> waiting =
                    Stream.generate(() -> later(pages)).limit(3).toList();
            thread.interrupt();
            assertThatThrownBy(fetching::get).isInstanceOf(ExecutionException.class);
            for (CompletableFuture<ByteBuffer> each : waiting) {
                assertThat(each.join()).isEqualTo(ByteBuffer.wrap(body, 0, 1_000));
            }
        }
    }

    @Test
    void aMountWhoseStoreFailsDoesNotFailAnother() throws Exception {
        ReadCaches caches = new ReadCaches();
        FaultyObjectStore closing = new FaultyObjectStore(objects, new Random(seed), FaultyObjectStore.Rates.NONE);
        try (BlobPages first = caches.open(options(), closing, counting);
                BlobPages second = open(caches, options())) {
            closing.failNext(RequestKind.GET, Fault.BEFORE, 1);
            FaultyObjectStore.Gate gate = closing.holdNext(RequestKind.GET);
            CompletableFuture<ByteBuffer> failing = later(first);
            gate.awaitArrival();
            CompletableFuture<ByteBuffer> waiting = later(second);
            gate.close();
            assertThat(waiting.join()).isEqualTo(ByteBuffer.wrap(body, 0, 1_000));
            assertThat(failing).failsWithin(Duration.ofMinutes(1));
        }
    }

    private CompletableFuture<ByteBuffer> later(BlobPages pages) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return pages.extents().read(1, extent(0, 1_000));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
