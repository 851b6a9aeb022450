// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.durable.DirectoryInUseException;
import io.packing.registry.files.BulkInputStream;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.BlobSource;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LayerCacheTest {
    private static final Executor HERE = Runnable::run;

    @TempDir
    private Path home;

    private final Counts counts = new Counts();

    private static final class Counts implements CacheListener {
        private final List<String> all = new ArrayList<>();

        @Override
        public synchronized void filled(CacheListener.Reason reason) {
            all.add(reason.name());
        }

        @Override
        public synchronized void failed() {
            all.add("failed");
        }

        @Override
        public synchronized void skipped() {
            all.add("skipped");
        }
    }

    /** A blob of the store, which counts how often it is opened. */
    private static class Stored implements BlobContent {
        final byte[] bytes;
        final Digest digest;
        int opened;

        Stored(byte[] bytes) {
            this.bytes = bytes;
            this.digest = Digest.Algorithm.SHA256.of(bytes);
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public BlobSource source() {
            return BlobSource.INTACT;
        }

        @Override
        public InputStream open(long position) throws IOException {
            opened++;
            return new ByteArrayInputStream(bytes, (int) position, bytes.length - (int) position);
        }
    }

    private static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private LayerCache open(long bytes) throws IOException {
        return LayerCache.open(new LayerCacheOptions(home, bytes, LayerCacheOptions.Users.ADDRESS), counts);
    }

    private static byte[] read(BlobContent content, long position) throws IOException {
        try (InputStream in = content.open(position)) {
            return in.readAllBytes();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void whatWasPulledOnceComesFromTheCache() throws Exception {
        Stored blob = new Stored(bytes(700_000, 1));
        try (LayerCache cache = open(1 << 20)) {
            assertThat(read(cache.pull(blob.digest, blob, HERE), 0)).isEqualTo(blob.bytes);
            int before = blob.opened;
            BlobContent again = cache.pull(blob.digest, blob, HERE);
            assertThat(again.source()).isEqualTo(BlobSource.CACHED);
            assertThat(read(again, 0)).isEqualTo(blob.bytes);
            assertThat(read(again, 699_999)).containsExactly(blob.bytes[699_999]);
            assertThat(blob.opened).isEqualTo(before);
            assertThat(counts.all).containsExactly("PULL");
        }
    }

    @Test
    void whatIsFetchedAheadIsReadFromTheCacheAtFirst() throws Exception {
        Stored blob = new Stored(bytes(300_000, 2));
        try (LayerCache cache = open(1 << 20)) {
            cache.prefetch(blob.digest, blob);
            cache.prefetch(blob.digest, blob);
            assertThat(read(cache.pull(blob.digest, blob, HERE), 0)).isEqualTo(blob.bytes);
            assertThat(blob.opened).isOne();
            assertThat(counts.all).containsExactly("PREFETCH");
        }
    }

    /** A store that gives some bytes and then waits for the test. */
    private static final class Slow extends Stored {
        final CountDownLatch goOn = new CountDownLatch(1);
        private final boolean breaks;

        Slow(byte[] bytes, boolean breaks) {
            super(bytes);
            this.breaks = breaks;
        }

        @Override
        public InputStream open(long position) throws IOException {
            InputStream in = super.open(position);
            if (opened > 1) {
                return in;
            }
            return new BulkInputStream() {
                private int given;

                @Override
                public int read(byte[] into, int offset, int count) throws IOException {
                    if (given >= bytes.length / 2) {
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        if (breaks) {
                            throw new IOException("injected");
                        }
                    }
                    int n = in.read(into, offset, Math.min(count, 1_000));
                    given += Math.max(0, n);
                    return n;
                }
            };
        }
    }

    private void pulledWhileItIsFetched(boolean breaks) throws Exception {
        Slow blob = new Slow(bytes(100_000, 3), breaks);
        try (LayerCache cache = open(1 << 20)) {
            CompletableFuture<Void> fetch = CompletableFuture.runAsync(
                    () -> cache.prefetch(blob.digest, blob), task -> new Thread(task).start());
            while (!cache.has(blob.digest)) {
                Thread.onSpinWait();
            }
            BlobContent pulled = cache.pull(blob.digest, blob, HERE);
            assertThat(pulled.source()).isEqualTo(BlobSource.AWAITED);
            try (InputStream in = pulled.open(0)) {
                // The first half comes while the second does not.
                assertThat(in.readNBytes(50_000)).isEqualTo(Arrays.copyOf(blob.bytes, 50_000));
                blob.goOn.countDown();
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(blob.bytes, 50_000, 100_000));
            }
            fetch.join();
            assertThat(blob.opened).isEqualTo(breaks ? 2 : 1);
            assertThat(cache.has(blob.digest)).isEqualTo(!breaks);
            assertThat(files()).hasSize(breaks ? 0 : 1);
            assertThat(cache.bytes()).isEqualTo(breaks ? 0 : 100_000);
        }
    }

    @Test
    void aPullReadsWhatAFetchHasSoFarAndWaitsForTheRest() throws Exception {
        pulledWhileItIsFetched(false);
    }

    @Test
    void aPullGoesOnFromTheStoreWhenTheFetchBreaks() throws Exception {
        pulledWhileItIsFetched(true);
    }

    @Test
    void bytesOfAnotherDigestAreNotKept() throws Exception {
        Stored blob = new Stored(bytes(10_000, 4));
        Digest other = Digest.Algorithm.SHA256.of(new byte[] {1});
        try (LayerCache cache = open(1 << 20)) {
            cache.prefetch(other, blob);
            assertThat(cache.has(other)).isFalse();
            assertThat(files()).isEmpty();
            assertThat(counts.all).containsExactly("failed");
        }
    }

    @Test
    void theDiskHoldsNoMoreThanTheCapacityAndWhatItHoldsIsRight() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        List<Stored> blobs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            blobs.add(new Stored(bytes(1 + random.nextInt(30_000), random.nextLong())));
        }
        try (LayerCache cache = open(100_000)) {
            for (int i = 0; i < 500; i++) {
                Stored blob = blobs.get((int) Math.min(29, Math.abs(random.nextGaussian() * 12)));
                if (random.nextInt(3) == 0) {
                    cache.prefetch(blob.digest, blob);
                }
                assertThat(read(cache.pull(blob.digest, blob, HERE), 0)).isEqualTo(blob.bytes);
                long held = 0;
                for (String name : files()) {
                    held += Files.size(home.resolve(name));
                }
                assertThat(held).isEqualTo(cache.bytes()).isLessThanOrEqualTo(100_000);
                assertThat(files()).hasSize(cache.size());
            }
        }
    }

    @Test
    void theNextProcessKeepsWholeLayersAndNoHalfOnes() throws Exception {
        Stored kept = new Stored(bytes(5_000, 5));
        Stored large = new Stored(bytes(90_000, 6));
        Path half = home.resolve("sha256-" + large.digest.hex() + ".7.part");
        try (LayerCache cache = open(100_000)) {
            cache.prefetch(kept.digest, kept);
            assertThatThrownBy(() -> open(100_000)).isInstanceOf(DirectoryInUseException.class);
        }
        Files.write(half, new byte[10]);
        Files.write(home.resolve("sha256-" + large.digest.hex()), large.bytes);
        Path others = Files.write(home.resolve("somebody-elses"), new byte[10]);
        try (LayerCache cache = open(50_000)) {
            assertThat(cache.has(kept.digest)).isTrue();
            assertThat(cache.has(large.digest)).as("larger than the cache").isFalse();
            assertThat(cache.bytes()).isEqualTo(5_000);
            assertThat(half).doesNotExist();
            assertThat(others).exists();
        }
    }

    @Test
    void whatWasFoundToBeWrongIsForgotten() throws Exception {
        Stored blob = new Stored(bytes(5_000, 7));
        try (LayerCache cache = open(100_000)) {
            cache.prefetch(blob.digest, blob);
            cache.drop(blob.digest);
            assertThat(cache.has(blob.digest)).isFalse();
            assertThat(files()).isEmpty();
            assertThat(cache.bytes()).isZero();
        }
    }

    @Test
    void aPullWaitsForNoThread() throws Exception {
        Stored blob = new Stored(bytes(5_000, 8));
        try (LayerCache cache = open(100_000)) {
            BlobContent pulled = cache.pull(blob.digest, blob, task -> {
                throw new RejectedExecutionException("all are busy");
            });
            assertThat(read(pulled, 0)).isEqualTo(blob.bytes);
            assertThat(cache.has(blob.digest)).isFalse();
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void aLayerThatLeavesWhileItIsReadIsReadToItsEnd() throws Exception {
        Stored blob = new Stored(bytes(60_000, 9));
        try (LayerCache cache = open(100_000)) {
            cache.prefetch(blob.digest, blob);
            BlobContent pulled = cache.pull(blob.digest, blob, HERE);
            try (InputStream in = pulled.open(0)) {
                assertThat(in.readNBytes(10)).isEqualTo(Arrays.copyOf(blob.bytes, 10));
                cache.drop(blob.digest);
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(blob.bytes, 10, 60_000));
            }
            assertThat(read(pulled, 0)).as("opened after it left").isEqualTo(blob.bytes);
        }
    }
}
