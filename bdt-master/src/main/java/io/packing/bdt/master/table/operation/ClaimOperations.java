// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.master.table.change.ReclaimedContents;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ContentHashes;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The mutation by which workers make files. Confined to the writer thread. */
public final class ClaimOperations {
    private final Transaction transaction;
    private final NamespaceOperations directories;
    private final Claimants claimants;

    public ClaimOperations(Transaction transaction, NamespaceOperations directories) {
        this(transaction, directories, Claimants.ANYBODY);
    }

    /** @param claimants those for whom files are claimed */
    public ClaimOperations(Transaction transaction, NamespaceOperations directories, Claimants claimants) {
        this.transaction = transaction;
        this.directories = directories;
        this.claimants = claimants;
    }

    public List<ClaimResult> claim(SessionId session, List<Claim> claims) throws IOException {
        transaction.checkSession(session);
        List<ClaimResult> results = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            results.add(claim(session, claim));
        }
        return results;
    }

    private ClaimResult claim(SessionId session, Claim claim) throws IOException {
        if (claim.path().isRoot()) {
            return new ClaimResult.Refused(Outcome.IS_A_DIRECTORY);
        }
        if (!transaction.unclaimed().contains(claim.fileId())) {
            Optional<ClaimResult> answer = answerBefore(session, claim);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        if (claim.fileId() >= transaction.change().freeId()) {
            throw new IllegalArgumentException("file id %d was never leased".formatted(claim.fileId()));
        }
        if (claim.path().whyNotCreatable().isPresent()) {
            // The worker has said why before it wrote anything; this is for a client that speaks the protocol by hand.
            return new ClaimResult.Refused(Outcome.INVALID);
        }
        Outcome impossible = ExtraAttributes.NONE.problem(claim.extra().extended());
        if (impossible != Outcome.DONE) {
            return new ClaimResult.Refused(impossible);
        }
        Permissions permissions = claimants.of(claim.user());
        if (!permissions.isChecked()) {
            return place(session, permissions, claim, transaction.toChange(claim.path()));
        }
        Target target;
        Claim own;
        try {
            target = permissions.reach(transaction.namespace(), claim.path());
            own = checked(target, claim);
            permissions.privileges().checkExtended(claim.path(), own.attributes(), false, claim.extra());
        } catch (DeniedException e) {
            return new ClaimResult.Refused(Outcome.DENIED, String.valueOf(e.getMessage()));
        }
        ClaimResult result =
                place(session, permissions, own, transaction.toChange(target).found());
        // What waits is not there yet, and its footer says whom the file belongs to.
        if (result instanceof ClaimResult.Granted && !own.equals(claim) && !claim.deferred()) {
            directories.journalGiven(own.path(), claim.attributes(), own.attributes(), RareAttributeChange.NONE);
        }
        return result;
    }

    /** The claim as its user may make it: of a file that belongs to them. */
    private static Claim checked(Target target, Claim claim) throws IOException {
        Optional<Inode> there = target.inode();
        if (there.isEmpty() || (claim.overwrite() && !there.get().isDirectory())) {
            target.createOrReplace();
        }
        return claim.with(target.given(claim.attributes()));
    }

    /** @param there the entry at the claim's path, which can be changed where it is */
    private ClaimResult place(SessionId session, Permissions user, Claim claim, ResolvedPath there) throws IOException {
        ResolvedPath found = there;
        if (found.problem() == Outcome.NO_PARENT && claim.createParents()) {
            Optional<ClaimResult> tooMuch =
                    tooMuch(found, 1 + missing(claim.path()), claim.attributes().length());
            if (tooMuch.isPresent()) {
                return tooMuch.get();
            }
            Outcome made = directories.makeParents(
                    claim.path(),
                    impliedDirectory(claim.attributes()),
                    claim.attributes().mtimeMillis(),
                    true,
                    OptionalLong.empty());
            if (made != Outcome.DONE) {
                return new ClaimResult.Refused(made);
            }
            found = transaction.toChange(claim.path());
        }
        if (found.problem() != Outcome.DONE) {
            return new ClaimResult.Refused(found.problem());
        }
        boolean lost =
                found.inode().isPresent() && isLost(found.link(), found.inode().get());
        Outcome free = found.inode().isEmpty() || lost
                ? Outcome.DONE
                : replaceable(found.inode().get(), claim);
        if (free != Outcome.DONE) {
            return new ClaimResult.Refused(free);
        }
        Optional<ClaimResult> tooMuch = tooMuch(claim, found, lost);
        if (tooMuch.isPresent()) {
            return tooMuch.get();
        }
        return claim.shared() ? share(user, claim) : grant(session, claim, found, lost);
    }

    /** The refusal of a claim that a quota does not take. */
    private Optional<ClaimResult> tooMuch(Claim claim, ResolvedPath found, boolean lost) throws IOException {
        long length = claim.attributes().length();
        if (found.inode().isEmpty()) {
            return tooMuch(found, 1, length);
        }
        boolean waits = claim.deferred() && !lost;
        return tooMuch(
                found,
                0,
                waits ? length : length - QuotaUse.of(found.inode().get()).bytes());
    }

    private Optional<ClaimResult> tooMuch(ResolvedPath in, int names, long bytes) throws IOException {
        return transaction
                .quotas()
                .whyNot(in.parent(), new QuotaUse(names, bytes))
                .map(why -> new ClaimResult.Refused(why.reason(), String.valueOf(why.getMessage())));
    }

    /** Returns the number of missing directories above a path. */
    private int missing(FilePath path) throws IOException {
        int missing = 0;
        for (Optional<FilePath> up = path.parent();
                up.isPresent() && transaction.namespace().find(up.get()).inode().isEmpty();
                up = up.get().parent()) {
            missing++;
        }
        return missing;
    }

    private static Outcome replaceable(Inode there, Claim claim) {
        if (there.isDirectory()) {
            return Outcome.IS_A_DIRECTORY;
        }
        return claim.overwrite() ? Outcome.DONE : Outcome.EXISTS;
    }

    /** @param lost whether the file that is there is lost */
    private ClaimResult grant(SessionId session, Claim claim, ResolvedPath found, boolean lost) throws IOException {
        Inode.Place place = new Inode.Buffered(session, claim.deferred());
        Inode inode = new Inode(
                claim.fileId(), transaction.change().nextPosition(), claim.attributes(), place, extras(claim));
        if (claim.deferred() && found.inode().isPresent() && !lost) {
            transaction.addWaiting(found.link(), inode);
        } else {
            put(found, inode);
        }
        if (!claim.extra().isNone()) {
            // A footer does not tell it.
            directories.journalChange(claim.path(), inode, claim.extra());
        }
        if (claim.sha256().isPresent() && claim.attributes().length() > 0) {
            ContentHashes.put(transaction.rows(), claim.sha256().get(), inode.version(), claim.fingerprint());
        }
        return new ClaimResult.Granted(inode.version());
    }

    private static ExtraAttributes extras(Claim claim) {
        OptionalLong time = OptionalLong.of(claim.attributes().mtimeMillis());
        return claim.extra().isNone() ? ExtraAttributes.NONE : ExtraAttributes.NONE.with(claim.extra(), time);
    }

    private void put(ResolvedPath at, Inode inode) throws IOException {
        if (at.inode().isPresent()) {
            transaction.replaces();
            transaction.supersede(at.link(), at.inode().get(), inode);
        } else if (inode.place() instanceof Inode.Mapped) {
            transaction.addMapped(at.link(), inode);
        } else {
            transaction.add(at.parent(), at.name(), inode);
        }
    }

    /** Gives a file the bytes of a content that the table knows, as a clone of a file does. */
    private ClaimResult share(Permissions user, Claim claim) throws IOException {
        long length = claim.attributes().length();
        Optional<FileVersion> known = ContentHashes.find(
                transaction.rows(),
                transaction.namespace(),
                user,
                claim.sha256().orElseThrow());
        Optional<Content> content = known.isEmpty() ? Optional.empty() : content(known.get());
        if (content.isEmpty() || content.get().length() != length) {
            return new ClaimResult.Refused(Outcome.UNKNOWN_CONTENT);
        }
        ReferenceMap map = ReferenceMap.whole(content.get().id(), length);
        Inode inode = new Inode(
                claim.fileId(),
                transaction.change().nextPosition(),
                claim.attributes(),
                new Inode.Mapped(map),
                extras(claim));
        transaction.change().journal(inode.generation(), transaction.contents().entry(claim.path(), inode, map));
        // Looked for again: it may be the one that had the bytes alone.
        put(transaction.toChange(claim.path()), inode);
        return new ClaimResult.Granted(inode.version());
    }

    /** The content of a version, with a row of its own from now on. */
    private Optional<Content> content(FileVersion version) throws IOException {
        Optional<Namespace.Entry> alone =
                CommitOperations.alone(transaction, version).filter(entry -> !entry.waiting());
        if (alone.isPresent()) {
            Inode unused = transaction.share(alone.get().link(), alone.get().inode());
        }
        return transaction.namespace().content(version);
    }

    /** Returns whether a file is lost whose writer had no answer yet, and no version waits to take its place. */
    private boolean isLost(EntryLink at, Inode there) throws IOException {
        return there.place() instanceof Inode.Buffered buffered
                && buffered.deferred()
                && transaction.namespace().placements().isLost(buffered)
                && transaction.replacements().none(at);
    }

    /** Answers a claim of a known id: it was granted before, and its answer may have been lost. */
    private Optional<ClaimResult> answerBefore(SessionId session, Claim claim) throws IOException {
        long fileId = claim.fileId();
        Optional<Content> content = Content.own(transaction.rows(), fileId);
        Optional<FileVersion> ended = transaction.requests().ended().of(fileId);
        if (content.isEmpty() && ended.isPresent()) {
            // Whatever became of the file, or of its bytes.
            return ended.map(ClaimResult.Granted::new);
        }
        if (content.isEmpty() && !transaction.namespace().isKnown(fileId)) {
            return Optional.empty();
        }
        content = content.isPresent() ? content : transaction.contents().get(fileId);
        if (content.isPresent()) {
            return Optional.of(
                    ReclaimedContents.reclaim(transaction.contents(), content.get(), session, claim.deferred())
                            ? new ClaimResult.Granted(content.get().version())
                            : new ClaimResult.Refused(Outcome.INVALID));
        }
        Optional<Namespace.Entry> known = transaction.namespace().linked(fileId);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Inode inode = known.get().inode();
        if (inode.place() instanceof Inode.Buffered buffered
                && buffered.worker().equals(session.worker())) {
            owned(transaction, known.get(), session);
        } else if (inode.place() instanceof Inode.Missing) {
            transaction.place(known.get(), new Inode.Buffered(session, claim.deferred()));
        } else if (!(inode.place() instanceof Inode.Packed) && !(claim.shared() && Inode.hasMap(inode.place()))) {
            return Optional.of(new ClaimResult.Refused(Outcome.INVALID));
        }
        return Optional.of(new ClaimResult.Granted(inode.version()));
    }

    /** Notes that a session of a worker has a file in its buffer, as an older session of the worker had. */
    public static void owned(Transaction transaction, Namespace.Entry buffered, SessionId session) throws IOException {
        Inode inode = buffered.inode();
        if (!(inode.place() instanceof Inode.Buffered before)
                || before.session().equals(session)) {
            return;
        }
        Inode after = inode.at(new Inode.Buffered(session, before.deferred()));
        EntryLink link = buffered.link();
        if (buffered.waiting()) {
            transaction.replacements().change(link, waiting -> waiting.id() == inode.id() ? after : waiting);
        } else {
            transaction.place(buffered, after.place());
        }
    }

    /** The attributes of a directory that a claim implies: the file's owner, and search permission. */
    public static DirectoryAttributes impliedDirectory(FileAttributes file) {
        int search = (file.mode() & 0444) >>> 2;
        return new DirectoryAttributes(file.owner(), file.group(), (file.mode() & 0777) | search | 0700);
    }
}
