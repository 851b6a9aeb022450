package io.packing.bdt.master.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A directory whose quota is being counted beside the writer, since it has many names (RFC 0014). The row of the quota takes all changes
 * meanwhile. The count is one of a moment, and so is the row's; what the row counted since then is added.
 *
 * @param since position of the mutation that asked for it; a later one begins anew
 * @param isFirst whether the row counts changes only, so that its limits do not hold yet
 */
record QuotaCount(long directory, long since, boolean isFirst) {
    /** The key of the row that has all of them; there is none when nothing is counted. */
    private static final byte[] KEY = Keys.named(Keys.META, "counting");

    /** Those under way. */
    static List<QuotaCount> all(Rows rows) throws IOException {
        Optional<byte[]> row = rows.get(KEY);
        List<QuotaCount> all = new ArrayList<>();
        if (row.isPresent()) {
            for (Bytes.In in = new Bytes.In(row.get()); in.hasMore(); ) {
                all.add(new QuotaCount(in.number(), in.number(), in.byte1() == 1));
            }
        }
        return all;
    }

    /** Returns whether what a directory has is not known yet. */
    static boolean isUnknown(List<QuotaCount> all, long directory) {
        return all.stream().anyMatch(each -> each.directory == directory && each.isFirst);
    }

    /** Begins to count a directory, or begins anew. */
    static void begin(WriteSet rows, QuotaCount count) throws IOException {
        List<QuotaCount> all = without(rows, count.directory);
        all.add(count);
        put(rows, all);
    }

    /** Counts a directory no more. */
    static void end(WriteSet rows, long directory) throws IOException {
        List<QuotaCount> before = all(rows);
        List<QuotaCount> after = without(rows, directory);
        if (after.size() < before.size()) {
            put(rows, after);
        }
    }

    static void endAll(WriteSet rows) throws IOException {
        if (!all(rows).isEmpty()) {
            put(rows, List.of());
        }
    }

    private static List<QuotaCount> without(WriteSet rows, long directory) throws IOException {
        List<QuotaCount> all = all(rows);
        all.removeIf(each -> each.directory == directory);
        return all;
    }

    private static void put(WriteSet rows, List<QuotaCount> all) {
        if (all.isEmpty()) {
            rows.delete(KEY);
            return;
        }
        Bytes.Out out = new Bytes.Out();
        all.forEach(each -> out.number(each.directory).number(each.since).byte1(each.isFirst ? 1 : 0));
        rows.put(KEY, out.toBytes());
    }

    /** Counts for a quota: the present entries of the directory, and removed ones that upkeep has not taken off yet. */
    static Use use(Rows rows, Namespace namespace, Inode directory) throws IOException {
        Use has = new TreeUse(rows, namespace).of(directory);
        List<Long> removed = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REAP), Keys.kindEnd(Keys.REAP), (key, value) -> {
            if (QuotaWays.owed(Optional.of(value)).equals(Optional.of(directory.id()))) {
                removed.add(Keys.number(key));
            }
            return true;
        });
        for (long each : removed) {
            has = has.plus(new TreeUse(rows, namespace).below(each));
        }
        return has;
    }

    /** By how much the row of a quota counts too little at this moment; empty: there is no such directory or quota any more. */
    static Optional<Use> missing(Rows rows, Namespace namespace, long id) throws IOException {
        Optional<QuotaRow> row = QuotaRow.of(rows, id);
        Optional<Inode> directory = directory(namespace, id);
        return row.isEmpty() || directory.isEmpty()
                ? Optional.empty()
                : Optional.of(use(rows, namespace, directory.get())
                        .plus(row.get().use().negated()));
    }

    /** Counts the next of them, and ends it; returns whether there was one. */
    static boolean step(TableState state, TableWriter writer) throws IOException {
        Optional<QuotaCount> next = all(state.rows()).stream().findFirst();
        if (next.isPresent()) {
            Optional<Use> missing = state.ask(
                    view -> missing(view.rows(), view.namespace(), next.get().directory()));
            boolean unused = Waiting.on(writer.submit(transaction -> {
                transaction.quotas().counted(next.get(), missing);
                return true;
            }));
        }
        return next.isPresent();
    }

    /** The directory that a quota is of. */
    static Optional<Inode> directory(Namespace namespace, long id) throws IOException {
        return id == Inode.ROOT_ID
                ? Optional.of(namespace.root())
                : namespace.linked(id).map(Namespace.Entry::inode);
    }
}
