package io.packing.bdt.raft.group;

import com.google.common.primitives.Bytes;
import io.packing.bdt.master.log.GroupRecord;
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
 * The tables of all mounts of a group on the disk of one member, as the entries of the group's log make them.
 *
 * <p>The file {@code state} says what the entries up to one index led to, and is written when the stores have all of them on stable
 * storage. The stores may be ahead of it: applying the entries after that index again leads to the same rows, because an
 * entry is accepted or refused by what the file says and by the entries after it only.
 *
 * <p>Entries are applied by one thread; everything else is thread-safe.
 */
public final class ReplicatedTables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedTables.class);
    private static final String STATE = "state";
    /** Not a row of a table: a mark whose sync syncs all that was written before it. */
    private static final byte[] SYNCED = "msynced".getBytes(StandardCharsets.UTF_8);

    /** What opens the store in a directory. */
    public interface Opener {
        SortedStore open(Path directory) throws IOException;
    }

    /** What waits until a full disk may have space; fails when nobody wants to wait any more. */
    public interface Patience {
        void pause() throws IOException;
    }

    /** An entry; the index is -1 for none. */
    public record Saved(long term, long index) {
        private static Saved of(GroupState state) {
            return new Saved(state.term(), state.index());
        }
    }

    private final Path directory;
    private final TableFolders folders;
    private final Patience fullDisk;
    private final PendingParts parts = new PendingParts();
    private GroupState state;
    /** What the file {@code state} says; whoever asks for it does not wait for entries that are being applied. */
    private volatile Saved saved;
    /** Whoever asks for it does not wait, either. */
    private volatile long textsVersion;

    private ReplicatedTables(Path directory, Opener opener, Patience fullDisk, GroupState state) {
        this.directory = directory;
        this.folders = new TableFolders(directory, opener);
        this.fullDisk = fullDisk;
        this.state = state;
        this.saved = Saved.of(state);
        this.textsVersion = state.textsVersion();
    }

    /** Opens the tables of a directory, which are those of an empty log when there are none. */
    public static ReplicatedTables open(Path directory, Opener opener, Patience fullDisk) throws IOException {
        DurableDirectory.create(directory);
        Path file = directory.resolve(STATE);
        GroupState state = Files.exists(file) ? GroupState.decode(Files.readString(file), file) : new GroupState();
        ReplicatedTables tables = new ReplicatedTables(directory, opener, fullDisk, state);
        tables.folders.removeOthers(state.tables());
        return tables;
    }

    /** Returns the index of the last entry of which a directory that is not open has what it led to; -1: there is none. */
    public static long savedIndex(Path directory) throws IOException {
        Path file = directory.resolve(STATE);
        return Files.exists(file)
                ? GroupState.decode(Files.readString(file), file).index()
                : -1;
    }

    /** What the entries up to {@link GroupState#index} led to. A copy. */
    public synchronized GroupState state() {
        return GroupState.decode(state.encode());
    }

    /** The last entry of which the disk has what it led to. */
    public Saved saved() {
        return saved;
    }

    /** The term of an entry that was applied, also when the log has it no more. */
    public synchronized Optional<Long> termOf(long index) {
        return state.termOf(index);
    }

    /** A mount whose table is complete. */
    public synchronized Optional<GroupState.Mount> mount(String id) {
        return state.mount(id);
    }

    /** A member as it last started. */
    public synchronized Optional<GroupState.Member> member(String id) {
        return Optional.ofNullable(state.members().get(id));
    }

    /** How often a text was kept. */
    public long textsVersion() {
        return textsVersion;
    }

    /** A small text that all members keep. */
    public synchronized Optional<String> text(String name) {
        return Optional.ofNullable(state.texts().get(name));
    }

    /** The index of the last entry that was applied. */
    public synchronized long index() {
        return state.index();
    }

    /** The table of a mount, which stays this member's: closing it does nothing. */
    public synchronized SortedStore table(String mount) throws IOException {
        GroupState.Mount known = state.mount(mount)
                .orElseThrow(() -> new IOException("mount %s has no table in this group".formatted(mount)));
        return new BorrowedStore(store(known.folder()));
    }

    /** The token of a table that was begun, and is not that of its mount yet. */
    public synchronized Optional<Long> filling(String mount) {
        return Optional.ofNullable(state.fillings().get(mount)).map(GroupState.Filling::token);
    }

    /** A row of such a table; empty: it has none, or there is no such table. */
    public synchronized Optional<byte[]> filled(String mount, long token, byte[] key) throws IOException {
        GroupState.Filling filling = state.fillings().get(mount);
        return filling == null || filling.token() != token
                ? Optional.empty()
                : store(filling.folder()).get(key);
    }

    /**
     * Applies an entry.
     *
     * @param writing is run just before rows of a table change
     * @return whether it was accepted; all members answer this alike
     */
    public synchronized boolean apply(long term, long index, GroupEntry entry, Runnable writing) throws IOException {
        if (index <= state.index()) {
            throw new IllegalStateException("entry %d after entry %d".formatted(index, state.index()));
        }
        boolean accepted;
        if (entry instanceof GroupEntry.Rows rows) {
            accepted = rows(rows, writing);
        } else if (entry instanceof GroupEntry.Part part) {
            accepted = parts.add(part);
        } else if (entry instanceof GroupEntry.Begin begin) {
            accepted = begin(begin, index);
        } else if (entry instanceof GroupEntry.Fill fill) {
            accepted = fill(fill);
        } else if (entry instanceof GroupEntry.Hold hold) {
            accepted = hold(hold);
        } else if (entry instanceof GroupEntry.Member member) {
            accepted = state.accepts(member);
            if (accepted) {
                state.members()
                        .put(member.id(), new GroupState.Member(member.instance(), member.starts(), member.address()));
            }
        } else if (entry instanceof GroupEntry.Text text) {
            accepted = state.keep(text);
            textsVersion = state.textsVersion();
        } else {
            accepted = true;
        }
        state.applied(term, index);
        return accepted;
    }

    /** An entry that is none of the tables' own. */
    public synchronized void passed(long term, long index) {
        if (index > state.index()) {
            state.applied(term, index);
        }
    }

    private boolean rows(GroupEntry.Rows entry, Runnable writing) throws IOException {
        Optional<GroupState.Mount> known = state.mount(entry.mount());
        byte[] before = parts.take(entry.mount(), entry.parts());
        if (known.isEmpty()
                || known.get().epoch() != entry.epoch()
                || entry.first() <= known.get().position()
                || (before.length == 0 && entry.parts() > 0)) {
            return false;
        }
        WriteBatch batch =
                GroupRecord.decode(Bytes.concat(before, entry.rows())).rows();
        writing.run();
        write(store(known.get().folder()), batch);
        position(entry.mount(), known.get(), entry.last());
        return true;
    }

    private void position(String mount, GroupState.Mount known, long position) {
        state.mounts().put(mount, new GroupState.Mount(known.folder(), known.epoch(), position, known.ready()));
    }

    private boolean begin(GroupEntry.Begin begin, long index) throws IOException {
        GroupState.Filling before = state.fillings().get(begin.mount());
        if (before != null) {
            remove(before.folder());
        }
        String folder = "%s@%d".formatted(begin.mount(), index);
        // There is one when the log is applied again.
        remove(folder);
        state.fillings().put(begin.mount(), new GroupState.Filling(folder, begin.token()));
        return true;
    }

    private boolean fill(GroupEntry.Fill fill) throws IOException {
        GroupState.Filling filling = state.fillings().get(fill.mount());
        if (filling == null || filling.token() != fill.token()) {
            return false;
        }
        write(store(filling.folder()), GroupRecord.decode(fill.rows()).rows());
        return true;
    }

    private boolean hold(GroupEntry.Hold hold) throws IOException {
        Optional<GroupState.Mount> known = state.mount(hold.mount());
        if (known.isPresent() && hold.epoch() <= known.get().epoch()) {
            return false;
        }
        byte[] unfinished = parts.take(hold.mount(), 0);
        LOG.debug("{} bytes of rows whose last part never came are dropped", unfinished.length);
        if (hold.token() == 0) {
            known.ifPresent(mount -> state.mounts()
                    .put(
                            hold.mount(),
                            new GroupState.Mount(mount.folder(), hold.epoch(), mount.position(), hold.ready())));
            return known.isPresent();
        }
        GroupState.Filling filling = state.fillings().get(hold.mount());
        if (filling == null || filling.token() != hold.token()) {
            return false;
        }
        state.fillings().remove(hold.mount());
        state.mounts()
                .put(hold.mount(), new GroupState.Mount(filling.folder(), hold.epoch(), hold.position(), hold.ready()));
        if (known.isPresent()) {
            remove(known.get().folder());
        }
        return true;
    }

    /** What all members were told to write is written: nobody can refuse it here, so a full disk is waited for. */
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
     * Makes durable what the entries so far led to.
     *
     * @return the index of the last of them; -1: nothing was saved, since a group's rows are not complete
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
     * All tables as of now.
     *
     * @throws IOException when that cannot be now; it can soon
     */
    public synchronized Checkpoint checkpoint() throws IOException {
        if (!parts.isEmpty()) {
            throw new IOException("a group's rows are not complete; ask again");
        }
        Checkpoint checkpoint = new Checkpoint(GroupState.decode(state.encode()));
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

    /** Fills a folder with the tables of another member. */
    public interface Source {
        /** Writes all rows of a folder of that member to a store. */
        void copy(String folder, SortedStore to) throws IOException;
    }

    /** Fetches the tables of another member as a checkpoint has them. They count after {@link #switchTo}. */
    public GroupState fetch(GroupState theirs, Source source) throws IOException {
        GroupState fetched = theirs.in(state().tables() + 1);
        folders.removeAll(fetched.tables());
        for (String each : foldersOf(fetched)) {
            try (SortedStore to = folders.open(fetched.tables(), each)) {
                source.copy(each, to);
                to.write(new WriteBatch().put(SYNCED, new byte[0]), SortedStore.Sync.FSYNC);
            }
        }
        return fetched;
    }

    /** Takes fetched tables in the place of those that are there. */
    public synchronized void switchTo(GroupState fetched) throws IOException {
        folders.closeStores();
        parts.clear();
        DurableFile.write(directory, STATE, fetched.encode());
        state = GroupState.decode(fetched.encode());
        saved = Saved.of(fetched);
        textsVersion = state.textsVersion();
        folders.removeOthers(state.tables());
    }

    private static List<String> foldersOf(GroupState of) {
        return Stream.concat(
                        of.mounts().values().stream().map(GroupState.Mount::folder),
                        of.fillings().values().stream().map(GroupState.Filling::folder))
                .toList();
    }

    private SortedStore store(String folder) throws IOException {
        return folders.store(state.tables(), folder);
    }

    private void remove(String folder) throws IOException {
        folders.remove(state.tables(), folder);
    }

    /** Closes the stores; what {@link #save} did not make durable is applied again. */
    @Override
    public synchronized void close() throws IOException {
        folders.closeStores();
    }
}
