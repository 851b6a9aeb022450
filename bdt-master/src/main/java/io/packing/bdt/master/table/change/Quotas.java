// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.master.table.read.EffectiveQuotas;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.TreeUse;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.TooMuchWorkException;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what counts for directories with a quota, as entries come, go and move (RFC 0014). A replay keeps no counts: they are made when
 * it has ended. Confined to the writer thread.
 */
public final class Quotas implements Staged {
    /** The largest removed tree that is taken off at once. The entries of a larger one are taken off when upkeep removes them. */
    public static final int MOST_COUNTED = 10_000;

    /** Rows of a directory: its entry, its quota, and two for the begin of a scan. */
    private static final long UNITS_PER_NAME = 4;

    private static final int MOST_CACHED = 100_000;

    private final WriteSet rows;
    private final Namespace namespace;
    private final boolean kept;
    private final EffectiveQuotas ways;
    /** Directories with a quota at or above a directory. */
    private final Map<Long, List<Long>> above = new HashMap<>();
    /** The use of each quota before the operation under way. */
    private final Map<Long, QuotaUse> before = new LinkedHashMap<>();

    private boolean any;
    private boolean stale = true;

    /** @param kept whether changes are counted */
    Quotas(WriteSet rows, Namespace namespace, boolean kept) {
        this.rows = rows;
        this.namespace = namespace;
        this.kept = kept;
        this.ways = new EffectiveQuotas(rows, namespace);
    }

    private boolean isEmpty() throws IOException {
        if (stale) {
            any = EffectiveQuotas.any(rows);
            stale = false;
        }
        return !any;
    }

    private boolean isCounted() throws IOException {
        return kept && !isEmpty();
    }

    private List<Long> above(long directory) throws IOException {
        List<Long> known = above.get(directory);
        if (known == null) {
            if (above.size() >= MOST_CACHED) {
                above.clear();
            }
            known = ways.above(directory);
            above.put(directory, known);
        }
        return known;
    }

    private void count(List<Long> quotas, QuotaUse more) throws IOException {
        if (more.isNone()) {
            return;
        }
        for (long directory : quotas) {
            QuotaRow row = QuotaRow.of(rows, directory)
                    .orElseThrow(() -> new IOException("the quota of directory %d has gone".formatted(directory)));
            before.putIfAbsent(directory, row.use());
            try {
                put(directory, row.with(row.use().plus(more)));
            } catch (ArithmeticException e) {
                throw row.refusal(Outcome.BYTES_QUOTA, ways.path(directory));
            }
        }
    }

    private void put(long directory, QuotaRow row) {
        rows.put(Keys.numbered(Keys.QUOTA, directory), row.encode());
    }

    /** Counts an entry that was not there. The reserved directory counts nowhere, as what is below it. */
    void arrived(EntryLink at, Inode entry) throws IOException {
        if (isCounted() && !EffectiveQuotas.isReserved(at)) {
            count(above(at.parent()), QuotaUse.of(entry));
        }
    }

    /** Counts the entries that a new clone of a directory shows. The clone itself was counted. */
    void cloned(long parent, Inode clone) throws IOException {
        if (isCounted() && !above(parent).isEmpty()) {
            QuotaUse all = all(clone);
            count(above(parent), all.plus(QuotaUse.of(clone).negated()));
        }
    }

    /** Files of a directory became longer or shorter together. */
    public void grew(long parent, long bytes) throws IOException {
        if (bytes != 0 && isCounted()) {
            count(above(parent), new QuotaUse(0, bytes));
        }
    }

    /** An entry moves; what is below it moves along. */
    void moved(long from, long to, Inode entry) throws IOException {
        if (from == to || isEmpty()) {
            return;
        }
        if (kept) {
            List<Long> left = new ArrayList<>(above(from));
            List<Long> entered = new ArrayList<>(above(to));
            left.removeAll(above(to));
            entered.removeAll(above(from));
            if (!left.isEmpty() || !entered.isEmpty()) {
                QuotaUse use = use(entry);
                count(left, use.negated());
                count(entered, use);
            }
        }
        if (entry.isDirectory()) {
            above.clear();
        }
    }

    private QuotaUse use(Inode entry) throws IOException {
        if (!entry.isDirectory()) {
            return QuotaUse.of(entry);
        }
        Optional<QuotaRow> own = known(entry.id());
        return own.isPresent() ? own.get().use() : all(entry);
    }

    /** The quota of a directory that counts all that the directory has. */
    private Optional<QuotaRow> known(long directory) throws IOException {
        Optional<QuotaRow> row = QuotaRow.of(rows, directory);
        return row.isPresent() && QuotaCount.isUnknown(QuotaCount.all(rows), directory) ? Optional.empty() : row;
    }

    /** Counts a tree while the writer waits: a small one. */
    private QuotaUse all(Inode directory) throws IOException {
        try {
            return new TreeUse(rows, namespace).of(directory);
        } catch (TooMuchWorkException e) {
            throw new IllegalArgumentException(
                    ("a quota is about to count a directory that has too many names to count while all other changes wait: do it with"
                                    + " the directories in it one by one, or set a quota of the directory itself first, whose"
                                    + " count is taken then (%s)")
                            .formatted(e.getMessage()),
                    e);
        }
    }

    /** Takes off an entry that has gone. Upkeep removes the entries below it. */
    void left(EntryLink at, Inode entry) throws IOException {
        if (isEmpty()) {
            return;
        }
        long parent = at.parent();
        List<Long> quotas = kept && !EffectiveQuotas.isReserved(at) ? above(parent) : List.of();
        if (!entry.isDirectory()) {
            count(quotas, QuotaUse.of(entry).negated());
            return;
        }
        Optional<QuotaRow> own = known(entry.id());
        if (QuotaRow.of(rows, entry.id()).isPresent()) {
            rows.delete(Keys.numbered(Keys.QUOTA, entry.id()));
            QuotaCount.end(rows, entry.id());
            stale = true;
        }
        if (!quotas.isEmpty()) {
            count(quotas, own.isPresent() ? own.get().use().negated() : gone(parent, entry, quotas.get(0)));
        }
        above.clear();
    }

    /** Returns the use that is taken off for a directory that goes. */
    private QuotaUse gone(long parent, Inode directory, long quota) throws IOException {
        // Upkeep never removes the entries that a clone shows.
        boolean isClone = directory.origin().isPresent();
        boolean isReaped = parent != Inode.ROOT_ID && namespace.link(parent).isEmpty();
        // A request that deletes many trees leaves the counts of the later ones to upkeep.
        boolean isLeft = !isClone && (isReaped || !rows.effort().allows(UNITS_PER_NAME * MOST_COUNTED));
        Optional<QuotaUse> all = isClone
                ? Optional.of(all(directory))
                : isLeft ? Optional.empty() : new TreeUse(rows, namespace).of(directory, MOST_COUNTED);
        if (all.isEmpty()) {
            owe(directory.id(), quota);
        }
        return all.orElse(QuotaUse.of(directory)).negated();
    }

    private void owe(long directory, long quota) {
        rows.put(
                Keys.numbered(Keys.REAP, directory),
                new Bytes.Out().number(quota).toBytes());
    }

    /** Fails when the operation that has just been done made a count larger that is beyond its limit. */
    public void check() throws IOException {
        List<QuotaCount> counting = before.isEmpty() ? List.of() : QuotaCount.all(rows);
        for (Map.Entry<Long, QuotaUse> each : before.entrySet()) {
            if (QuotaCount.isUnknown(counting, each.getKey())) {
                continue;
            }
            Optional<QuotaRow> row = QuotaRow.of(rows, each.getKey());
            Optional<Outcome> exceeded =
                    row.isEmpty() ? Optional.empty() : row.get().exceeded(each.getValue());
            if (exceeded.isPresent()) {
                throw row.get().refusal(exceeded.get(), ways.path(each.getKey()));
            }
        }
        before.clear();
    }

    /** Why a directory may not have something more; empty: it may. */
    public Optional<QuotaExceededException> whyNot(long directory, QuotaUse more) throws IOException {
        return isCounted() ? ways.whyNot(above(directory), more) : Optional.empty();
    }

    public Optional<QuotaRow> of(long directory) throws IOException {
        return isEmpty() ? Optional.empty() : QuotaRow.of(rows, directory);
    }

    /**
     * Sets the limits of a directory, and counts what it has; without a limit it has no quota any more. A directory with many names is
     * counted beside the writer from now on.
     *
     * @param position of the mutation
     */
    public void set(Inode directory, QuotaRow limits, long position) throws IOException {
        settle(directory.id());
        QuotaCount.end(rows, directory.id());
        if (limits.mostNames().isEmpty() && limits.mostBytes().isEmpty()) {
            rows.delete(Keys.numbered(Keys.QUOTA, directory.id()));
        } else if (kept) {
            count(directory, limits, position);
        } else {
            put(directory.id(), limits.with(QuotaUse.NONE));
        }
        above.clear();
        stale = true;
    }

    private void count(Inode directory, QuotaRow limits, long position) throws IOException {
        Optional<QuotaUse> use;
        try {
            use = new TreeUse(rows, namespace).of(directory, MOST_COUNTED);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the directory has more bytes than anybody can count", e);
        }
        if (use.isPresent()) {
            put(directory.id(), limits.with(use.get()));
        } else {
            Optional<QuotaRow> before = known(directory.id());
            put(directory.id(), limits.with(before.map(QuotaRow::use).orElse(QuotaUse.NONE)));
            QuotaCount.begin(rows, new QuotaCount(directory.id(), position, before.isEmpty()));
        }
    }

    /** Ends a count. The quota counts from now on what the directory had more than the quota counted, at any moment since the count began. */
    public void counted(QuotaCount count, Optional<QuotaUse> missing) throws IOException {
        if (!QuotaCount.all(rows).contains(count)) {
            return;
        }
        QuotaCount.end(rows, count.directory());
        Optional<QuotaRow> row = QuotaRow.of(rows, count.directory());
        if (row.isPresent() && missing.isPresent()) {
            put(count.directory(), row.get().with(row.get().use().plus(missing.get())));
        }
    }

    /** Lets the quota above this one owe the rest of removed trees, since a count of this one leaves it out. */
    private void settle(long directory) throws IOException {
        if (QuotaRow.of(rows, directory).isEmpty()) {
            return;
        }
        List<Long> all = ways.above(directory);
        List<Long> owing = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REAP), Keys.kindEnd(Keys.REAP), (key, value) -> {
            if (EffectiveQuotas.owed(Optional.of(value)).equals(Optional.of(directory))) {
                owing.add(Keys.number(key));
            }
            return true;
        });
        for (long each : owing) {
            if (all.size() > 1) {
                owe(each, all.get(1));
            } else {
                rows.put(Keys.numbered(Keys.REAP, each), new byte[0]);
            }
        }
    }

    @Override
    public void accept() {
        before.clear();
    }

    /** Forgets what it derived from rows that were taken back. */
    public void forget() {
        before.clear();
        above.clear();
        stale = true;
    }

    @Override
    public void reject() {
        forget();
    }

    @Override
    public void written() {}

    @Override
    public void abandon() {
        forget();
    }
}
