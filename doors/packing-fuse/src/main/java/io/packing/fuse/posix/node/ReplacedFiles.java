// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.posix.node.NodeNames.NodeKey;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The opens that failed with ESTALE since a rename had replaced the file between the lookup and the open. The kernel
 * then looks up the name again and opens the new file, and does so once. So this class pins the result of such a
 * repeated lookup: its open succeeds, even if that file was replaced meanwhile. Thread-safe.
 */
public final class ReplacedFiles {
    private static final int MOST = 64;
    /** The time for the repeated lookup: the kernel looks up at once, but a busy machine may delay it. */
    private static final Duration KEPT = Duration.ofSeconds(10);
    /** The number of versions that may go before their bytes were read. */
    private static final int TRIES = 16;

    /** A file version that a lookup found and that can be read from now on. */
    public record Found(FileStatus status, PackingInput input) {}

    /** The refused threads, by their numbers. */
    private final Cache<Integer, Caller> refused;
    /** The names that they used: threads that look up one name at the same time share an answer. */
    private final Cache<NodeKey, Caller> names;
    /** The file versions that lookups of these names found, by the numbers of nodes. */
    private final Cache<Long, Found> pinned;

    ReplacedFiles(LongSupplier nanoTime) {
        Ticker ticker = new Ticker() {
            @Override
            public long read() {
                return nanoTime.getAsLong();
            }
        };
        this.refused = cache(ticker);
        this.names = cache(ticker);
        this.pinned = cache(ticker);
    }

    private static <K, V> Cache<K, V> cache(Ticker ticker) {
        return CacheBuilder.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(KEPT)
                .ticker(ticker)
                .build();
    }

    /** Notes that an open of a thread failed, since another file has the name now. */
    public void refuse(Caller caller, NodeKey name) {
        if (caller.process() != 0) {
            refused.put(caller.process(), caller);
            names.put(name, caller);
        }
    }

    /** Returns whether a lookup of a name may repeat an earlier one. */
    public boolean isAskedAgain(Node parent, String name) {
        return names.getIfPresent(new NodeKey(parent.number, name)) != null;
    }

    private boolean isRefused(Caller caller) {
        return refused.getIfPresent(caller.process()) != null;
    }

    /**
     * Finds the file at a path, and makes sure that it can be read; empty: the path has no file, or it changes too
     * often.
     */
    public static Optional<Found> find(OpenMount open, FilePath path) throws IOException {
        PackingFileSystem mount = open.mount;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<LocatedFile> located = open.locate(path);
            if (located.isEmpty()) {
                return Optional.empty();
            }
            PackingInput input = mount.open(located.get());
            try {
                PackingInput readable =
                        open.pinned.isNeededFor(located.get()) ? PinnedInput.read(input, () -> {}) : input;
                return Optional.of(new Found(located.get().status(), readable));
            } catch (FileNotFoundException e) {
                input.close();
            }
        }
        return Optional.empty();
    }

    /** Keeps the result of a repeated lookup for its open. */
    public void keep(long node, Found found) {
        pinned.put(node, found);
    }

    /** Returns the result of a repeated lookup, for a thread whose earlier open was refused. */
    public Optional<Found> found(Caller caller, Node node) {
        return isRefused(caller) ? Optional.ofNullable(pinned.getIfPresent(node.number)) : Optional.empty();
    }

    /** Notes that the open of a thread succeeded. */
    public void succeed(Caller caller) {
        if (isRefused(caller)) {
            refused.invalidate(caller.process());
        }
    }
}
