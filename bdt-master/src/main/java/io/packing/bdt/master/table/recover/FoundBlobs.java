// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.CommitOperations;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StagedFile;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.FileVersion;
import io.packing.blob.Framing;
import io.packing.blob.PackedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Blobs that were found in the store at a start after a crash, and that no worker has reported to the table. Their worker may have
 * reported them to a newer state of it, and forgotten their files. So what the table waits for is committed as a worker would; a
 * worker that does so as well changes nothing. Thread-safe until {@link #commits}.
 */
public final class FoundBlobs {
    private static final int FILES_PER_MUTATION = 1_000;

    private final Rows rows;
    private final Map<FileVersion, List<StagedFile>> parts = new LinkedHashMap<>();
    private final Map<BlobName, PushedBlob> pushed = new LinkedHashMap<>();

    /** @param rows of the table */
    public FoundBlobs(Rows rows) {
        this.rows = rows;
    }

    /** Takes what a footer lists, as far as the table has it. */
    public void add(BlobName blob, long length, Iterable<PackedFile> footer) throws IOException {
        List<PackedFile> known = new ArrayList<>();
        Framing framing = new Framing(blob.footerOffset(), length);
        for (PackedFile file : footer) {
            framing.add(file);
            long id = file.version().id();
            if (rows.get(Keys.numbered(Keys.INODE, id)).isPresent()
                    || rows.get(Keys.numbered(Keys.CONTENT, id)).isPresent()) {
                known.add(file);
            }
        }
        if (!known.isEmpty()) {
            take(new PushedBlob(blob, length, framing.bytes()), known);
        }
    }

    private synchronized void take(PushedBlob blob, List<PackedFile> known) {
        pushed.put(blob.name(), blob);
        for (PackedFile file : known) {
            parts.computeIfAbsent(file.version(), version -> new ArrayList<>()).add(new StagedFile(blob.name(), file));
        }
    }

    /** Returns what the table's writer is to do. */
    public List<Mutation<Boolean>> commits() {
        List<CommittedFile> whole = new ArrayList<>();
        Set<BlobName> incomplete = new HashSet<>();
        for (Map.Entry<FileVersion, List<StagedFile>> each : parts.entrySet()) {
            Optional<List<BlobExtent>> extents = StagedFile.complete(each.getValue());
            if (extents.isPresent()) {
                whole.add(new CommittedFile(each.getKey(), extents.get()));
            } else {
                each.getValue().forEach(part -> incomplete.add(part.blob()));
            }
        }
        if (pushed.isEmpty()) {
            return List.of();
        }
        List<Mutation<Boolean>> mutations = new ArrayList<>();
        for (int from = 0; from < whole.size(); from += FILES_PER_MUTATION) {
            List<CommittedFile> some = whole.subList(from, Math.min(whole.size(), from + FILES_PER_MUTATION));
            mutations.add(transaction -> commit(transaction, some));
        }
        mutations.add(transaction -> settle(transaction, incomplete));
        return mutations;
    }

    private static boolean commit(Transaction transaction, List<CommittedFile> files) throws IOException {
        CommitOperations commits = new CommitOperations(transaction);
        boolean any = false;
        for (CommittedFile file : files) {
            any |= commits.commit(file);
        }
        return any;
    }

    /** The worker's report of the rest of a large file settles the others. */
    private boolean settle(Transaction transaction, Set<BlobName> incomplete) throws IOException {
        for (PushedBlob blob : pushed.values()) {
            if (!incomplete.contains(blob.name())) {
                transaction.blobs().pushed(blob);
            }
        }
        return !pushed.isEmpty();
    }
}
