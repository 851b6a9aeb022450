// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.master.table.change.FragmentedMaps;
import io.packing.bdt.master.table.change.MapLayers;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.FileRepack;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replay of entries that name bytes which the table has already: joins of fragments, and clones that share a map. Confined to one thread. */
final class MapReplay {
    private static final Logger LOG = LoggerFactory.getLogger(MapReplay.class);

    private final Transaction transaction;
    private final ReplayPaths paths;

    MapReplay(Transaction transaction, ReplayPaths paths) {
        this.transaction = transaction;
        this.paths = paths;
    }

    /** A file with bytes that another one has, and where it is. */
    private record Source(EntryLink at, Inode file) {}

    /** Makes a clone again. Without its source it is missing, so that operators learn of it. */
    void clone(JournalEntry.LayeredClone clone, long position) throws IOException {
        transaction.change().learnId(clone.id());
        if (paths.file(clone.id()).isPresent()) {
            return;
        }
        ResolvedPath to = paths.makeWay(clone.path(), position);
        if (to.inode().isPresent() && to.inode().get().isDirectory()) {
            paths.setAside(clone.path(), to);
            to = paths.makeWay(clone.path(), position);
        }
        // Only now: making way may have moved it.
        Optional<Source> source = source(clone);
        boolean isSame = source.isPresent() && source.get().file().generation() == clone.before();
        if (!isSame) {
            LOG.error(
                    "{} is a clone of {} with generation {}, and the table has {}: what was written between them is lost",
                    clone.path(),
                    clone.source(),
                    clone.before(),
                    source.map(each -> each.file().version()));
        }
        // The clone of an older version stays as old as that, so that checks tell of it.
        long generation =
                isSame || source.isEmpty() ? position : source.get().file().generation();
        Inode.Place place = source.isPresent() ? place(clone, source.get()) : new Inode.Missing();
        Inode file = new Inode(clone.id(), generation, clone.attributes(), place, clone.extras());
        if (to.inode().isPresent()) {
            paths.supersede(clone.path(), to, file, position);
        } else if (place instanceof Inode.Mapped) {
            transaction.addMapped(to.link(), file);
        } else {
            transaction.add(to.parent(), to.name(), file);
        }
    }

    private Inode.Place place(JournalEntry.LayeredClone clone, Source source) throws IOException {
        Inode shared = transaction.share(source.at(), source.file());
        Optional<MapLayers.Frozen> frozen = transaction.maps().layers().freeze(source.at(), shared);
        return frozen.isPresent()
                ? transaction.maps().layers().over(frozen.get(), clone.id())
                : FragmentedMaps.whole(transaction.rows(), shared).place();
    }

    /** Finds the source by its path, and else by its id: without all of the journal it may be elsewhere. */
    private Optional<Source> source(JournalEntry.LayeredClone clone) throws IOException {
        ResolvedPath found = transaction.namespace().findFile(clone.source());
        Optional<Source> named = found.inode()
                .filter(inode -> inode.id() == clone.of() && !inode.isDirectory())
                .map(inode -> new Source(found.link(), inode));
        boolean isSame =
                named.filter(each -> each.file().generation() == clone.before()).isPresent();
        Optional<Source> linked =
                isSame ? named : paths.file(clone.of()).map(entry -> new Source(entry.link(), entry.inode()));
        Optional<Source> any = linked.isPresent() ? linked : named;
        return any.filter(each -> !(each.file().place() instanceof Inode.Missing));
    }

    /** The footer of the blob may have brought the content as a file; it is none. */
    void repack(JournalEntry.Repacked repacked) throws IOException {
        JournalEntry.Source source = repacked.content();
        transaction.change().learnId(source.id());
        Optional<Namespace.Entry> footer = transaction
                .namespace()
                .file(new FileVersion(source.id(), source.generation()))
                .filter(entry -> !entry.waiting());
        if (footer.isPresent()) {
            Inode unused = transaction.share(footer.get().link(), footer.get().inode());
        }
        Optional<Namespace.Entry> file = paths.file(repacked.id())
                .filter(entry -> Inode.hasMap(entry.inode().place()));
        if (file.isPresent()) {
            if (transaction.contents().get(source.id()).isEmpty()) {
                FileRepack.add(transaction, repacked, place(repacked));
            }
            FileRepack.replace(transaction, file.get(), repacked);
        } else {
            LOG.error("{}: the journal joins fragments of it, and the file is not there", repacked.path());
        }
        if (footer.isPresent()) {
            EntryLink at = footer.get().link();
            Optional<Inode> shown = transaction.namespace().entry(at.parent(), at.name());
            transaction.remove(at.parent(), at.name(), shown.orElseThrow());
        }
    }

    private Inode.Place place(JournalEntry.Repacked repacked) throws IOException {
        byte[] name = Keys.named(Keys.BLOB_NUMBER, repacked.blob().toString());
        return transaction.rows().get(name).isPresent()
                ? repacked.place(transaction.blobs().number(repacked.blob()))
                : new Inode.Missing();
    }
}
