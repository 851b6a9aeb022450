// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.rpc.CommitBatchCodec;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The worker-local blob descriptor table (§6.2), shared by all mounts of the process: the pushes that the master has
 * not committed. A restarted worker sends them again.
 */
public final class WorkerLocalBdt {
    /**
     * The blobs and files that one push completed.
     *
     * @param number of the push, ascending within a mount
     */
    public record Push(long number, List<PushedBlob> blobs, List<CommittedFile> files) {
        public Push {
            blobs = List.copyOf(blobs);
            files = List.copyOf(files);
        }
    }

    // Keys: 'p' mount / number of the push in hexadecimal. Values: a CommitBatch of bdt.proto.
    private final SortedStore store;
    private final String prefix;
    private long next;

    private WorkerLocalBdt(SortedStore store, String mount) {
        this.store = store;
        this.prefix = "p" + mount + "/";
    }

    /** Opens the table of one mount. */
    public static WorkerLocalBdt open(SortedStore store, String mount) throws IOException {
        WorkerLocalBdt opened = new WorkerLocalBdt(store, mount);
        try (Cursor cursor = opened.rows()) {
            while (cursor.next()) {
                opened.next = opened.number(cursor) + 1;
            }
        }
        return opened;
    }

    /** Keeps a push until {@link #committed}. */
    public Push pushed(List<PushedBlob> blobs, List<CommittedFile> files) throws IOException {
        Push push;
        synchronized (this) {
            push = new Push(next++, blobs, files);
        }
        // Sync it before the heartbeat: after a loss of power the worker must not pack files again that the master
        // knows.
        byte[] row = CommitBatchCodec.toBytes(new CommitBatchCodec.Pushes(blobs, files));
        store.write(new WriteBatch().put(key(push), row), SortedStore.Sync.FSYNC);
        return push;
    }

    /** Forgets pushes. */
    public void committed(List<Push> pushes) throws IOException {
        WriteBatch batch = new WriteBatch();
        pushes.forEach(push -> batch.delete(key(push)));
        store.write(batch, SortedStore.Sync.NONE);
    }

    /** Returns the pushes without a commit, oldest first. */
    public List<Push> uncommitted() throws IOException {
        List<Push> found = new ArrayList<>();
        try (Cursor cursor = rows()) {
            while (cursor.next()) {
                CommitBatchCodec.Pushes pushes = CommitBatchCodec.fromBytes(cursor.value());
                found.add(new Push(number(cursor), pushes.blobs(), pushes.files()));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the local blob descriptor table is damaged at " + prefix, e);
        }
        return found;
    }

    private Cursor rows() throws IOException {
        byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] to = from.clone();
        to[to.length - 1]++;
        return store.scan(from, to);
    }

    private long number(Cursor cursor) {
        return HexFormat.fromHexDigitsToLong(
                new String(cursor.key(), StandardCharsets.UTF_8).substring(prefix.length()));
    }

    private byte[] key(Push push) {
        return (prefix + HexFormat.of().toHexDigits(push.number())).getBytes(StandardCharsets.UTF_8);
    }
}
