// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Unread;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads a mount's journal and backups, as rarely as the request budget asks. Nothing is uploaded while nothing but
 * claims and commits happens, except a backup when enough has changed.
 *
 * <p>A table whose recovery could not read an object is not backed up until an operator accepts that. A backup would cover the object:
 * the next recovery would not read it, although the operator has put it back, and the journals that it belongs to would be deleted.
 * Thread-safe: one upload at a time.
 */
public final class Uploader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Uploader.class);

    /**
     * The intervals of uploads.
     *
     * @param backupMinChanges mutations since the last backup
     */
    public record UploadOptions(Duration backupInterval, long backupMinChanges, Duration journalInterval) {}

    private static final byte[] COVERED = Keys.named(Keys.META, "covered");

    private final String mount;
    private final ObjectStore objects;
    private final Table table;
    private final UploadOptions schedule;
    private final MountLease lease;
    private final Path scratch;
    private final MountKeys keys;
    private final DiskCheck disk;
    private final Spans spans;
    private final LongSupplier nanoClock;
    private final UploadState state;
    private final RecentJournals recent = new RecentJournals();
    private final JournalBarrier barrier;
    /** Read while an upload is under way. */
    private volatile long backedUp;

    /** True if the last backup that was due was held back. */
    private boolean heldBack;

    private long nextBackup;
    private long nextJournal;

    /** @param disk asked before a journal or a backup grows in the scratch folder */
    public Uploader(
            MountStorage storage, UploadOptions schedule, MountLease lease, DiskCheck disk, LongSupplier nanoClock)
            throws IOException {
        this.mount = storage.mount();
        this.objects = storage.objects();
        this.table = storage.table();
        this.schedule = schedule;
        this.lease = lease;
        this.scratch = storage.scratch();
        this.keys = storage.keys();
        this.disk = disk;
        this.spans = storage.spans();
        this.nanoClock = nanoClock;
        this.state = UploadState.load(table.rows());
        this.barrier = new JournalBarrier(mount, this::uploadJournalNow);
        this.backedUp = state.backupPosition();
        tellJournalled(Math.max(state.journalPosition(), backedUp));
        this.heldBack = isHeldBack();
        this.nextBackup = nanoClock.getAsLong() + schedule.backupInterval().toNanos();
        this.nextJournal = nanoClock.getAsLong() + schedule.journalInterval().toNanos();
    }

    /** For changes that are answered only when the store has their journal. */
    public JournalBarrier barrier() {
        return barrier;
    }

    /** Uploads what is due; returns whether anything was. */
    public synchronized boolean step() throws IOException {
        long now = nanoClock.getAsLong();
        // What fails stays due.
        if (isHeldBack()) {
            heldBack = true;
        } else if (heldBack || now - nextBackup >= 0) {
            boolean enough = heldBack || table.position() - state.backupPosition() >= schedule.backupMinChanges();
            if (enough) {
                backup();
                heldBack = false;
            }
            nextBackup = now + schedule.backupInterval().toNanos();
            if (enough) {
                return true;
            }
        }
        if (now - nextJournal >= 0) {
            boolean uploaded = uploadJournal();
            nextJournal = now + schedule.journalInterval().toNanos();
            return uploaded;
        }
        return false;
    }

    /** Returns whether backups wait until an operator accepts that a recovery could not read an object. */
    public boolean isHeldBack() throws IOException {
        return !Unread.load(table.rows()).isEmpty();
    }

    /** Backs up now, if anything changed since the last backup; uploads the journal while backups wait. */
    public synchronized void checkpoint() throws IOException {
        if (isHeldBack()) {
            long journalled = uploadWholeJournal();
            LOG.warn(
                    "mount {}: its journal is uploaded up to position {}, and no backup is made until an operator has put back or accepted"
                            + " what a recovery could not read",
                    mount,
                    journalled);
        } else if (table.position() > state.backupPosition()) {
            backup();
        }
    }

    /** The position of the newest backup in the store; does not wait for one that is under way. */
    public long backedUpPosition() {
        return backedUp;
    }

    /** Returns the position that every backup of a possible recovery covers. */
    public synchronized long coveredPosition() {
        return state.fallbackPosition();
    }

    /** Backs up until {@link #coveredPosition} has reached what was written before this call. */
    public synchronized void cover() throws IOException {
        long wanted = table.position();
        while (state.fallbackPosition() < wanted) {
            if (state.backupPosition() == table.position()) {
                // Backups are named by their position: a second one needs another.
                tellBackupsApart();
            }
            backup();
        }
    }

    private void tellBackupsApart() throws IOException {
        long next = Waiting.on(table.writer().submit(t -> {
            t.rows()
                    .put(
                            COVERED,
                            new Bytes.Out().number(t.change().nextPosition()).toBytes());
            return t.counters().position();
        }));
        LOG.debug("mount {}: position {} only tells two backups apart", mount, next);
    }

    /** Returns the check of the disk with the scratch folder. */
    public DiskCheck disk() {
        return disk;
    }

    /** Makes two backups after this call, whether anything changed or not: a store that got none yet has all that a recovery needs. */
    public synchronized void coverAnew() throws IOException {
        tellBackupsApart();
        cover();
    }

    /** Fails when a newer master owns the mount. */
    public void checkOwner() throws IOException {
        lease.check();
    }

    public synchronized void uploadJournalNow() throws IOException {
        boolean uploaded = uploadJournal();
        LOG.debug("mount {}: journal uploaded: {}", mount, uploaded);
    }

    @Override
    public void close() {
        objects.close();
    }

    /** Journal entries in the table. */
    private static final class JournalRows {
        private long first;
        private long last;
        private long entries;
        private boolean urgent;

        void add(byte[] key, byte[] value) {
            last = Keys.number(key);
            first = entries == 0 ? last : first;
            urgent |= JournalBytes.decode(value).urgent();
            entries++;
        }
    }

    /** Uploads the journal entries since the last upload, if one of them is urgent; returns whether it did. */
    private boolean uploadJournal() throws IOException {
        long position = table.position();
        JournalRows since = sinceLastUpload();
        if (since.urgent) {
            upload(since);
        }
        tellJournalled(position);
        return since.urgent;
    }

    /** Lets workers forget what was deleted until a position. An object that was not read may need these bytes when it is put back. */
    private void tellJournalled(long position) throws IOException {
        if (!isHeldBack()) {
            table.journalled(position);
        }
    }

    /** Uploads all journal entries since the last upload; returns the position up to which the store's journals have all entries. */
    private long uploadWholeJournal() throws IOException {
        JournalRows since = sinceLastUpload();
        if (since.entries > 0) {
            upload(since);
        }
        return state.journalPosition();
    }

    private JournalRows sinceLastUpload() throws IOException {
        JournalRows since = new JournalRows();
        scanJournal(state.journalPosition() + 1, (key, value) -> {
            since.add(key, value);
            return true;
        });
        return since;
    }

    private void upload(JournalRows since) throws IOException {
        long rows = SpannedWork.run(spans, "journal", span -> {
            long written = writeJournal(since);
            span.with("packing.rows", written);
            return written;
        });
        LOG.debug("mount {}: a journal of {} entries is uploaded", mount, rows);
    }

    /** Returns the number of its rows. */
    private long writeJournal(JournalRows since) throws IOException {
        List<MasterObject> replaced = recent.replacedBy(since.entries);
        Path file = Files.createTempFile(scratch, "journal", ".rows");
        try {
            JournalRows all = new JournalRows();
            try (RowFile.Writer writer = new RowFile.Writer(file, disk, keys.rows())) {
                long from = replaced.isEmpty() ? since.first : replaced.get(0).first();
                JournalChain.write(writer, state.journalsBefore(from));
                scanJournal(from, (key, value) -> {
                    writer.row(key, value);
                    all.add(key, value);
                    return true;
                });
                writer.finish(all.last);
            }
            lease.check();
            MasterObject name = MasterObject.journal(all.first, all.last);
            objects.put(name.key(), file, PutCondition.NONE);
            // Who takes the mount over from now on finds the journal; who did so before may have looked already.
            lease.check();
            recent.uploaded(name, all.entries, replaced);
            state.uploaded(name);
            save(0);
            delete(replaced);
            return all.entries;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Deletes journals that another one has the entries of; those that cannot be deleted now go with the next but one backup. */
    private void delete(List<MasterObject> replaced) {
        try {
            objects.delete(replaced.stream().map(MasterObject::key).toList());
            state.deleted(replaced);
        } catch (IOException e) {
            LOG.warn("mount {}: {} journals stay for now: {}", mount, replaced.size(), e.toString());
        }
    }

    private void scanJournal(long from, Rows.Visitor visitor) throws IOException {
        table.rows().scan(Keys.numbered(Keys.JOURNAL, from), Keys.kindEnd(Keys.JOURNAL), visitor);
    }

    private void backup() throws IOException {
        long rows = SpannedWork.run(spans, "backup", span -> {
            long written = writeBackup();
            span.with("packing.rows", written);
            return written;
        });
        LOG.debug("mount {}: {} rows are backed up", mount, rows);
    }

    private long writeBackup() throws IOException {
        // All of the journal first, urgent or not: if this backup is damaged one day, the one before and the journals
        // still have every change.
        long journalled = uploadWholeJournal();
        Path file = Files.createTempFile(scratch, "backup", ".rows");
        try {
            long[] position = new long[1];
            long rows;
            try (RowFile.Writer writer = new RowFile.Writer(file, disk, keys.rows())) {
                table.rows().scan(new byte[0], new byte[0], (key, value) -> {
                    if (key[0] != Keys.JOURNAL && key[0] != Keys.REQUEST && !Keys.isFence(key)) {
                        writer.row(key, value);
                    }
                    if (Arrays.equals(key, Counters.KEY)) {
                        position[0] = Counters.decode(value).position();
                    }
                    return true;
                });
                writer.finish(position[0]);
                rows = writer.count();
                LOG.info("mount {}: backing up {} rows at position {}", mount, rows, position[0]);
            }
            lease.check();
            MasterObject name = MasterObject.backup(position[0]);
            objects.put(name.key(), file, PutCondition.NONE);
            List<MasterObject> obsolete = state.backedUp(name);
            recent.clear();
            backedUp = name.last();
            tellJournalled(backedUp);
            // A change since then is in this backup, and has to come into a journal, too.
            save(Math.min(position[0], journalled));
            objects.delete(obsolete.stream().map(MasterObject::key).toList());
            return rows;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Records in the table what was uploaded, and drops the journal entries that no later upload needs. */
    private void save(long dropUpTo) throws IOException {
        byte[] encoded = state.encode();
        int dropped = Waiting.on(table.writer().submit(t -> {
            t.rows().put(UploadState.KEY, encoded);
            List<byte[]> old = new ArrayList<>();
            t.rows()
                    .scan(
                            Keys.kind(Keys.JOURNAL),
                            Keys.numbered(Keys.JOURNAL, dropUpTo + 1),
                            (key, value) -> old.add(key.clone()));
            old.forEach(t.rows()::delete);
            return old.size();
        }));
        LOG.debug("mount {}: {} journal entries are not needed any more", mount, dropped);
    }
}
