// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.CommitOperations;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Blobs that were found in the store at a start after a crash, and that no worker has reported to the table. Their worker may have
 * reported them to a newer state of it, and forgotten their files. So what the table waits for is committed as a worker would; a
 * worker that does so as well changes nothing. It also waits for what an earlier recovery may have lost: such a file may have come back
 * to the newer state only. Thread-safe until {@link #commits}.
 */
public final class FoundBlobs {
    private static final int FILES_PER_MUTATION = 1_000;

    private final Rows rows;
    private final Map<FileVersion, List<StagedFile>> parts = new LinkedHashMap<>();
    /** The files that the table does not know. */
    private final Map<FileVersion, List<StagedFile>> unknown = new LinkedHashMap<>();

    private final boolean recovered;
    private final Map<BlobName, PushedBlob> found = new LinkedHashMap<>();
    /** The blobs that have bytes of the table's files. */
    private final Set<BlobName> used = new LinkedHashSet<>();

    /** @param rows of the table */
    public FoundBlobs(Rows rows) throws IOException {
        this.rows = rows;
        this.recovered = Recoveries.load(rows).lossesSince() > 0;
    }

    /** Takes what a footer lists, as far as the table has it. */
    public void add(BlobName blob, long length, Iterable<PackedFile> footer) throws IOException {
        List<PackedFile> known = new ArrayList<>();
        List<PackedFile> others = new ArrayList<>();
        Framing framing = new Framing(blob.footerOffset(), length);
        for (PackedFile file : footer) {
            framing.add(file);
            long id = file.version().id();
            if (rows.get(Keys.numbered(Keys.INODE, id)).isPresent()
                    || rows.get(Keys.numbered(Keys.CONTENT, id)).isPresent()) {
                known.add(file);
            } else if (recovered && !blob.worker().equals(BlobRow.COMPACTED)) {
                others.add(file);
            }
        }
        if (!known.isEmpty() || !others.isEmpty()) {
            take(new PushedBlob(blob, length, framing.bytes()), known, others);
        }
    }

    private synchronized void take(PushedBlob blob, List<PackedFile> known, List<PackedFile> others) {
        found.put(blob.name(), blob);
        stage(blob.name(), known, parts);
        stage(blob.name(), others, unknown);
    }

    private static void stage(BlobName blob, List<PackedFile> files, Map<FileVersion, List<StagedFile>> into) {
        for (PackedFile file : files) {
            into.computeIfAbsent(file.version(), version -> new ArrayList<>()).add(new StagedFile(blob, file));
        }
    }

    /** Returns what the table's writer is to do. */
    public List<Mutation<Boolean>> commits() {
        Set<BlobName> incomplete = new HashSet<>();
        List<CommittedFile> whole = whole(parts, incomplete);
        List<CommittedFile> others = whole(unknown, new HashSet<>());
        if (found.isEmpty()) {
            return List.of();
        }
        List<Mutation<Boolean>> mutations = new ArrayList<>();
        for (int from = 0; from < whole.size(); from += FILES_PER_MUTATION) {
            List<CommittedFile> some = whole.subList(from, Math.min(whole.size(), from + FILES_PER_MUTATION));
            mutations.add(transaction -> commit(transaction, some));
        }
        parts.values().forEach(each -> each.forEach(part -> used.add(part.blob())));
        for (int from = 0; from < others.size(); from += FILES_PER_MUTATION) {
            List<CommittedFile> some = others.subList(from, Math.min(others.size(), from + FILES_PER_MUTATION));
            mutations.add(transaction -> takeBack(transaction, some));
        }
        mutations.add(transaction -> settle(transaction, incomplete));
        return mutations;
    }

    private static List<CommittedFile> whole(Map<FileVersion, List<StagedFile>> staged, Set<BlobName> incomplete) {
        List<CommittedFile> whole = new ArrayList<>();
        for (Map.Entry<FileVersion, List<StagedFile>> each : staged.entrySet()) {
            Optional<List<BlobExtent>> extents = StagedFile.complete(each.getValue());
            if (extents.isPresent()) {
                whole.add(new CommittedFile(each.getKey(), extents.get()));
            } else {
                each.getValue().forEach(part -> incomplete.add(part.blob()));
            }
        }
        return whole;
    }

    /** Takes files back that a recovery may have lost, as if their worker named them, and commits them. */
    private boolean takeBack(Transaction transaction, List<CommittedFile> files) throws IOException {
        long endedAt = Recoveries.endedAt(transaction.rows());
        Map<CommittedFile, LostTree.Lost> lost = new LinkedHashMap<>();
        for (CommittedFile file : files) {
            StagedFile part =
                    Objects.requireNonNull(unknown.get(file.version())).get(0);
            Optional<Recovered> by = transaction
                    .sessions()
                    .recoveries()
                    .thatMayHaveLost(file.version(), owner(transaction, part).floor());
            if (by.isPresent()
                    && by.get().at() > endedAt
                    && transaction.namespace().link(file.version().id()).isEmpty()
                    && transaction.contents().get(file.version().id()).isEmpty()) {
                Reclaim reclaim = new Reclaim(
                        file.version(), part.file().path(), part.file().attributes());
                lost.put(file, new LostTree.Lost(reclaim, by.get()));
            }
        }
        if (lost.isEmpty()) {
            return false;
        }
        new History(transaction.rows()).follow(List.copyOf(lost.values()));
        CommitOperations commits = new CommitOperations(transaction);
        boolean any = false;
        for (Map.Entry<CommittedFile, LostTree.Lost> each : lost.entrySet()) {
            CommittedFile file = each.getKey();
            List<StagedFile> staged = Objects.requireNonNull(unknown.get(file.version()));
            boolean isBack = new LostFiles(transaction, owner(transaction, staged.get(0)))
                    .takeBack(each.getValue())
                    .filter(file.version()::equals)
                    .isPresent();
            if (isBack && commits.commit(file)) {
                staged.forEach(part -> used.add(part.blob()));
                any = true;
            }
        }
        return any;
    }

    /** Returns the session of a blob's worker, of which a table that is older may know nothing. */
    private static SessionRow owner(Transaction transaction, StagedFile part) {
        String worker = part.blob().worker();
        long floor = transaction.session(worker).map(SessionRow::floor).orElse(0L);
        return new SessionRow(new SessionId(worker, 0), "", floor, "");
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
        for (BlobName name : used) {
            if (!incomplete.contains(name)) {
                transaction.blobs().pushed(Objects.requireNonNull(found.get(name)));
            }
        }
        return !used.isEmpty();
    }
}
