package io.packing.cli.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Consumer;

/**
 * Mends what can be mended without a decision that is not ours: files whose bytes are gone move out of the way, with their
 * names and attributes, so that nobody takes them for whole; blobs that nobody needs are deleted; quotas that count wrong are counted
 * anew. Nothing is done to what may come back: a damaged blob that has a copy, a worker that is away.
 */
public final class Repair {
    private static final String LOST_AND_FOUND = "lost+found";
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
     * What there is to do, or what was done.
     *
     * @param moved files, below {@code lostAndFound}
     * @param deleted blobs
     * @param counted quotas, anew
     * @param kept damage that only an operator can mend
     */
    public record Outcome(String lostAndFound, long moved, long deleted, long deletedBytes, long counted, long kept) {
        /** Whether there is anything to do. */
        public boolean isNothing() {
            return moved == 0 && deleted == 0 && counted == 0;
        }
    }

    private static boolean isMovable(Damage damage) {
        return damage.kind().leavesAFileWithoutBytes()
                && !damage.path().isEmpty()
                && !new FilePath(damage.path()).isPast()
                && !isSetAside(damage);
    }

    /** Whether an earlier repair has moved the file out of the way. */
    static boolean isSetAside(Damage damage) {
        return damage.kind().leavesAFileWithoutBytes() && damage.path().startsWith("/" + LOST_AND_FOUND + "/");
    }

    /** What would be done; each is told of. */
    public Outcome plan(Consumer<String> what) throws IOException {
        long[] moved = new long[2];
        QuotaRepair quotas = new QuotaRepair(bdt);
        log.forEach(damage -> {
            quotas.take(damage);
            if (isMovable(damage)) {
                moved[0]++;
                what.accept("move %s to %s%s".formatted(damage.path(), lostAndFound, damage.path()));
            } else {
                moved[1]++;
            }
        });
        orphans.forEach(each -> what.accept("delete %s, %d bytes".formatted(each.key(), each.length())));
        return outcome(moved, quotas.run(false, what), quotas.findings());
    }

    /** Does it; a file that changed meanwhile stays, and is told of. */
    public Outcome run(Consumer<String> warnings) throws IOException {
        long[] moved = new long[2];
        QuotaRepair quotas = new QuotaRepair(bdt);
        log.forEach(damage -> {
            quotas.take(damage);
            if (!isMovable(damage)) {
                moved[1]++;
            } else if (move(new FilePath(damage.path()), warnings)) {
                moved[0]++;
            }
        });
        store.delete(orphans.stream().map(Orphan::key).toList());
        // What was moved away counts no more where it was.
        return outcome(moved, quotas.run(true, warnings), quotas.findings());
    }

    /** @param moved files that move, and findings that are no such files */
    private Outcome outcome(long[] moved, long counted, long quotas) {
        long bytes = orphans.stream().mapToLong(Orphan::length).sum();
        return new Outcome(
                lostAndFound.value(), moved[0], orphans.size(), bytes, counted, moved[1] - orphans.size() - quotas);
    }

    private boolean move(FilePath path, Consumer<String> warnings) throws IOException {
        if (bdt.stat(path).isEmpty()) {
            // Two kinds of damage are two entries of the log.
            return false;
        }
        FilePath to = new FilePath(lostAndFound.value() + path.value());
        VectorResult result = bdt.apply(OperationVector.of(
                new Operation.MakeDirectory(to.parent().orElse(lostAndFound), PRIVATE, true),
                new Operation.Rename(path, to, false)));
        if (result instanceof VectorResult.Refused refused) {
            warnings.accept("%s stays: %s".formatted(path, refused.reason()));
            return false;
        }
        return true;
    }
}
