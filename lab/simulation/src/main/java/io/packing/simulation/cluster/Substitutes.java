// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.cloud.NewerInStore;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.FileVersion;
import io.packing.store.ExclusivePut;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreUnavailableException;
import io.packing.store.StreamedBody;
import io.packing.worker.buffer.FileBuffer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The calls that planted defects make in place of production's. Each has the receiver, the arguments, and the object whose method makes
 * the call.
 */
public final class Substitutes {
    private Substitutes() {}

    /** Lets the buffer forget files, and commits them then. */
    public static HeartbeatReply forgetFirst(WorkerSession session, Heartbeat heartbeat, Object caller)
            throws IOException {
        try {
            Field buffer = caller.getClass().getDeclaredField("buffer");
            buffer.setAccessible(true);
            ((FileBuffer) buffer.get(caller)).forget(heartbeat.files());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the session of a worker has no buffer any more", e);
        }
        return session.heartbeat(heartbeat);
    }

    /** Puts a blob, and believes that the store has it whatever the store says. */
    public static boolean putOrBelieve(
            ObjectStore store, String key, Path file, OptionalInt checksum, Object unusedCaller) throws IOException {
        try {
            return ExclusivePut.put(store, key, file, checksum);
        } catch (StoreUnavailableException e) {
            return true;
        }
    }

    /** Puts a blob that fills, as it should be. */
    public static void putOrBelieve(
            ObjectStore store, String key, StreamedBody body, PutCondition condition, Object unusedCaller)
            throws IOException {
        store.put(key, body, condition);
    }

    /** Claims a file, and does not wait for the answer. */
    public static <T> CompletableFuture<FileVersion> notAwaited(
            CompletableFuture<T> appended, Function<T, CompletableFuture<FileVersion>> claim, Object unusedCaller) {
        CompletableFuture<FileVersion> unused = appended.thenCompose(claim);
        return appended.thenApply(done -> new FileVersion(1, 1));
    }

    /** Finds nothing that is newer than a table. */
    public static Optional<String> nothingNewer(NewerInStore unusedStore, Rows unusedTable, Object unusedCaller) {
        return Optional.empty();
    }

    /** Maps a value to none. */
    public static <T, R> Optional<R> unknown(Optional<T> unusedValue, Function<T, R> unusedMap, Object unusedCaller) {
        return Optional.empty();
    }
}
