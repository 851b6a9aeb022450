// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The writers that wait until their files are committed, or gone. Thread-safe. */
public final class UploadWaiters {
    /** The files in the buffer. */
    interface Buffered {
        Optional<BufferedFile> find(long fileId) throws IOException;
    }

    private final Buffered buffered;
    private final BufferSpace space;
    private final Map<Long, CompletableFuture<Void>> waiting = new HashMap<>();
    private Optional<Supplier<IOException>> halted = Optional.empty();

    UploadWaiters(Buffered buffered, BufferSpace space) {
        this.buffered = buffered;
        this.space = space;
    }

    /** Returns a future that completes when a granted file is committed, or was deleted before. */
    public CompletableFuture<Void> of(BufferedFile file) {
        // Add the waiter before the look: a thread that removes the file in between then finds it.
        CompletableFuture<Void> waiter = waiter(file.id());
        try {
            Optional<BufferedFile> there = buffered.find(file.id());
            if (there.isEmpty()) {
                done(file);
                return CompletableFuture.completedFuture(null);
            }
            if (there.get().is(BufferedFile.State.DAMAGED)) {
                damaged(file);
                return CompletableFuture.failedFuture(damage(file));
            }
            return waiter;
        } catch (IOException e) {
            take(file.id()).ifPresent(taken -> taken.completeExceptionally(e));
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized CompletableFuture<Void> waiter(long fileId) {
        return halted.isPresent()
                ? CompletableFuture.failedFuture(halted.get().get())
                : waiting.computeIfAbsent(fileId, id -> new CompletableFuture<>());
    }

    /** Completes the waiters of a file that left the buffer. */
    void done(BufferedFile file) {
        take(file.id()).ifPresent(waiter -> waiter.complete(null));
    }

    /** Fails the waiters of a file that is never uploaded. */
    void damaged(BufferedFile file) {
        take(file.id()).ifPresent(waiter -> waiter.completeExceptionally(damage(file)));
    }

    private static IOException damage(BufferedFile file) {
        return new IOException(
                "%s is damaged in the buffer and cannot be uploaded: write it again; the disk may be failing"
                        .formatted(file.path()));
    }

    /** Fails all writers that wait for uploads or space, now and later, since no file leaves the buffer any more. */
    public void halt(Supplier<IOException> why) {
        space.halt(why);
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            halted = Optional.of(why);
            all = List.copyOf(waiting.values());
            waiting.clear();
        }
        all.forEach(waiter -> waiter.completeExceptionally(why.get()));
    }

    /** Lets writers wait again, since files leave the buffer again. */
    public synchronized void resume() {
        space.resume();
        halted = Optional.empty();
    }

    private synchronized Optional<CompletableFuture<Void>> take(long fileId) {
        return Optional.ofNullable(waiting.remove(fileId));
    }
}
