// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.change.HeldFiles;
import io.packing.bdt.master.table.change.ReclaimedContents;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.ClaimOperations;
import io.packing.bdt.master.table.operation.OlderCopies;
import io.packing.bdt.master.table.operation.QuotaOperations;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.Unread;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mutations by which a worker's new session reclaims the files that its buffer still holds. Confined to the writer thread. */
public final class ReclaimOperations {
    private static final Logger LOG = LoggerFactory.getLogger(ReclaimOperations.class);

    private final Transaction transaction;

    public ReclaimOperations(Transaction transaction) {
        this.transaction = transaction;
    }

    public List<Optional<FileVersion>> reclaim(SessionId id, List<Reclaim> buffered) throws IOException {
        SessionRow session = transaction.checkSession(id);
        Map<Long, LostTree.Lost> lost = lost(session, buffered);
        LostFiles lostFiles = new LostFiles(transaction, session);
        List<Optional<FileVersion>> answers = new ArrayList<>(buffered.size());
        List<Long> over = new ArrayList<>();
        for (Reclaim file : buffered) {
            long fileId = file.version().id();
            Optional<Content> content = transaction.contents().get(fileId);
            Optional<Namespace.Entry> known = transaction.namespace().linked(fileId);
            if (content.isPresent()) {
                answers.add(reclaim(session, file, content.get()));
                LostTree.Lost mayBeLost = lost.get(fileId);
                if (mayBeLost != null) {
                    lostFiles.giveNames(mayBeLost);
                }
            } else if (known.isPresent()) {
                answers.add(reclaim(session, file, known.get()));
            } else {
                LostTree.Lost mayBeLost = lost.get(fileId);
                Optional<FileVersion> answer = mayBeLost == null ? Optional.empty() : lostFiles.takeBack(mayBeLost);
                if (answer.isEmpty() && file.version().generation() == 0) {
                    over.add(fileId);
                }
                answers.add(answer);
            }
        }
        noteRefused(over);
        return answers;
    }

    /**
     * Returns whether some versions may be older than a loss of the table. A worker may not have learnt the position of such a file's claim: the
     * file has the position of the loss then, which is later than the claims of other files at its path. Only the journal tells a later
     * recovery which of them is newer, and which one is kept beside the other. So the store must have the journal before their bytes.
     */
    public static boolean mayBeOlderThanALoss(Recoveries recoveries, List<Optional<FileVersion>> versions) {
        return versions.stream()
                .flatMap(Optional::stream)
                .anyMatch(version -> version.generation() <= recoveries.lossesSince());
    }

    /**
     * Notes that files without a claim's position are over. The worker may name them again from an older copy of its directory, and a later
     * recovery finds no other sign of their end. While an object is unread, it may have a change that brings them back.
     */
    private void noteRefused(List<Long> ids) throws IOException {
        if (!ids.isEmpty() && transaction.rows().get(Unread.KEY).isEmpty()) {
            transaction.change().journalRefused(new JournalEntry.Ended(ids, true));
        }
    }

    /** Ends the reclaiming of a session; returns the files that the worker came back without. */
    public HeldFiles.Count reclaimed(SessionId id) throws IOException {
        SessionRow session = transaction.checkSession(id);
        transaction.putSession(new SessionRow(id, session.address(), id.sessionEpoch(), session.buffer()));
        HeldFiles.Count lost = transaction.counters().held().floor(id.worker(), id.sessionEpoch());
        transaction.replacements().endOlder(id);
        if (session.floor() <= transaction.sessions().recoveries().lossesSince()
                && transaction.past().hasClones()) {
            // Files that came back may show in clones, whose quotas did not count them.
            new QuotaOperations(transaction, Permissions.UNCHECKED).countAll();
        }
        transaction.change().nextPosition();
        return lost;
    }

    private Optional<FileVersion> reclaim(SessionRow session, Reclaim file, Namespace.Entry known) throws IOException {
        Inode inode = known.inode();
        boolean same = file.version().generation() == 0 || file.version().generation() == inode.generation();
        boolean buffered =
                inode.place() instanceof Inode.Buffered b && b.worker().equals(session.worker());
        boolean missing = inode.place() instanceof Inode.Missing;
        if (!same || !(buffered || missing)) {
            return Optional.empty();
        }
        if (missing) {
            transaction.place(known, new Inode.Buffered(session.id(), file.deferred()));
        } else {
            ClaimOperations.owned(transaction, known, session.id());
        }
        return Optional.of(inode.version());
    }

    private Optional<FileVersion> reclaim(SessionRow session, Reclaim file, Content content) throws IOException {
        long generation = file.version().generation();
        boolean same = generation == 0 || generation == content.generation();
        boolean wanted = same
                && !(content.place() instanceof Inode.Packed)
                && ReclaimedContents.reclaim(transaction.contents(), content, session.id(), file.deferred());
        return wanted ? Optional.of(content.version()) : Optional.empty();
    }

    /** The files that a recovery may have lost, by id, each led to where it would be now. */
    private Map<Long, LostTree.Lost> lost(SessionRow session, List<Reclaim> buffered) throws IOException {
        Map<Long, LostTree.Lost> lost = new HashMap<>();
        long endedAt = Recoveries.endedAt(transaction.rows());
        Recoveries recoveries = recoveries(buffered);
        List<Reclaim> tooLate = new ArrayList<>();
        for (Reclaim file : buffered) {
            Optional<Recovered> recovery = recoveries.thatMayHaveLost(file.version(), session.floor());
            if (recovery.isEmpty()
                    || transaction.namespace().link(file.version().id()).isPresent()) {
                continue;
            }
            if (recovery.get().at() <= endedAt) {
                tooLate.add(file);
            } else {
                lost.putIfAbsent(file.version().id(), new LostTree.Lost(file, recovery.get()));
            }
        }
        if (!tooLate.isEmpty()) {
            LOG.error(
                    "worker {} comes back too late with {} files, {} among them: too much was deleted and renamed since"
                            + " the recovery that may have lost them, so they are refused",
                    session.worker(),
                    tooLate.size(),
                    tooLate.get(0).path());
        }
        if (!lost.isEmpty()) {
            datePartly(lost, buffered);
            new History(transaction.rows()).follow(List.copyOf(lost.values()));
        }
        return lost;
    }

    /**
     * Finds what is known of the claims of files without a position: they are later than what the worker knew when it sent them, and than those of
     * earlier files that it had at the same paths. Its ids grow, and so an earlier file tells that also when it is over.
     */
    private static void datePartly(Map<Long, LostTree.Lost> lost, List<Reclaim> buffered) {
        Map<FilePath, List<Reclaim>> dated = buffered.stream()
                .filter(each -> each.version().generation() > 0)
                .collect(Collectors.groupingBy(Reclaim::path));
        for (LostTree.Lost each : lost.values()) {
            if (each.file().version().generation() == 0) {
                LongStream earlier = dated.getOrDefault(each.file().path(), List.of()).stream()
                        .map(Reclaim::version)
                        .filter(version -> version.id() < each.id())
                        .mapToLong(FileVersion::generation);
                LongStream.concat(earlier, LongStream.of(each.file().claimedAfter()))
                        .filter(position -> position < each.recovery().at())
                        .max()
                        .ifPresent(each::isClaimedAfter);
            }
        }
    }

    /** The recoveries of the table, and one more if the worker has a position that only a newer state of the table can have answered. */
    private Recoveries recoveries(List<Reclaim> buffered) throws IOException {
        Recoveries known = transaction.sessions().recoveries();
        if (known.gaps().isEmpty()) {
            return known;
        }
        Optional<Recovered> gap = buffered.stream()
                .flatMapToLong(file -> LongStream.of(file.version().generation(), file.claimedAfter()))
                .mapToObj(known::gapAt)
                .flatMap(Optional::stream)
                .findFirst();
        return gap.isPresent() ? OlderCopies.settle(transaction, gap.get()) : known;
    }
}
