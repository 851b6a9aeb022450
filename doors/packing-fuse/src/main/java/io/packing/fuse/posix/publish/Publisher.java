// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.publish;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Durability;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.draft.DraftStorage;
import io.packing.fuse.posix.draft.Ranges;
import io.packing.fuse.posix.draft.StoredRanges;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ScratchFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The publisher of drafts in the mount. Each call needs the shared lock of the tree and the lock of the node. */
public final class Publisher {
    /** The bytes of holes above which a file is made of ranges. */
    private static final long MOST_HOLES = 1L << 20;

    private static final int COPIED = 256 << 10;
    /** The attempts against other clients that change the file at the same time. */
    private static final int ATTEMPTS = 8;
    /** The ranges of one vector, which is one record of the log. */
    private static final int MOST_RANGES = 10_000;

    private final OpenMount open;

    public Publisher(OpenMount open) {
        this.open = open;
    }

    /** Publishes the draft of a node, if it has changes. A file without a name keeps its draft. */
    public void publish(Node node) throws FuseException, IOException {
        Draft draft = node.draft;
        if (draft == null || !draft.isDirty() || !isReached(node)) {
            return;
        }
        try {
            FilePath path = path(node);
            if (draft.isWhole() && draft.size() - draft.dirtyBytes() <= MOST_HOLES && isFirst(node, path)) {
                create(node, draft, path);
            } else {
                change(node, draft, path);
            }
        } catch (IOException e) {
            throw ErrnoMapping.of(e);
        }
    }

    /** Returns whether programs may find the file by a name, even one that is not known here. */
    public boolean isReached(Node node) throws FuseException, IOException {
        if (!node.unlinked) {
            return true;
        }
        if (node.kept.isEmpty()) {
            return false;
        }
        if (node.version.isEmpty()) {
            // An earlier server unlinked it.
            LocatedFile unused = located(node);
        }
        return node.links() > 0;
    }

    /** Returns the path of a node's file in the table. */
    public FilePath path(Node node) throws FuseException {
        return node.kept.isPresent() ? node.kept.get() : open.nodes.path(node);
    }

    /** Publishes a file and makes it durable, also where the mount promises no durability for closed files. */
    public void sync(Node node) throws FuseException, IOException {
        publish(node);
        if (open.durability == Durability.BUFFERED) {
            open.mount.flush();
        }
    }

    /** Returns whether the file gets all its bytes now. */
    private boolean isFirst(Node node, FilePath path) throws FuseException, IOException {
        if (node.isPending()) {
            return true;
        }
        Draft draft = node.draft;
        if (draft == null || draft.cut() > 0 || draft.size() == 0) {
            return false;
        }
        // A new file would not have its extended attributes, nor its other names.
        RareAttributes has = present(node, path).extras();
        return !has.hasExtended() && !has.isLinked();
    }

    private static CreateOptions options(Node node, Draft draft) {
        boolean overwrite = !draft.isNew() || !node.exclusive;
        FileAttributes has = node.attributes;
        return new CreateOptions(
                has.owner(), has.group(), has.mode(), false, overwrite, OptionalLong.of(has.mtimeMillis()));
    }

    private void create(Node node, Draft draft, FilePath path) throws FuseException, IOException {
        PackingOutput output = open.mount.create(path, options(node, draft));
        try {
            copy(draft, 0, draft.size(), output);
            output.close();
        } catch (IOException | RuntimeException e) {
            output.abort();
            throw e;
        }
        created(node, draft, path, output.version());
    }

    /** Notes that the table has the whole file. */
    private void created(Node node, Draft draft, FilePath path, FileVersion version) throws FuseException, IOException {
        RareAttributes had = node.extras;
        if (draft.size() <= DraftStorage.SLOT) {
            open.recent.put(version, bytes(draft));
        }
        done(node, draft, version);
        node.stored = OptionalLong.of(draft.size());
        if (had.nanos() != 0) {
            apply(node, path, List.of(new Operation.SetAttributes(path, time(node))));
        }
    }

    /** Returns whether only this server has a file, and it fits into one message with others. */
    boolean isSmallAndNew(Node node) {
        Draft draft = node.draft;
        return draft != null
                && draft.isNew()
                && !node.unlinked
                && draft.size() <= DraftStorage.SLOT
                && draft.size() == draft.dirtyBytes();
    }

    /** Returns such a file for the write; the caller calls {@link #published} after it. */
    NewFile newFile(Node node) throws FuseException, IOException {
        Draft draft = Objects.requireNonNull(node.draft);
        return new NewFile(path(node), bytes(draft), options(node, draft));
    }

    /** Returns all bytes of a small draft. */
    private static ByteBuffer bytes(Draft draft) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) draft.size());
        draft.read(0, all, (offset, into) -> {
            throw new IOException("offset %d is not in the draft".formatted(offset));
        });
        return all.flip();
    }

    /** Notes that the table has the whole file; the caller has kept the lock since. */
    void published(Node node, FileVersion version) throws FuseException, IOException {
        created(node, Objects.requireNonNull(node.draft), path(node), version);
    }

    private static AttributeChange time(Node node) {
        return AttributeChange.ofMtime(node.attributes.mtimeMillis())
                .with(RareAttributeChange.NONE.withTimes(node.extras));
    }

    /** Makes a new file, with its directory's defaults, before it has any bytes. */
    public void create(Node node, List<ExtendedChange> steps) throws FuseException, IOException {
        Draft draft = node.draft;
        if (draft == null) {
            throw new IllegalStateException("a new file without a draft");
        }
        FilePath path = open.nodes.path(node);
        RareAttributeChange extra = new RareAttributeChange(steps, 0, Optional.empty());
        ErrnoMapping.check(open.bdt().apply(OperationVector.of(create(node, path, extra))));
        FileStatus made = open.bdt().stat(path).orElseThrow(() -> new FuseException(Errno.ESTALE));
        done(node, draft, made.version());
        node.stored = OptionalLong.of(made.attributes().length());
        node.extras = made.extras();
    }

    private void done(Node node, Draft draft, FileVersion version) {
        FileAttributes has = node.attributes;
        node.attributes = new FileAttributes(draft.size(), has.mtimeMillis(), has.owner(), has.group(), has.mode());
        draft.markPublished();
        node.exclusive = false;
        node.version = Optional.of(version);
        node.learntAt = open.nanoTime.getAsLong();
        node.pagesVersion = node.version;
        node.closeInput();
        open.nodes.published(node, version.id());
    }

    private static void copy(Draft draft, long start, long end, AtomicOutput output) throws IOException {
        byte[] piece = new byte[(int) Math.min(COPIED, Math.max(1, end - start))];
        for (long at = start; at < end; ) {
            int n = (int) Math.min(piece.length, end - at);
            draft.read(at, ByteBuffer.wrap(piece, 0, n), (offset, into) -> {
                throw new IOException("offset %d is not in the draft".formatted(offset));
            });
            output.write(piece, 0, n);
            at += n;
        }
    }

    /** Changes an existing file, or makes one with holes. */
    private void change(Node node, Draft draft, FilePath path) throws FuseException, IOException {
        if (draft.isNew()) {
            ErrnoMapping.check(open.bdt().apply(OperationVector.of(create(node, path, RareAttributeChange.NONE))));
            FileStatus made = open.bdt().stat(path).orElseThrow(() -> new FuseException(Errno.ESTALE));
            node.version = Optional.of(made.version());
            open.nodes.published(node, made.version().id());
            draft.rebaseOnEmpty();
        }
        draft.mergeAppended();
        List<Ranges.Range> ranges = draft.dirty();
        for (int from = 0; from == 0 || from < ranges.size(); from += MOST_RANGES) {
            int to = Math.min(ranges.size(), from + MOST_RANGES);
            change(node, draft, path, ranges.subList(from, to), from == 0);
        }
        FileStatus now = present(node, path);
        done(node, draft, now.version());
    }

    private Operation create(Node node, FilePath path, RareAttributeChange extra) {
        FileAttributes has = node.attributes;
        AttributeChange attributes =
                new AttributeChange(Optional.of(has.owner()), Optional.of(has.group()), OptionalInt.of(has.mode()));
        return new Operation.CreateFile(path, attributes.with(extra), !node.exclusive);
    }

    private void change(Node node, Draft draft, FilePath path, List<Ranges.Range> ranges, boolean first)
            throws FuseException, IOException {
        List<Operation> operations = new ArrayList<>();
        long end = first ? Math.min(draft.cut(), draft.published()) : draft.size();
        if (first && draft.cut() < draft.published()) {
            operations.add(new Operation.Truncate(path, draft.cut()));
        }
        if (!ranges.isEmpty()) {
            ScratchFile scratch = upload(draft, ranges, path);
            long at = 0;
            for (Ranges.Range range : ranges) {
                operations.add(scratch.put(at, range.length(), path, range.start()));
                at += range.length();
                end = Math.max(end, range.end());
            }
            operations.add(scratch.delete());
        }
        if (end != draft.size()) {
            operations.add(new Operation.Truncate(path, draft.size()));
        }
        operations.add(new Operation.SetAttributes(path, time(node)));
        apply(node, path, operations);
    }

    /** Applies operations to the file of a node, at any version. */
    public void apply(Node node, FilePath path, List<Operation> operations) throws FuseException, IOException {
        for (int attempt = 1; ; attempt++) {
            FileVersion known = node.version.isPresent()
                    ? node.version.get()
                    : present(node, path).version();
            VectorResult result = open.bdt()
                    .apply(new OperationVector(List.of(new Precondition.SameVersion(path, known)), operations));
            if (result instanceof VectorResult.Applied) {
                return;
            }
            VectorResult.Refused refused = (VectorResult.Refused) result;
            if (refused.kind() == VectorResult.Kind.OPERATION || attempt == ATTEMPTS) {
                throw ErrnoMapping.of(refused.reason());
            }
            // Another client changed the same file: these writes go on top. Another file is ESTALE.
            FileStatus unused = present(node, path);
        }
    }

    /** Returns the table's entry at the path of a node, which must be the node's file. */
    public FileStatus present(Node node, FilePath path) throws FuseException, IOException {
        Optional<FileStatus> now = open.stat(path);
        if (now.isEmpty()) {
            now = elsewhere(node);
        }
        FileStatus found = now.orElseThrow(() -> gone(node, path + " is gone"));
        open.learn(node, found);
        return found;
    }

    /** Returns the exception for a lost file, whose name the kernel then looks up again. */
    private FuseException gone(Node node, String message) {
        open.answers.doubt(node);
        return new FuseException(Errno.ESTALE, message);
    }

    /**
     * Learns the new id of a file with several names that a clone had from its original until a change. Programs go on
     * seeing one file by the other names.
     *
     * @return true if the id was due
     */
    public boolean learnOwn(Node node, FilePath path) throws FuseException, IOException {
        boolean isDue = node.extras.isLinked() && open.nodes.numbers.isInherited(node.inode);
        if (isDue) {
            FileStatus unused = present(node, path);
        }
        return isDue;
    }

    /** Searches for a node by its other names: it exists as long as one of them does. */
    private Optional<FileStatus> elsewhere(Node node) throws FuseException, IOException {
        for (FilePath other : open.nodes.otherPaths(node)) {
            Optional<FileStatus> now = open.bdt().stat(other);
            if (now.isPresent() && open.isOf(node, now.get())) {
                return now;
            }
        }
        return Optional.empty();
    }

    private ScratchFile upload(Draft draft, List<Ranges.Range> ranges, FilePath target) throws IOException {
        ScratchFile scratch = ScratchFile.create(open.mount, "", target);
        try {
            for (Ranges.Range range : ranges) {
                copy(draft, range.start(), range.end(), scratch);
            }
            scratch.close();
        } catch (IOException | RuntimeException e) {
            scratch.abort();
            throw e;
        }
        return scratch;
    }

    /** Returns the place of a node's bytes. */
    public LocatedFile located(Node node) throws FuseException, IOException {
        FilePath path = path(node);
        Optional<LocatedFile> now = open.locate(path);
        if (now.isEmpty()) {
            Optional<FileStatus> other = elsewhere(node);
            now = other.isPresent() ? open.bdt().locate(other.get().path()) : now;
        }
        LocatedFile found = now.orElseThrow(() -> gone(node, path + " is no file"));
        open.learn(node, found.status());
        node.stored = OptionalLong.of(StoredRanges.of(found).total());
        return found;
    }

    /** Deletes a file that was kept for programs with it open. */
    public void deleteKept(Node node) throws IOException {
        if (node.kept.isPresent()) {
            // If that fails, the master deletes it after a day.
            Outcome unused = open.bdt().delete(node.kept.get(), false);
            open.kept(node, Optional.empty());
        }
    }
}
