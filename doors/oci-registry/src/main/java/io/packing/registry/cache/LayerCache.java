// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import io.packing.cache.CachePolicy;
import io.packing.cache.SizedCache;
import io.packing.durable.DirectoryLock;
import io.packing.durable.OwnerOnly;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.BlobSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/**
 * Layers in files of a local directory, replaced by ARC (DupHunter, §4.2.4). It is the prefetch cache for layers that
 * are in the mount as they were pushed, and the preconstruct cache for those that are put together from their files.
 * Everything in it is in the mount, too, so removed layers are forgotten. A file gets its name, the digest, only when
 * its bytes had that digest. Thread-safe.
 */
public final class LayerCache implements AutoCloseable {
    private static final String LOCK = "layers.lock";
    private static final String PART = ".part";
    /** Digits of a digest that are its number for the policy. */
    private static final int NUMBER_DIGITS = 16;

    /**
     * A layer that is in the cache or on its way.
     *
     * @param filling present: it is on its way
     */
    private record Entry(Digest digest, long length, Optional<LayerDownload> filling) {}

    private final Path directory;
    private final DirectoryLock lock;
    private final CacheListener listener;
    private final SizedCache policy;
    private final Map<Long, Entry> entries = new HashMap<>();
    private long fillings;

    private LayerCache(Path directory, DirectoryLock lock, long bytes, CacheListener listener) {
        this.directory = directory;
        this.lock = lock;
        this.listener = listener;
        this.policy = CachePolicy.ARC.makeSized(bytes, this::left);
    }

    /**
     * Opens a cache with the layers that an earlier process left in it; {@link IOException} when another process has
     * it.
     */
    public static LayerCache open(LayerCacheOptions config, CacheListener listener) throws IOException {
        Path directory = OwnerOnly.directory(config.directory());
        DirectoryLock lock = DirectoryLock.acquire(directory, LOCK);
        try {
            LayerCache cache = new LayerCache(directory, lock, config.bytes(), listener);
            cache.recover();
            return cache;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private synchronized void recover() throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.list(directory)) {
            found = files.filter(file -> !file.getFileName().toString().equals(LOCK))
                    .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified())
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
        for (Path file : found) {
            String name = file.getFileName().toString();
            Optional<Digest> digest = digest(name.replaceAll("\\.[0-9]+\\.part$", ""));
            boolean half = name.endsWith(PART);
            // Files of others are left alone.
            if (digest.isPresent() && (half || !admit(new Entry(digest.get(), Files.size(file), Optional.empty())))) {
                Files.delete(file);
            }
        }
    }

    private static Optional<Digest> digest(String name) {
        try {
            return Optional.of(Digest.parse(name.replace('-', ':')));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    private Path file(Digest digest) {
        return directory.resolve(digest.algorithm().text() + "-" + digest.hex());
    }

    private static long number(Digest digest) {
        return Long.parseUnsignedLong(digest.hex().substring(0, NUMBER_DIGITS), 16);
    }

    /** Takes a layer in unless it is there, or too large, or another one has its number. */
    private boolean admit(Entry entry) {
        long number = number(entry.digest());
        if (entries.containsKey(number) || entry.length() == 0) {
            return false;
        }
        if (policy.request(number, entry.length()) == SizedCache.Answer.TOO_LARGE) {
            return false;
        }
        entries.put(number, entry);
        return true;
    }

    /** Removes a layer that the policy lets go; its readers keep their open files. */
    private void left(long number) {
        Entry entry = entries.remove(number);
        if (entry != null && entry.filling().isEmpty()) {
            delete(file(entry.digest()));
        }
    }

    private static void delete(Path file) {
        try {
            boolean unused = Files.deleteIfExists(file);
        } catch (IOException e) {
            // The file is garbage until the next process begins with the directory, and no reason to refuse a request.
            file.toFile().deleteOnExit();
        }
    }

    private synchronized Optional<Entry> find(Digest digest) {
        Entry entry = entries.get(number(digest));
        return entry != null && entry.digest().equals(digest) ? Optional.of(entry) : Optional.empty();
    }

    /** Bytes of the layers in it and on their way. */
    public synchronized long bytes() {
        return policy.bytes();
    }

    /** Layers in it and on their way. */
    public synchronized int size() {
        return entries.size();
    }

    /**
     * Returns a blob for a pull: from the cache if it is there or on its way, or else from the store, and into the
     * cache by the way.
     *
     * @param threads that take it in, if one is free: none is waited for
     */
    public BlobContent pull(Digest digest, BlobContent stored, Executor threads) {
        Optional<Entry> there = find(digest);
        if (there.isPresent()) {
            synchronized (this) {
                SizedCache.Answer unused =
                        policy.request(number(digest), there.get().length());
            }
            return content(there.get(), stored);
        }
        Optional<Entry> begun = begin(digest, stored);
        if (begun.isEmpty()) {
            return stored;
        }
        try {
            threads.execute(() -> fill(begun.get(), stored, CacheListener.Reason.PULL));
        } catch (RejectedExecutionException e) {
            giveUp(begun.get());
        }
        return stored;
    }

    /** Takes a blob in, unless it is there. */
    void prefetch(Digest digest, BlobContent stored) {
        begin(digest, stored).ifPresent(begun -> fill(begun, stored, CacheListener.Reason.PREFETCH));
    }

    /** Returns whether a blob is there, or on its way. */
    public boolean has(Digest digest) {
        return find(digest).isPresent();
    }

    /** Forgets a blob whose bytes turned out to be wrong. */
    public void drop(Digest digest) {
        find(digest).ifPresent(this::giveUp);
    }

    private Optional<Entry> begin(Digest digest, BlobContent stored) {
        synchronized (this) {
            // One that left while it was filled may still be filled.
            Path part = directory.resolve("%s.%d%s".formatted(file(digest).getFileName(), fillings++, PART));
            Entry entry = new Entry(digest, stored.length(), Optional.of(new LayerDownload(part)));
            if (!admit(entry)) {
                return Optional.empty();
            }
            try {
                Path unused = Files.createFile(part);
                return Optional.of(entry);
            } catch (IOException e) {
                giveUp(entry);
                listener.failed();
                return Optional.empty();
            }
        }
    }

    private void fill(Entry entry, BlobContent stored, CacheListener.Reason reason) {
        LayerDownload filling = entry.filling().orElseThrow();
        boolean whole = false;
        try {
            LayerFile.write(filling, stored, entry.digest());
            whole = place(entry);
            listener.filled(reason);
        } catch (IOException | RuntimeException e) {
            listener.failed();
        } finally {
            if (!whole) {
                giveUp(entry);
            }
        }
    }

    /** Gives a whole file its name; false: it left meanwhile. */
    private synchronized boolean place(Entry entry) throws IOException {
        LayerDownload filling = entry.filling().orElseThrow();
        long number = number(entry.digest());
        if (!entry.equals(entries.get(number))) {
            return false;
        }
        Files.move(filling.part(), file(entry.digest()));
        entries.put(number, new Entry(entry.digest(), entry.length(), Optional.empty()));
        return true;
    }

    private synchronized void giveUp(Entry entry) {
        long number = number(entry.digest());
        if (entry.equals(entries.get(number))) {
            entries.remove(number);
            boolean unused = policy.remove(number);
            delete(file(entry.digest()));
        }
        entry.filling().ifPresent(filling -> {
            filling.fail();
            delete(filling.part());
        });
    }

    private BlobContent content(Entry entry, BlobContent stored) {
        return new BlobContent() {
            @Override
            public long length() {
                return stored.length();
            }

            @Override
            public BlobSource source() {
                return entry.filling().isPresent() ? BlobSource.AWAITED : BlobSource.CACHED;
            }

            @Override
            public InputStream open(long position) throws IOException {
                return opened(entry, stored, position);
            }
        };
    }

    private InputStream opened(Entry entry, BlobContent stored, long position) throws IOException {
        try {
            return entry.filling().isPresent()
                    ? new CachedStream(entry.filling().get(), stored, position)
                    : LayerFile.open(file(entry.digest()), position);
        } catch (IOException e) {
            // It has left meanwhile, or the disk fails: the store has it.
            return stored.open(position);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
