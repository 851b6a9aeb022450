// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.recover.RecoveryMerge;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.Unread;
import io.packing.blob.SoundRead;
import io.packing.encryption.Keystore;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a mount's table from what the backing store has (§5.1): the newest intact backup, the journal entries after it,
 * and the footers of the blobs that it does not know. A store without anything makes an empty table.
 *
 * <p>What is read is staged in the table by log position, and then merged in that order, so memory does not grow with
 * what was lost.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int ROWS_PER_BATCH = 5_000;
    /** The most listings of journals, when uploads replace some meanwhile. */
    private static final int MOST_LISTINGS = 10;

    private final String mount;
    private final ObjectStore objects;
    private final StoreListing listing;
    private final SortedStore store;
    private final Path scratch;
    private final Clock clock;
    private final RecoveryProgress progress;
    private final SeenKeys keystore;
    private final MapForm form;
    private final RecoveryReport report = new RecoveryReport();
    private final JournalChain chain = new JournalChain();
    /** The journal's records of recoveries after the backup, oldest first. */
    private final List<Recovered> before = new ArrayList<>();

    /** Makes a recovery without an observer of its progress. */
    Recovery(String mount, ObjectStore objects, SortedStore store, Path scratch, Clock clock) {
        this(mount, objects, store, scratch, clock, new RecoveryProgress(() -> 0), Keystore.NONE, MapForm.USUAL);
    }

    /**
     * @param progress told what is done now
     * @param keystore that is asked for what is encrypted; without a key nothing is recovered, rather than a part
     * @param form which maps of files are in rows
     */
    public Recovery(
            String mount,
            ObjectStore objects,
            SortedStore store,
            Path scratch,
            Clock clock,
            RecoveryProgress progress,
            Keystore keystore,
            MapForm form) {
        this.form = form;
        this.keystore = new SeenKeys(keystore);
        this.progress = progress;
        this.mount = mount;
        this.objects = objects;
        this.listing = new StoreListing(objects);
        this.store = store;
        this.scratch = scratch;
        this.clock = clock;
    }

    /** Fills the store. The mount must be this master's: no other master writes into the backing store any more. */
    public void run(long epoch) throws IOException {
        List<MasterObject> found = listing.masterObjects();
        report.takenOver = epoch > 1;
        progress.phase("reads the backup", RecoveryProgress.UNKNOWN);
        loadBackup(found);
        found = stageJournals(found);
        progress.phase("lists blobs", RecoveryProgress.UNKNOWN);
        List<FooterScan.Blob> unknown = listing.unknownBlobs(new StoreRows(store));
        progress.phase("reads footers of blobs", unknown.size());
        new FooterScan(objects, store, keystore, report, progress).stage(unknown);
        progress.phase("merges what was found", RecoveryProgress.UNKNOWN);
        jumpIds(epoch);
        RecoveryMerge merge = new RecoveryMerge(
                store, clock.instant().toEpochMilli(), report.backupPosition, List.copyOf(before), form);
        report.merged = merge.run();
        finish(found, epoch, merge.remade());
        if (!report.isEmpty()) {
            LOG.info("mount {} recovered from {}: {}", mount, objects.location(), report);
        }
    }

    RecoveryReport report() {
        return report;
    }

    private void loadBackup(List<MasterObject> found) throws IOException {
        List<MasterObject> backups = found.stream()
                .filter(object -> object.kind() == MasterObject.Kind.BACKUP)
                .sorted(Comparator.comparingLong(MasterObject::last).reversed())
                .toList();
        List<MasterObject> damaged = new ArrayList<>();
        for (MasterObject backup : backups) {
            try {
                Batches batches = new Batches();
                report.backupPosition = rows(backup, (key, value) -> {
                    progress.step();
                    batches.put(key, value);
                    return true;
                });
                batches.flush();
                return;
            } catch (RowFile.DamagedException e) {
                report.damagedBackups++;
                damaged.add(backup);
                LOG.error("mount {}: backup {} is damaged, taking the one before", mount, backup.key(), e);
            }
        }
        if (damaged.size() > 1) {
            // The journals from before the older one were deleted.
            MasterObject oldest = damaged.get(damaged.size() - 1);
            report.notRead(new Unread(oldest.key(), "is damaged, as all backups are", 0, oldest.last()));
        }
    }

    /** Reads a backup or journal; once more when it arrives damaged, since that need not be the store's. */
    private long rows(MasterObject object, Rows.Visitor visitor) throws IOException {
        Path file = scratch.resolve("rows");
        for (int tries = 1; ; tries++) {
            Files.deleteIfExists(file);
            objects.download(object.key(), file);
            try {
                return RowFile.read(file, keystore, visitor);
            } catch (RowFile.DamagedException e) {
                if (tries == SoundRead.TRIES) {
                    throw e;
                }
                LOG.warn("mount {}: {} arrived damaged, reading it again", mount, object.key(), e);
            } finally {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * Stages the journals that were found. The master of before, if it still lives, may put one in the place of others
     * meanwhile: then they are looked for again.
     *
     * @return what the store has
     */
    private List<MasterObject> stageJournals(List<MasterObject> found) throws IOException {
        List<MasterObject> there = found;
        for (int tries = 1; ; tries++) {
            try {
                stage(there);
                return there;
            } catch (ObjectNotFoundException e) {
                if (tries == MOST_LISTINGS) {
                    throw e;
                }
                LOG.info(
                        "mount {}: a journal was replaced while it was asked for; listing again: {}",
                        mount,
                        e.getMessage());
                there = listing.masterObjects();
            }
        }
    }

    private void stage(List<MasterObject> found) throws IOException {
        report.journalEntries = 0;
        report.damagedJournals = 0;
        before.clear();
        chain.clear();
        Batches batches = new Batches();
        List<MasterObject> journals = found.stream()
                .filter(object -> object.kind() == MasterObject.Kind.JOURNAL && object.last() > report.backupPosition)
                .toList();
        progress.phase("reads journals", journals.size());
        for (MasterObject journal : journals) {
            progress.step();
            try {
                long[] follows = {-1};
                long read = rows(journal, (key, value) -> {
                    if (JournalChain.isOwn(key)) {
                        follows[0] = JournalChain.follows(value);
                        return true;
                    }
                    long position = Keys.number(key);
                    if (position > report.backupPosition) {
                        batches.put(Keys.staged(position, 0, ""), value);
                        JournalEntry entry = JournalBytes.decode(value);
                        // Attributes of a lost file can only have been changed before it was lost.
                        if (entry.isHistory() || entry instanceof JournalEntry.Changed) {
                            batches.put(Keys.numbered(Keys.HISTORY, position), value);
                        }
                        if (entry instanceof JournalEntry.Remade again) {
                            batches.put(Keys.stagedBefore(again.since()), JournalBytes.encode(again.made()));
                        }
                        // Two journals have an entry when a master ended while one replaced the other.
                        if (entry instanceof JournalEntry.Rebuilt earlier && !before.contains(earlier.recovered())) {
                            before.add(earlier.recovered());
                        }
                        report.journalEntries++;
                    }
                    return true;
                });
                LOG.debug("mount {}: journal up to {}", mount, read);
                if (follows[0] < 0) {
                    chain.read(journal);
                } else {
                    chain.read(journal, follows[0]);
                }
            } catch (RowFile.DamagedException e) {
                report.damagedJournals++;
                chain.damaged(journal);
                LOG.error("mount {}: journal {} is damaged and left out", mount, journal.key(), e);
            }
        }
        batches.flush();
    }

    /** Returns whether workers may hold claimed files: after another master they may, even if that one uploaded nothing. */
    private boolean recovered(long epoch) {
        return epoch > 1 || !report.isEmpty();
    }

    /** Before the merge: a directory that it has to make must not get the id of a file that it has yet to see. */
    private void jumpIds(long epoch) throws IOException {
        if (recovered(epoch)) {
            Counters counters = store.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
            counters.jumpIds(epoch);
            store.write(new WriteBatch().put(Counters.KEY, counters.encode()), SortedStore.Sync.NONE);
        }
    }

    /** Jumps ahead and records what the backing store has. */
    private void finish(List<MasterObject> found, long epoch, List<JournalEntry.Remade> remade) throws IOException {
        Counters counters = store.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        WriteBatch batch = new WriteBatch();
        UploadState state = new UploadState();
        found.stream()
                .filter(object -> object.kind() != MasterObject.Kind.LEASE_EPOCH)
                .filter(object -> object.last() <= report.backupPosition || object.kind() == MasterObject.Kind.JOURNAL)
                .forEach(state::uploaded);
        if (recovered(epoch)) {
            counters.jumpPosition(epoch);
            Recovered recovered = new Recovered(counters.position(), counters.nextId(), report.backupPosition);
            Recoveries recoveries = Recoveries.load(new StoreRows(store));
            for (Recovered earlier : before) {
                recoveries = recoveries.with(earlier);
            }
            batch.put(Recoveries.KEY, recoveries.with(recovered).encode());
            batch.put(
                    Keys.numbered(Keys.JOURNAL, recovered.at()),
                    JournalBytes.encode(new JournalEntry.Rebuilt(recovered)));
            Batches journal = new Batches();
            for (JournalEntry.Remade each : remade) {
                journal.put(Keys.numbered(Keys.JOURNAL, counters.nextPosition()), JournalBytes.encode(each));
            }
            journal.flush();
        }
        Optional<String> key = keystore.name();
        if (key.isPresent() && store.get(MountKeys.KEY).isEmpty()) {
            batch.put(MountKeys.KEY, MountKeys.row(key.get()));
        }
        List<Unread> unread = new ArrayList<>(Unread.load(new StoreRows(store)));
        chain.unread(report.backupPosition).forEach(report::notRead);
        unread.addAll(report.unread(counters.position()));
        if (!unread.isEmpty()) {
            batch.put(Unread.KEY, Unread.encode(unread));
        }
        batch.put(Counters.KEY, counters.encode()).put(UploadState.KEY, state.encode());
        store.write(batch, SortedStore.Sync.FSYNC);
    }

    /** Rows on their way into the store, a bounded number at a time. */
    private final class Batches {
        private WriteBatch batch = new WriteBatch();
        private int rows;

        void put(byte[] key, byte[] value) throws IOException {
            batch.put(key, value);
            if (++rows == ROWS_PER_BATCH) {
                flush();
            }
        }

        void flush() throws IOException {
            if (!batch.isEmpty()) {
                store.write(batch, SortedStore.Sync.NONE);
                batch = new WriteBatch();
                rows = 0;
            }
        }
    }
}
