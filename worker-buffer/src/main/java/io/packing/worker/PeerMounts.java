// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.BdtUser;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.StoreOptions;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.buffer.Appender;
import io.packing.worker.read.BatchAnswer;
import io.packing.worker.rpc.PeerServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The mounts of a worker as other processes see them. A call for a mount that is being opened waits for it. */
final class PeerMounts implements PeerServer.Served, AutoCloseable {
    private static final long OPENING_MILLIS = 30_000;

    private final Map<String, LocalMount> mounts = new HashMap<>();
    private final Set<String> opening = new TreeSet<>();

    /**
     * Notes that a mount is being opened.
     *
     * @throws IOException when the mount is already open
     */
    synchronized void opening(MountOptions options) throws IOException {
        LocalMount earlier = mounts.get(options.mountName());
        if (earlier != null && !earlier.isClosed()) {
            throw new IOException("%s is mounted by this worker already"
                    .formatted(options.store().location().text()));
        }
        opening.add(options.mountName());
    }

    synchronized void opened(LocalMount mount) {
        mounts.put(mount.options().mountName(), mount);
    }

    synchronized void openingEnded(MountOptions options) {
        opening.remove(options.mountName());
        notifyAll();
    }

    /** Returns the open mounts. */
    synchronized List<LocalMount> open() {
        return mounts.values().stream().filter(mount -> !mount.isClosed()).toList();
    }

    /** Returns the names of the mounts that are being opened. */
    synchronized List<String> openings() {
        return List.copyOf(opening);
    }

    @Override
    public Optional<ByteBuffer> read(String mount, FileVersion version, long offset, int length) throws IOException {
        Optional<LocalMount> found = find(mount);
        return found.isEmpty() ? Optional.empty() : found.get().readsForPeers().buffered(version, offset, length);
    }

    @Override
    public Optional<ByteBuffer> readStored(String mount, FileVersion version, long offset, int length)
            throws IOException {
        Optional<LocalMount> found = find(mount);
        return found.isEmpty() ? Optional.empty() : found.get().readsForPeers().stored(version, offset, length);
    }

    @Override
    public List<BatchAnswer> readBatch(String mount, List<FilePath> paths, Optional<BdtUser> user, boolean readsOn)
            throws IOException {
        return serving(mount).readsForPeers().batch(paths, user, readsOn);
    }

    @Override
    public OptionalLong readableUntil(String mount, FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        Optional<LocalMount> found = find(mount);
        return found.isEmpty()
                ? OptionalLong.empty()
                : found.get().readsForPeers().rights().readableUntil(path, version, user, offset);
    }

    @Override
    public void flush(String mount) throws IOException {
        Optional<LocalMount> found = find(mount);
        if (found.isPresent()) {
            found.get().flushOwn();
        }
    }

    @Override
    public CompletableFuture<FileVersion> put(String mount, FilePath path, CreateOptions options, ByteBuffer bytes)
            throws IOException {
        LocalMount found = serving(mount);
        if (bytes.remaining() <= found.options().write().pieceBytes()) {
            return found.put(path, options, bytes, Appender.Writer.STREAMS);
        }
        // The client has more memory for an output than this worker.
        PackingOutput output = found.createLarge(path, options);
        try {
            Channels.newChannel(output).write(bytes);
        } catch (IOException | RuntimeException e) {
            output.abort();
            throw e;
        }
        output.close();
        return CompletableFuture.completedFuture(output.version());
    }

    @Override
    public PackingOutput create(String mount, FilePath path, CreateOptions options) throws IOException {
        return serving(mount).createLarge(path, options);
    }

    /** Returns the reason why only a restart helps; empty if all mounts work. */
    synchronized Optional<String> needsRestart() {
        return mounts.values().stream()
                .filter(mount -> !mount.isClosed())
                .flatMap(mount -> mount.needsRestart().stream())
                .findFirst();
    }

    /** Returns the problems that keep this worker from its work. */
    synchronized Optional<String> problem() {
        String all = Stream.concat(
                        fenced().stream(),
                        mounts.values().stream()
                                .filter(mount -> !mount.isClosed())
                                .flatMap(mount -> mount.problem().stream()))
                .collect(Collectors.joining("\n"));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /** Returns a problem with the stores of fenced mounts: another process has taken their worker id over. */
    private Optional<String> fenced() {
        String fenced = mounts.values().stream()
                .filter(mount -> !mount.isClosed() && mount.isFenced())
                .map(mount -> mount.options().store().location().text())
                .sorted()
                .collect(Collectors.joining(", "));
        return fenced.isEmpty()
                ? Optional.empty()
                : Optional.of("mounts that another process serves under this worker's id: " + fenced);
    }

    private LocalMount serving(String mount) throws UnavailableException {
        return find(mount)
                .orElseThrow(() -> new UnavailableException("mount %s is not open at this worker".formatted(mount)));
    }

    private synchronized Optional<LocalMount> find(String name) throws UnavailableException {
        long left = OPENING_MILLIS;
        while (opening.contains(name) && left > 0) {
            long slice = Math.min(left, 1_000);
            try {
                wait(slice);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnavailableException("interrupted while mount %s opens".formatted(name), e);
            }
            left -= slice;
        }
        LocalMount found = mounts.get(name);
        return found == null || found.isClosed() ? evacuated(name) : Optional.of(found);
    }

    /** Returns the mount whose blobs are now at the store that gives this name. */
    private Optional<LocalMount> evacuated(String name) throws UnavailableException {
        for (LocalMount mount : mounts.values()) {
            if (!mount.isClosed() && placeNames(mount).anyMatch(name::equals)) {
                return Optional.of(mount);
            }
        }
        return Optional.empty();
    }

    private static Stream<String> placeNames(LocalMount mount) throws UnavailableException {
        try {
            return mount.bdt().homes(false).places().stream()
                    .map(place -> StoreOptions.from(place).location().text())
                    .map(MountOptions::nameOf);
        } catch (IOException e) {
            throw new UnavailableException("the places of a mount are not known: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        List<LocalMount> all;
        synchronized (this) {
            all = List.copyOf(mounts.values());
        }
        for (LocalMount mount : all) {
            mount.close();
        }
    }
}
