// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Operations on the names and bytes of a model's files, and on some that are not there. */
final class RandomOperations {
    static final int MOST_BYTES = 40;
    private static final int MOST_ENTRIES = 60;
    private static final ExtendedChange.Kind[] STEPS = ExtendedChange.Kind.values();

    private final Random random;

    RandomOperations(Random random) {
        this.random = random;
    }

    /** A snapshot is taken, renamed or dropped. */
    Operation snapshotOperation(ByteModel model) {
        List<String> all = List.copyOf(model.directoriesAndRoot());
        FilePath directory = new FilePath(all.get(random.nextInt(all.size())));
        List<Operation> known = new ArrayList<>();
        model.snapshots()
                .forEach((owner, named) -> named.keySet().forEach(name -> {
                    known.add(new Operation.DropSnapshot(new FilePath(owner), name));
                    known.add(new Operation.RenameSnapshot(new FilePath(owner), name, snapshotName()));
                }));
        return known.isEmpty() || random.nextBoolean()
                ? new Operation.TakeSnapshot(directory, snapshotName())
                : known.get(random.nextInt(known.size()));
    }

    /** Drops a snapshot; empty: there is none. */
    Optional<Operation> drop(ByteModel model) {
        List<Operation> drops = drops(model);
        return drops.isEmpty() ? Optional.empty() : Optional.of(drops.get(random.nextInt(drops.size())));
    }

    /** Returns the operations that drop all snapshots. */
    static List<Operation> drops(ByteModel model) {
        List<Operation> drops = new ArrayList<>();
        model.snapshots()
                .forEach((directory, named) -> named.keySet()
                        .forEach(name -> drops.add(new Operation.DropSnapshot(new FilePath(directory), name))));
        return drops;
    }

    private String snapshotName() {
        return "s" + random.nextInt(4);
    }

    /** An operation of any kind. */
    Operation operation(ByteModel model) {
        FilePath path = new FilePath(path());
        switch (random.nextInt(16)) {
            case 14, 15 -> {
                return new Operation.Link(existing(model), random.nextInt(4) == 0 ? path : newName(model));
            }
            case 12, 13 -> {
                return new Operation.SetAttributes(entry(model), AttributeChange.ofExtended(steps()));
            }
            case 10, 11 -> {
                return new Operation.CloneDirectory(directory(model), newName(model));
            }
            case 0, 1 -> {
                return new Operation.CloneRange(
                        range(model, source(model)), existing(model), random.nextInt(MOST_BYTES));
            }
            case 2 -> {
                return new Operation.MoveRange(
                        range(model, existing(model)), existing(model), random.nextInt(MOST_BYTES));
            }
            case 3 -> {
                return new Operation.DeleteRange(range(model, existing(model)));
            }
            case 4 -> {
                return new Operation.Truncate(existing(model), random.nextInt(MOST_BYTES));
            }
            case 5, 6 -> {
                AttributeChange change = new AttributeChange(Optional.of("c"), Optional.empty(), OptionalInt.empty());
                RareAttributeChange extra =
                        random.nextInt(4) == 0 ? RareAttributeChange.of(steps()) : RareAttributeChange.NONE;
                return new Operation.CloneFile(source(model), path, random.nextBoolean(), change.with(extra));
            }
            case 7 -> {
                FilePath to = random.nextBoolean() ? path : existing(model);
                return new Operation.Rename(existing(model), to, random.nextBoolean());
            }
            case 8 -> {
                FilePath into = new FilePath(random.nextInt(4) == 0 ? "/" : path());
                return switch (random.nextInt(5)) {
                    case 0 -> new Operation.Rename(path, new FilePath(path()), random.nextBoolean());
                    case 1 -> new Operation.MergeDirectory(path, into);
                    case 2 ->
                        new Operation.MergeEachDirectory(
                                path, random.nextBoolean() ? Optional.of("a") : Optional.empty(), into);
                    case 3 -> new Operation.CreateFile(path, AttributeChange.NONE, random.nextBoolean());
                    default -> new Operation.MakeDirectory(path, MountFixture.DIRECTORY, true);
                };
            }
            default -> {
                return new Operation.Delete(
                        random.nextInt(4) == 0 ? withSnapshots(model) : path, random.nextInt(4) > 0);
            }
        }
    }

    /** A file or directory that is likely there. */
    private FilePath entry(ByteModel model) {
        List<String> directories = new ArrayList<>();
        model.directories().forEach(directories::add);
        boolean file = directories.isEmpty() || random.nextInt(3) > 0;
        return file ? existing(model) : new FilePath(directories.get(random.nextInt(directories.size())));
    }

    /** Returns the steps of a change of extended attributes. */
    private ExtendedChange[] steps() {
        ExtendedChange[] steps = new ExtendedChange[1 + random.nextInt(2)];
        for (int i = 0; i < steps.length; i++) {
            byte[] value = new byte[random.nextInt(4)];
            random.nextBytes(value);
            ExtendedChange.Kind kind = STEPS[random.nextInt(STEPS.length)];
            steps[i] = kind == ExtendedChange.Kind.CLEAR
                    ? ExtendedChange.CLEAR
                    : new ExtendedChange(kind, "user." + (char) ('x' + random.nextInt(2)), new ExtendedValue(value));
        }
        return steps;
    }

    /** A name that is likely free, in a directory that is there; of a large tree one that is taken. */
    private FilePath newName(ByteModel model) {
        List<String> parents = List.copyOf(model.directoriesAndRoot());
        FilePath parent = new FilePath(parents.get(random.nextInt(parents.size())));
        boolean large = model.files().size() + parents.size() > MOST_ENTRIES;
        return large ? parent : parent.child(String.valueOf((char) ('a' + random.nextInt(4))));
    }

    /** One that is there, in the present or in a snapshot. */
    private FilePath directory(ByteModel model) {
        List<String> paths = new ArrayList<>();
        model.directories().forEach(paths::add);
        model.snapshots()
                .forEach((owner, named) -> named.forEach((name, snapshot) -> {
                    FilePath top = new FilePath(owner).child(".snapshot").child(name);
                    paths.add(top.value());
                    snapshot.directories().forEach(below -> paths.add(top.value() + below));
                }));
        return new FilePath(
                paths.isEmpty() || random.nextInt(20) == 0 ? path() : paths.get(random.nextInt(paths.size())));
    }

    /** A directory of which there are snapshots, or the one above it. */
    private FilePath withSnapshots(ByteModel model) {
        List<String> owners = new ArrayList<>(model.snapshots().keySet());
        owners.remove("/");
        FilePath owner = new FilePath(owners.isEmpty() ? path() : owners.get(random.nextInt(owners.size())));
        return owner.parent()
                .filter(above -> !above.isRoot() && random.nextBoolean())
                .orElse(owner);
    }

    private ByteRange range(ByteModel model, FilePath path) {
        byte[] bytes = model.file(path);
        int length = bytes == null ? 1 : bytes.length;
        int offset = random.nextInt(Math.max(1, length));
        return new ByteRange(path, offset, 1 + random.nextInt(Math.max(1, length - offset + 1)));
    }

    /** A file that is there, in the present or in a snapshot. */
    FilePath source(ByteModel model) {
        List<FilePath> kept = new ArrayList<>();
        model.snapshots()
                .forEach((owner, named) -> named.forEach((name, snapshot) -> snapshot.files()
                        .keySet()
                        .forEach(path -> kept.add(new FilePath(new FilePath(owner)
                                        .child(".snapshot")
                                        .child(name)
                                        .value()
                                + path)))));
        return kept.isEmpty() || random.nextInt(4) > 0 ? existing(model) : kept.get(random.nextInt(kept.size()));
    }

    private FilePath existing(ByteModel model) {
        List<String> paths = List.copyOf(model.files().keySet());
        return new FilePath(
                paths.isEmpty() || random.nextInt(20) == 0 ? path() : paths.get(random.nextInt(paths.size())));
    }

    /** One of 39 paths, of up to three levels. */
    String path() {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
            path.append('/').append((char) ('a' + random.nextInt(3)));
        }
        return path.toString();
    }
}
