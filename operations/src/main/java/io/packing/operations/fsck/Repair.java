// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A repair of the damage that needs no decision of an operator. Files without bytes move below {@code /lost+found}, with their names and
 * attributes. Files that only snapshots show are cloned there, since a snapshot never changes. Blobs that no file needs are deleted.
 * Quotas that count wrong are counted anew. Damage that an operator may undo stays: a damaged blob may have a copy, and a worker may come
 * back.
 */
public final class Repair {
    private static final String LOST_AND_FOUND = "lost+found";
    /** Stands for the directory of snapshots, whose name no other directory may have. */
    private static final String SNAPSHOT = "snapshot";

    private static final DirectoryAttributes PRIVATE = new DirectoryAttributes("", "", 0700);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Bdt bdt;
    private final ObjectStore store;
    private final DamageLog log;
    private final List<Orphan> orphans;
    private final FilePath lostAndFound;

    /**
     * A repair of what a check found.
     *
     * @param now names the directory that takes the files
     */
    public Repair(Bdt bdt, ObjectStore store, DamageLog log, List<Orphan> orphans, Instant now) {
        this.bdt = bdt;
        this.store = store;
        this.log = log;
        this.orphans = orphans.stream().filter(Orphan::isNeedless).toList();
        this.lostAndFound = FilePath.ROOT.child(LOST_AND_FOUND).child(NAME.format(now));
    }

    /**
     * Numbers of what a repair would do, or did.
     *
     * @param moved files, below {@code lostAndFound}
     * @param cloned files of snapshots, which no name in the present shows
     * @param deleted blobs
     * @param counted quotas, anew
     * @param kept damage that only an operator can mend
     */
    public record Outcome(
            String lostAndFound, long moved, long cloned, long deleted, long deletedBytes, long counted, long kept) {
        /** Returns whether there is nothing to do. */
        public boolean isNothing() {
            return moved == 0 && cloned == 0 && deleted == 0 && counted == 0;
        }
    }

    private static boolean isOfFileWithoutBytes(Damage damage) {
        return damage.kind().leavesAFileWithoutBytes() && !damage.path().isEmpty() && !isSetAside(damage);
    }

    private static boolean isPast(Damage damage) {
        return new FilePath(damage.path()).isPast();
    }

    /** Returns whether an earlier repair has moved the file out of the way. */
    static boolean isSetAside(Damage damage) {
        return damage.kind().leavesAFileWithoutBytes() && isBelowLostAndFound(damage.path());
    }

    static boolean isBelowLostAndFound(String path) {
        return path.startsWith("/" + LOST_AND_FOUND + "/");
    }

    /** Tells what a repair would do; changes nothing. */
    public Outcome plan(Consumer<String> told) throws IOException {
        return repair(false, told);
    }

    /** Repairs, and names each file that stays since it changed meanwhile. */
    public Outcome run(Consumer<String> told) throws IOException {
        return repair(true, told);
    }

    private Outcome repair(boolean doing, Consumer<String> told) throws IOException {
        Set<FileVersion> aside = new HashSet<>();
        long[] moved = new long[1];
        long[] cloned = new long[1];
        long[] others = new long[1];
        QuotaRepair quotas = new QuotaRepair(bdt);
        log.forEach(damage -> {
            quotas.take(damage);
            if (!isOfFileWithoutBytes(damage)) {
                others[0]++;
            } else if (!isPast(damage) && setAside(new FilePath(damage.path()), aside, doing, told)) {
                moved[0]++;
            }
        });
        // By now it is known which of them have a name in the present.
        log.forEach(damage -> {
            if (isOfFileWithoutBytes(damage)
                    && isPast(damage)
                    && setAside(new FilePath(damage.path()), aside, doing, told)) {
                cloned[0]++;
            }
        });
        if (doing) {
            store.delete(orphans.stream().map(Orphan::key).toList());
        } else {
            orphans.forEach(each -> told.accept("delete %s, %d bytes".formatted(each.key(), each.length())));
        }
        long bytes = orphans.stream().mapToLong(Orphan::length).sum();
        // What was moved away counts no more where it was.
        long counted = quotas.run(doing, told);
        long kept = others[0] - quotas.findings();
        return new Outcome(lostAndFound.value(), moved[0], cloned[0], orphans.size(), bytes, counted, kept);
    }

    /** Moves a file away, or clones it out of a snapshot. Returns false for one that is away already, or that stays. */
    private boolean setAside(FilePath path, Set<FileVersion> aside, boolean doing, Consumer<String> told)
            throws IOException {
        Optional<FileVersion> version = bdt.stat(path).map(FileStatus::version);
        // Two kinds of damage are two entries of the log; several snapshots may show one file, which may have several
        // names.
        if (version.isEmpty() || (path.isPast() && aside.contains(version.get()))) {
            return false;
        }
        FilePath to = new FilePath(
                lostAndFound.value() + path.value().replace("/" + FilePath.SNAPSHOTS + "/", "/" + SNAPSHOT + "/"));
        Operation operation = path.isPast()
                ? new Operation.CloneFile(path, to, false, AttributeChange.NONE)
                : new Operation.Rename(path, to, false);
        if (!doing) {
            told.accept("%s %s to %s".formatted(path.isPast() ? "clone" : "move", path, to));
            boolean unused = aside.add(version.get());
            return true;
        }
        VectorResult result = bdt.apply(OperationVector.of(
                new Operation.MakeDirectory(to.parent().orElse(lostAndFound), PRIVATE, true), operation));
        if (result instanceof VectorResult.Refused refused) {
            told.accept("%s stays: %s".formatted(path, refused.reason()));
            return false;
        }
        boolean unused = aside.add(version.get());
        return true;
    }
}
