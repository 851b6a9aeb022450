package io.packing.bdt.master;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mutations that workers ask for: register, lease ids, claim, commit. Confined to the writer thread. */
final class ClaimChanges {
    private final Table table;
    private final NamespaceChanges directories;

    ClaimChanges(Table table, NamespaceChanges directories) {
        this.table = table;
        this.directories = directories;
    }

    SessionRow register(String worker, String address) throws IOException {
        long floor = table.session(worker).map(SessionRow::floor).orElse(0L);
        SessionRow session = new SessionRow(worker, table.nextPosition(), address, floor);
        table.putSession(session);
        return session;
    }

    long leaseIds(String worker, long epoch, int count) throws IOException {
        table.checkSession(worker, epoch);
        if (count <= 0 || count > 1 << 24) {
            throw new IllegalArgumentException("cannot lease %d ids".formatted(count));
        }
        long first = table.counters().nextId;
        table.counters().nextId += count;
        table.unclaimed().add(first, count);
        // The group is written only when a row changes; the counters row is enough.
        table.rows()
                .put(
                        Keys.named(Keys.META, "leased"),
                        new Bytes.Out().number(first + count).toBytes());
        return first;
    }

    List<ClaimResult> claim(String worker, long epoch, List<Claim> claims) throws IOException {
        table.checkSession(worker, epoch);
        List<ClaimResult> results = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            results.add(claim(worker, epoch, claim));
        }
        return results;
    }

    private ClaimResult claim(String worker, long epoch, Claim claim) throws IOException {
        if (claim.path().isRoot()) {
            return new ClaimResult.Refused(Outcome.IS_A_DIRECTORY);
        }
        Optional<Inode> known = table.unclaimed().contains(claim.fileId()) ? Optional.empty() : byId(claim.fileId());
        if (known.isPresent()) {
            return known.get().isDirectory()
                    ? new ClaimResult.Refused(Outcome.INVALID)
                    : new ClaimResult.Granted(known.get().version());
        }
        if (claim.fileId() >= table.counters().nextId) {
            throw new IllegalArgumentException("file id %d was never leased".formatted(claim.fileId()));
        }
        if (claim.path().whyNotCreatable().isPresent()) {
            // The worker has said why before it wrote anything; this is for whoever speaks the protocol by hand.
            return new ClaimResult.Refused(Outcome.INVALID);
        }
        Namespace.Found found = table.namespace().find(claim.path());
        if (found.problem() == Outcome.NO_PARENT && claim.createParents()) {
            Outcome made = directories.makeParents(
                    claim.path(),
                    impliedDirectory(claim.attributes()),
                    claim.attributes().mtimeMillis(),
                    true);
            if (made != Outcome.DONE) {
                return new ClaimResult.Refused(made);
            }
            found = table.namespace().find(claim.path());
        }
        Outcome problem = problem(found, claim.overwrite());
        if (problem != Outcome.DONE) {
            return new ClaimResult.Refused(problem);
        }
        if (found.inode().isPresent()) {
            table.remove(found.parent(), found.name(), found.inode().get());
        }
        Inode inode =
                new Inode(claim.fileId(), table.nextPosition(), claim.attributes(), new Inode.Buffered(worker, epoch));
        table.add(found.parent(), found.name(), inode);
        return new ClaimResult.Granted(inode.version());
    }

    private static Outcome problem(Namespace.Found found, boolean overwrite) {
        if (found.problem() != Outcome.DONE || found.inode().isEmpty()) {
            return found.problem();
        }
        if (found.inode().get().isDirectory()) {
            return Outcome.IS_A_DIRECTORY;
        }
        return overwrite ? Outcome.DONE : Outcome.EXISTS;
    }

    /** The attributes of a directory that a claim implies: the file's owner, and search permission. */
    static DirectoryAttributes impliedDirectory(FileAttributes file) {
        int search = (file.mode() & 0444) >>> 2;
        return new DirectoryAttributes(file.owner(), file.group(), (file.mode() & 0777) | search | 0700);
    }

    /** Replaces claims by extents. Versions that are gone are passed over: their bytes are dead. */
    void commit(String worker, long epoch, List<CommittedFile> files) throws IOException {
        table.checkSession(worker, epoch);
        Map<BlobName, Long> numbers = new HashMap<>();
        for (CommittedFile file : files) {
            commit(file, numbers);
        }
    }

    /**
     * Whether the file is in the table with these extents now. One that is packed already stays where it is: a commit that
     * is repeated, since its answer was lost, may name a blob that was compacted and collected meanwhile.
     */
    boolean commit(CommittedFile file) throws IOException {
        return commit(file, new HashMap<>());
    }

    /** @param numbers of blobs, as far as they are known */
    private boolean commit(CommittedFile file, Map<BlobName, Long> numbers) throws IOException {
        List<Inode.StoredExtent> extents = new ArrayList<>(file.extents().size());
        for (BlobExtent located : file.extents()) {
            Long number = numbers.get(located.blob());
            if (number == null) {
                number = table.blobNumber(located.blob());
                numbers.put(located.blob(), number);
            }
            extents.add(new Inode.StoredExtent(number, located.extent()));
        }
        Optional<Namespace.Entry> entry = table.namespace().file(file.version());
        if (entry.isEmpty()) {
            return false;
        }
        Inode inode = entry.get().inode();
        checkCovers(file, inode);
        if (inode.place() instanceof Inode.Packed packed) {
            return packed.extents().equals(extents);
        }
        table.place(entry.get(), Inode.Packed.of(extents));
        return true;
    }

    Optional<Inode> byId(long id) throws IOException {
        Optional<Namespace.Link> link = table.namespace().link(id);
        if (link.isEmpty()) {
            return Optional.empty();
        }
        return table.namespace().entry(link.get().parent(), link.get().name()).filter(inode -> inode.id() == id);
    }

    private static void checkCovers(CommittedFile file, Inode inode) {
        long end = 0;
        for (BlobExtent located : file.extents()) {
            if (located.extent().fileOffset() != end) {
                break;
            }
            end = located.extent().fileEnd();
        }
        if (end != inode.attributes().length()) {
            throw new IllegalArgumentException("commit of %s covers %d bytes, the file has %d"
                    .formatted(file.version(), end, inode.attributes().length()));
        }
    }
}
