// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import com.google.common.primitives.Bytes;
import io.packing.bdt.master.log.BatchRecord;
import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of all mounts of a group on the disk of one member, made by the entries of the group's log.
 *
 * <p>The file {@code state} has the state after the entries up to one index. It is written once the stores have all of
 * them on stable storage. The stores may be ahead of the file. To apply the entries after that index again leads to
 * equal rows: only the file's state and these entries decide whether an entry is accepted.
 *
 * <p>One thread applies entries; all other methods are thread-safe.
 */
public final class ReplicatedTables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedTables.class);
    private static final String STATE = "state";
    /** The key of a mark, which is no row of a table: its sync also syncs all earlier writes. */
    private static final byte[] SYNCED = "msynced".getBytes(StandardCharsets.UTF_8);

    /** An opener of the store in a directory. */
    public interface Opener {
        SortedStore open(Path directory) throws IOException;
    }

    /** A wait for space on a full disk, which fails when the member stops. */
    public interface Patience {
        void pause() throws IOException;
    }

    /** An entry; the index is -1 for none. */
    public record Saved(long term, long index) {
        private static Saved of(MasterGroupState state) {
            return new Saved(state.term(), state.index());
        }
    }

    private final Path directory;
    private final TableFolders folders;
    private final Patience fullDisk;
    private final PendingParts parts = new PendingParts();
    private MasterGroupState state;
    /** The last entry of the file {@code state}, readable while entries are applied. */
    private volatile Saved saved;
    /** The number of changes of the texts, readable while entries are applied. */
    private volatile long textsVersion;

    private ReplicatedTables(Path directory, Opener opener, Patience fullDisk, MasterGroupState state) {
        this.directory = directory;
        this.folders = new TableFolders(directory, opener);
        this.fullDisk = fullDisk;
        this.state = state;
        this.saved = Saved.of(state);
        this.textsVersion = state.textsVersion();
    }

    /** Opens the tables of a directory; a new directory has those of an empty log. */
    public static ReplicatedTables open(Path directory, Opener opener, Patience fullDisk) throws IOException {
        DurableDirectory.create(directory);
        Path file = directory.resolve(STATE);
        MasterGroupState state =
                Files.exists(file) ? MasterGroupState.decode(Files.readString(file), file) : new MasterGroupState();
        ReplicatedTables tables = new ReplicatedTables(directory, opener, fullDisk, state);
        tables.folders.removeOthers(state.tables());
        return tables;
    }

    /** Returns the index of the last log entry that a closed directory has applied; -1: it has applied none. */
    public static long savedIndex(Path directory) throws IOException {
        Path file = directory.resolve(STATE);
        return Files.exists(file)
                ? MasterGroupState.decode(Files.readString(file), file).index()
                : -1;
    }

    /** Returns a copy of the state after the entries up to {@link MasterGroupState#index}. */
    public synchronized MasterGroupState state() {
        return MasterGroupState.decode(state.encode());
    }

    /** Returns the last entry whose effect is on disk. */
    public Saved saved() {
        return saved;
    }

    /** Returns the term of an applied entry, even if the log has purged it. */
    public synchronized Optional<Long> termOf(long index) {
        return state.termOf(index);
    }

    /** Returns a mount with a complete table. */
    public synchronized Optional<MasterGroupState.Mount> mount(String id) {
        return state.mount(id);
    }

    /** Returns a member as of its last start. */
    public synchronized Optional<MasterGroupState.Member> member(String id) {
        return Optional.ofNullable(state.members().get(id));
    }

    /** Returns the number of changes of the texts. */
    public long textsVersion() {
        return textsVersion;
    }

    /** Returns a small text that all members keep. */
    public synchronized Optional<String> text(String name) {
        return Optional.ofNullable(state.texts().get(name));
    }

    /** Returns the index of the last applied entry. */
    public synchronized long index() {
        return state.index();
    }

    /** Returns the table of a mount; its close does nothing, since this member owns the table. */
    public synchronized SortedStore table(String mount) throws IOException {
        MasterGroupState.Mount known = state.mount(mount)
                .orElseThrow(() -> new IOException("mount %s has no table in this group".formatted(mount)));
        return new BorrowedStore(store(known.folder()));
    }

    /** Returns the token of a mount's new table that is being filled. */
    public synchronized Optional<Long> filling(String mount) {
        return Optional.ofNullable(state.fillings().get(mount)).map(MasterGroupState.Filling::token);
    }

    /** Returns a row of such a table; empty if the table or the row is unknown. */
    public synchronized Optional<byte[]> filled(String mount, long token, byte[] key) throws IOException {
        MasterGroupState.Filling filling = state.fillings().get(mount);
        return filling == null || filling.token() != token
                ? Optional.empty()
                : store(filling.folder()).get(key);
    }

    /**
     * Applies an entry.
     *
     * @param writing runs just before rows of a table change
     * @return whether the entry was accepted; all members return an equal answer
     */
    public synchronized boolean apply(long term, long index, MasterGroupEntry entry, Runnable writing)
            throws IOException {
        if (index <= state.index()) {
            throw new IllegalStateException("entry %d after entry %d".formatted(index, state.index()));
        }
        boolean accepted;
        if (entry instanceof MasterGroupEntry.Rows rows) {
            accepted = rows(rows, writing);
        } else if (entry instanceof MasterGroupEntry.Part part) {
            accepted = parts.add(part);
        } else if (entry instanceof MasterGroupEntry.Begin begin) {
            accepted = begin(begin, index);
        } else if (entry instanceof MasterGroupEntry.Fill fill) {
            accepted = fill(fill);
        } else if (entry instanceof MasterGroupEntry.Hold hold) {
            accepted = hold(hold);
        } else if (entry instanceof MasterGroupEntry.Member member) {
            accepted = state.accepts(member);
            if (accepted) {
                state.members()
                        .put(
                                member.id(),
                                new MasterGroupState.Member(member.instance(), member.starts(), member.address()));
            }
        } else if (entry instanceof MasterGroupEntry.Text text) {
            accepted = state.keep(text);
            textsVersion = state.textsVersion();
        } else {
            accepted = true;
        }
        state.applied(term, index);
        return accepted;
    }

    /** Counts an entry of Raft's own, which changes no tables. */
    public synchronized void passed(long term, long index) {
        if (index > state.index()) {
            state.applied(term, index);
        }
    }

    private boolean rows(MasterGroupEntry.Rows entry, Runnable writing) throws IOException {
        Optional<MasterGroupState.Mount> known = state.mount(entry.mount());
        byte[] before = parts.take(entry.mount(), entry.parts());
        if (known.isEmpty()
                || known.get().leaseEpoch() != entry.leaseEpoch()
                || entry.first() <= known.get().position()
                || (before.length == 0 && entry.parts() > 0)) {
            return false;
        }
        WriteBatch batch =
                BatchRecord.decode(Bytes.concat(before, entry.rows())).rows();
        writing.run();
        write(store(known.get().folder()), batch);
        position(entry.mount(), known.get(), entry.last());
        return true;
    }

    private void position(String mount, MasterGroupState.Mount known, long position) {
        state.mounts()
                .put(mount, new MasterGroupState.Mount(known.folder(), known.leaseEpoch(), position, known.ready()));
    }

    private boolean begin(MasterGroupEntry.Begin begin, long index) throws IOException {
        MasterGroupState.Filling before = state.fillings().get(begin.mount());
        if (before != null) {
            remove(before.folder());
        }
        String folder = "%s@%d".formatted(begin.mount(), index);
        // The folder exists if the log is applied again.
        remove(folder);
        state.fillings().put(begin.mount(), new MasterGroupState.Filling(folder, begin.token()));
        return true;
    }

    private boolean fill(MasterGroupEntry.Fill fill) throws IOException {
        MasterGroupState.Filling filling = state.fillings().get(fill.mount());
        if (filling == null || filling.token() != fill.token()) {
            return false;
        }
        write(store(filling.folder()), BatchRecord.decode(fill.rows()).rows());
        return true;
    }

    private boolean hold(MasterGroupEntry.Hold hold) throws IOException {
        Optional<MasterGroupState.Mount> known = state.mount(hold.mount());
        if (known.isPresent() && hold.leaseEpoch() <= known.get().leaseEpoch()) {
            return false;
        }
        byte[] unfinished = parts.take(hold.mount(), 0);
        LOG.debug("{} bytes of rows whose last part never came are dropped", unfinished.length);
        if (hold.token() == 0) {
            known.ifPresent(mount -> state.mounts()
                    .put(
                            hold.mount(),
                            new MasterGroupState.Mount(
                                    mount.folder(), hold.leaseEpoch(), mount.position(), hold.ready())));
            return known.isPresent();
        }
        MasterGroupState.Filling filling = state.fillings().get(hold.mount());
        if (filling == null || filling.token() != hold.token()) {
            return false;
        }
        state.fillings().remove(hold.mount());
        state.mounts()
                .put(
                        hold.mount(),
                        new MasterGroupState.Mount(filling.folder(), hold.leaseEpoch(), hold.position(), hold.ready()));
        if (known.isPresent()) {
            remove(known.get().folder());
        }
        return true;
    }

    /** Writes the rows of a committed entry, which this member cannot refuse: it waits while its disk is full. */
    private void write(SortedStore store, WriteBatch batch) throws IOException {
        boolean told = false;
        while (true) {
            try {
                store.write(batch, SortedStore.Sync.NONE);
                return;
            } catch (DiskFullException e) {
                if (!told) {
                    told = true;
                    LOG.warn("this member of the group waits for space on its disk: {}", e.getMessage());
                }
                fullDisk.pause();
            }
        }
    }

    /**
     * Makes the effect of all applied entries durable.
     *
     * @return the index of the last of them; -1 if nothing was saved, since a batch's rows are not complete
     */
    public synchronized long save() throws IOException {
        if (!parts.isEmpty()) {
            return -1;
        }
        for (String folder : foldersOf(state)) {
            store(folder).write(new WriteBatch().put(SYNCED, new byte[0]), SortedStore.Sync.FSYNC);
        }
        DurableFile.write(directory, STATE, state.encode());
        saved = Saved.of(state);
        return state.index();
    }

    /**
     * Returns a snapshot of all tables as of now.
     *
     * @throws IOException if no snapshot is possible now; it will be soon
     */
    public synchronized Checkpoint checkpoint() throws IOException {
        if (!parts.isEmpty()) {
            throw new IOException("a group's rows are not complete; ask again");
        }
        Checkpoint checkpoint = new Checkpoint(MasterGroupState.decode(state.encode()));
        try {
            for (String folder : foldersOf(state)) {
                checkpoint.add(folder, store(folder).view());
            }
        } catch (IOException | RuntimeException e) {
            checkpoint.close();
            throw e;
        }
        return checkpoint;
    }

    /** A source of another member's tables. */
    public interface Source {
        /** Writes all rows of that member's folder to a store. */
        void copy(String folder, SortedStore to) throws IOException;
    }

    /** Fetches the tables of another member's snapshot. They replace the current ones at {@link #switchTo}. */
    public MasterGroupState fetch(MasterGroupState theirs, Source source) throws IOException {
        MasterGroupState fetched = theirs.in(state().tables() + 1);
        folders.removeAll(fetched.tables());
        for (String each : foldersOf(fetched)) {
            try (SortedStore to = folders.open(fetched.tables(), each)) {
                source.copy(each, to);
                to.write(new WriteBatch().put(SYNCED, new byte[0]), SortedStore.Sync.FSYNC);
            }
        }
        return fetched;
    }

    /** Replaces the current tables by fetched ones. */
    public synchronized void switchTo(MasterGroupState fetched) throws IOException {
        folders.closeStores();
        parts.clear();
        DurableFile.write(directory, STATE, fetched.encode());
        state = MasterGroupState.decode(fetched.encode());
        saved = Saved.of(fetched);
        textsVersion = state.textsVersion();
        folders.removeOthers(state.tables());
    }

    private static List<String> foldersOf(MasterGroupState of) {
        return Stream.concat(
                        of.mounts().values().stream().map(MasterGroupState.Mount::folder),
                        of.fillings().values().stream().map(MasterGroupState.Filling::folder))
                .toList();
    }

    private SortedStore store(String folder) throws IOException {
        return folders.store(state.tables(), folder);
    }

    private void remove(String folder) throws IOException {
        folders.remove(state.tables(), folder);
    }

    /** Closes the stores; the next start applies the entries after the last {@link #save} again. */
    @Override
    public synchronized void close() throws IOException {
        folders.closeStores();
    }
}
