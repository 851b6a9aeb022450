// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.EffectiveQuotas;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.QuotaCounting;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.read.TreeUse;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets quotas of directories, and counts all anew. Confined to the writer thread. */
public final class QuotaOperations {
    private static final Logger LOG = LoggerFactory.getLogger(QuotaOperations.class);

    private final Transaction transaction;
    private final Permissions permissions;

    public QuotaOperations(Transaction transaction, Permissions permissions) {
        this.transaction = transaction;
        this.permissions = permissions;
    }

    public Outcome set(FilePath path, QuotaChange change) throws IOException {
        PathChecks.checkPresent(path);
        Target target = transaction.toChange(permissions.reach(transaction.namespace(), path));
        if (target.inode().isEmpty()) {
            return target.found().whyAbsent();
        }
        Inode directory = target.inode().get();
        permissions.setQuota(path, target.file().inode().orElse(directory));
        if (!directory.isDirectory()) {
            return Outcome.NOT_A_DIRECTORY;
        }
        if (FilePath.RESERVED.equals(path) || FilePath.RESERVED.contains(path)) {
            return Outcome.INVALID;
        }
        Optional<QuotaRow> before = transaction.quotas().of(directory.id());
        OptionalLong names = change.namesAfter(before.map(QuotaRow::mostNames).orElse(OptionalLong.empty()));
        OptionalLong bytes = change.bytesAfter(before.map(QuotaRow::mostBytes).orElse(OptionalLong.empty()));
        long position = transaction.change().nextPosition();
        transaction.quotas().set(directory, new QuotaRow(names, bytes, QuotaUse.NONE), position);
        transaction.change().journal(position, new JournalEntry.QuotaSet(path, names, bytes));
        return Outcome.DONE;
    }

    /** Replays a quota that was set; the quota of a directory that is gone is left out. */
    public void replay(JournalEntry.QuotaSet set) throws IOException {
        Optional<Inode> directory = transaction.toChange(set.path()).inode().filter(Inode::isDirectory);
        if (directory.isPresent()) {
            QuotaRow limits = new QuotaRow(set.mostNames(), set.mostBytes(), QuotaUse.NONE);
            transaction
                    .quotas()
                    .set(directory.get(), limits, transaction.change().upcomingPosition());
        }
    }

    /** Counts every directory with a quota; a recovery ends with it. */
    public void countAll() throws IOException {
        Map<Long, QuotaRow> quotas = new HashMap<>();
        WriteSet rows = transaction.rows();
        rows.scan(Keys.kind(Keys.QUOTA), Keys.kindEnd(Keys.QUOTA), (key, value) -> {
            quotas.put(Keys.number(key), QuotaRow.decode(value));
            return true;
        });
        if (quotas.isEmpty()) {
            return;
        }
        settleAll(rows);
        QuotaCount.endAll(rows);
        EffectiveQuotas ways = new EffectiveQuotas(rows, transaction.namespace());
        Map<Long, Integer> depths = new HashMap<>();
        for (long each : quotas.keySet()) {
            depths.put(each, ways.above(each).size());
        }
        List<Long> lowestFirst = new ArrayList<>(quotas.keySet());
        lowestFirst.sort(Comparator.comparingInt((Long each) -> depths.getOrDefault(each, 0))
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        for (long each : lowestFirst) {
            count(rows, each, quotas);
        }
        transaction.quotas().forget();
    }

    private void count(WriteSet rows, long id, Map<Long, QuotaRow> quotas) throws IOException {
        byte[] key = Keys.numbered(Keys.QUOTA, id);
        Namespace names = transaction.namespace();
        Optional<Inode> directory = QuotaCounting.directory(names, id);
        QuotaRow row = quotas.get(id);
        if (directory.isEmpty() || row == null) {
            rows.delete(key);
            return;
        }
        try {
            rows.put(key, row.with(new TreeUse(rows, names).of(directory.get())).encode());
        } catch (ArithmeticException e) {
            LOG.error("directory {} has more bytes than anybody can count; its quota counts what it did before", id, e);
        }
    }

    /** Lets no quota owe the rest of removed trees, which was not counted. */
    private static void settleAll(WriteSet rows) throws IOException {
        List<byte[]> owing = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REAP), Keys.kindEnd(Keys.REAP), (key, value) -> {
            if (value.length > 0) {
                owing.add(key);
            }
            return true;
        });
        owing.forEach(key -> rows.put(key, new byte[0]));
    }
}
