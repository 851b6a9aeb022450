// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * The files of an honest owner. Each has a secret. Some are packed and some buffered; the tree has clones, snapshots,
 * files with several names, and quotas. Other users may read some files, whose secret bytes the owner has punched out.
 */
final class HonestTree {
    /** The owner's directory, which no other user may enter. */
    static final FilePath CLOSED = new FilePath("/alice");
    /** The owner's directory, which every user may read. */
    static final FilePath PUBLIC = new FilePath("/public");
    /** The owner's directory, in which every user may reach a name that the user knows. */
    static final FilePath QUIET = new FilePath("/quiet");

    static final FilePath ATTACKERS = new FilePath("/mallory");
    static final FilePath BEARERS = new FilePath("/mallet");
    /** A sticky directory, in which every user may make names. */
    static final FilePath SHARED = new FilePath("/tmp");

    static final FilePath LOAD = new FilePath("/load");
    private static final int HEADER = 64;
    private static final long FIRST_TIME = 4_000_000_000_000L;
    private static final long FIRST_LIMIT = 7_000_000_000_000L;

    private final RemotePackingFileSystem owner;
    private final Bdt root;
    private final Marks marks;
    private final Map<FileVersion, byte[]> contents = new HashMap<>();
    /** The names that the attackers do not know. */
    private final Set<String> untold = new HashSet<>();

    private final Set<Long> numbers = new HashSet<>();
    private int secrets;

    private HonestTree(RemotePackingFileSystem owner, Bdt root, Marks marks) {
        this.owner = owner;
        this.root = root;
        this.marks = marks;
    }

    /** Makes the tree in the main mount of a house. */
    static HonestTree make(GuardedHouse house, Marks marks) throws IOException {
        HonestTree tree = new HonestTree(
                house.mount(GuardedHouse.OWNER),
                house.mount(GuardedHouse.SUPERUSER).bdt(),
                marks);
        tree.directories();
        tree.stage("p");
        house.mount(GuardedHouse.SUPERUSER).flush();
        tree.stage("b");
        tree.quotas();
        tree.times(CLOSED);
        return tree;
    }

    private void directories() throws IOException {
        apply(root, new Operation.SetAttributes(FilePath.ROOT, change("root", 0755)));
        // An operator's mount has the directory with these attributes.
        apply(root, new Operation.MakeDirectory(FilePath.SCRATCH, new DirectoryAttributes("", "", 0700), true));
        for (FilePath each : List.of(CLOSED, LOAD)) {
            mkdir(each, GuardedHouse.OWNER, 0700);
        }
        mkdir(PUBLIC, GuardedHouse.OWNER, 0755);
        mkdir(QUIET, GuardedHouse.OWNER, 0711);
        mkdir(ATTACKERS, GuardedHouse.ATTACKER, 0755);
        mkdir(BEARERS, GuardedHouse.BEARER, 0755);
        mkdir(SHARED, "root", 01777);
        mkdir(PUBLIC.child("drop"), GuardedHouse.OWNER, 0733);
    }

    private static AttributeChange change(String owner, int mode) {
        return new AttributeChange(Optional.of(owner), Optional.empty(), OptionalInt.of(mode));
    }

    private static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    private void mkdir(FilePath path, String who, int mode) throws IOException {
        Outcome outcome = root.mkdir(path, new DirectoryAttributes(who, "", mode), false);
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: %s".formatted(path, outcome));
        }
    }

    private static void apply(Bdt bdt, Operation... operations) throws IOException {
        VectorResult result = bdt.apply(OperationVector.of(operations));
        if (!(result instanceof VectorResult.Applied)) {
            throw new IOException("%s: %s".formatted(Arrays.toString(operations), result));
        }
    }

    /** Makes one of each kind of file; none of them lies in the buffer once the next stage begins. */
    private void stage(String prefix) throws IOException {
        FilePath closed = CLOSED.child(prefix);
        apply(owner.bdt(), new Operation.MakeDirectory(closed, new DirectoryAttributes("", "staff", 0700), false));
        for (int length : new int[] {20, 1_000, 9_000, 70_000}) {
            FileVersion unused = secret(closed.child("f" + length), length, 0, 0600);
        }
        apply(
                owner.bdt(),
                new Operation.SetAttributes(
                        closed.child("f20"),
                        AttributeChange.ofExtended(ExtendedChange.put(
                                "user.note", new ExtendedValue(text().getBytes(StandardCharsets.UTF_8))))));
        apply(owner.bdt(), new Operation.Link(closed.child("f1000"), closed.child("second-name")));
        unnamed(closed);
        whatIsTakenAway(prefix);
        views(closed);
        for (FilePath in : List.of(PUBLIC, QUIET)) {
            FileVersion unused = secret(in.child(prefix + "-closed"), 500, 0, 0600);
        }
        FilePath scratch = FilePath.SCRATCH.child(prefix + "-open-file");
        apply(owner.bdt(), new Operation.MakeDirectory(FilePath.SCRATCH, new DirectoryAttributes("", "", 0700), true));
        FileVersion unused = secret(scratch, 300, 0, 0666);
    }

    /** Makes names that attackers do not know. */
    private void unnamed(FilePath closed) throws IOException {
        FilePath directory = closed.child(text());
        apply(owner.bdt(), new Operation.MakeDirectory(directory, new DirectoryAttributes("", "", 0755), false));
        FileVersion unused = secret(directory.child(text()), 400, 0, 0644);
        unused = secret(PUBLIC.child("drop").child(text()), 400, 0, 0644);
        unused = secret(QUIET.child(text()), 400, 0, 0600);
    }

    /** Makes files that every user may read, and takes the secret out of them. */
    private void whatIsTakenAway(String prefix) throws IOException {
        FilePath punched = PUBLIC.child(prefix + "-punched");
        FileVersion unused = put(punched, content(3_000, 1_000, 2_000), 0644);
        FilePath cut = PUBLIC.child(prefix + "-cut");
        unused = put(cut, content(3_000, 100, 3_000), 0644);
        FilePath given = PUBLIC.child(prefix + "-given");
        unused = put(given, content(2_000, 500, 1_500), 0644);
        FilePath taken = CLOSED.child(prefix).child("taken");
        FilePath chmodded = PUBLIC.child(prefix + "-chmodded");
        unused = put(chmodded, content(700, 0, 700), 0644);
        FilePath replaced = PUBLIC.child(prefix + "-replaced");
        unused = put(replaced, content(800, 0, 800), 0644);
        unused = put(replaced, content(800, 0, 0), 0644);
        FilePath deleted = PUBLIC.child(prefix + "-deleted");
        unused = secret(deleted, 600, 0, 0600);
        FilePath headed = CLOSED.child(prefix).child("headed");
        unused = secret(headed, 2_000, HEADER, 0600);
        FilePath header = PUBLIC.child(prefix + "-header");
        apply(
                owner.bdt(),
                new Operation.DeleteRange(new ByteRange(punched, 1_000, 1_000)),
                new Operation.Truncate(cut, 100),
                new Operation.Truncate(cut, 3_000),
                new Operation.CreateFile(taken, mode(0600), false),
                new Operation.MoveRange(new ByteRange(given, 500, 1_000), taken, 0),
                new Operation.SetAttributes(chmodded, mode(0600)),
                new Operation.CreateFile(header, mode(0644), false),
                new Operation.CloneRange(new ByteRange(headed, 0, HEADER), header, 0));
        FilePath kept = PUBLIC.child(prefix + "-kept");
        apply(owner.bdt(), new Operation.MakeDirectory(kept, new DirectoryAttributes("", "", 0755), false));
        unused = secret(kept.child("file"), 600, 0, 0600);
        apply(
                owner.bdt(),
                new Operation.TakeSnapshot(kept, "told"),
                new Operation.Delete(kept.child("file"), false),
                new Operation.Delete(deleted, false));
    }

    /** Makes snapshots and clones of a directory, and changes their source. */
    private void views(FilePath closed) throws IOException {
        FilePath directory = closed.child("d");
        apply(owner.bdt(), new Operation.MakeDirectory(directory, new DirectoryAttributes("", "", 0755), false));
        FileVersion unused = secret(directory.child("a"), 250, 0, 0644);
        unused = secret(directory.child("b"), 251, 0, 0600);
        apply(
                owner.bdt(),
                new Operation.TakeSnapshot(directory, "monday"),
                new Operation.TakeSnapshot(directory, text()),
                new Operation.CloneDirectory(directory, closed.child("clone")),
                new Operation.Truncate(closed.child("clone").child("a"), 10),
                new Operation.CloneFile(directory.child("b"), closed.child("copy"), false, AttributeChange.NONE),
                new Operation.Delete(directory.child("b"), false));
    }

    private void quotas() throws IOException {
        for (FilePath each : List.of(CLOSED.child("p"), CLOSED.child("b").child("d"), QUIET)) {
            long limit = FIRST_LIMIT + 1_000L * ++secrets;
            numbers.addAll(List.of(limit, limit + 1));
            Outcome outcome = root.setQuota(each, new QuotaChange(OptionalLong.of(limit), OptionalLong.of(limit + 1)));
            if (outcome != Outcome.DONE) {
                throw new IOException("a quota of %s: %s".formatted(each, outcome));
            }
        }
    }

    /** Sets the times of all names in a closed directory to unique values. */
    private void times(FilePath directory) throws IOException {
        List<FilePath> below = new ArrayList<>();
        root.list(directory, "", 1_000).orElseThrow().forEach(entry -> below.add(entry.path()));
        for (FilePath each : below) {
            if (root.stat(each).orElseThrow().isDirectory()) {
                times(each);
            }
            long time = FIRST_TIME + 1_000L * ++secrets;
            numbers.add(time);
            apply(root, new Operation.SetAttributes(each, AttributeChange.ofMtime(time)));
        }
    }

    private String text() {
        String text = marks.text(++secrets);
        untold.add(text);
        return text;
    }

    private byte[] content(int length, int from, int to) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, Marks.FILLER);
        marks.fill(bytes, from, to, ++secrets);
        return bytes;
    }

    private FileVersion secret(FilePath path, int length, int from, int mode) throws IOException {
        return put(path, content(length, from, length), mode);
    }

    private FileVersion put(FilePath path, byte[] content, int mode) throws IOException {
        try {
            FileVersion version = owner.put(
                            path, ByteBuffer.wrap(content), new CreateOptions("", "staff", mode, false, true))
                    .get();
            contents.put(version, content);
            return version;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(path.value());
        } catch (ExecutionException e) {
            throw new IOException(path.value(), e.getCause());
        }
    }

    /** Returns the bytes that a version had when it was written; {@link Marks#FILLER} where it has no secret. */
    Optional<byte[]> written(FileVersion version) {
        return Optional.ofNullable(contents.get(version));
    }

    /** Returns all versions that were ever written, also of files that are gone. */
    Set<FileVersion> versions() {
        return Set.copyOf(contents.keySet());
    }

    /** Returns times and limits that only the owner may learn. */
    Set<Long> numbers() {
        return Set.copyOf(numbers);
    }

    /** Returns true if attackers know the path. */
    boolean isTold(String path) {
        return untold.stream().noneMatch(path::contains);
    }
}
