// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Makes the files of a dump in a mount. The dump is read to its end before anything is made, so that a torn one makes nothing.
 * A load that was broken off is made good by another one: what is there as the dump has it is left alone. Used once.
 */
public final class Load {
    /** A way by which files get their bytes. */
    interface Files {
        /**
         * Makes a file, now or later.
         *
         * @param to where
         */
        void make(DumpedEntry entry, FilePath to) throws IOException;

        /** Makes what is made later. */
        void finish() throws IOException;
    }

    private final Bdt bdt;
    private final Path dump;
    private final FilePath into;
    private final LoadCounts counts;
    private final Files files;
    private final Changes changes;
    private final LinkedNames links;

    private Load(
            Bdt bdt, Path dump, FilePath into, LoadCounts counts, Changes changes, Files files, boolean overwrite) {
        this.links = new LinkedNames(bdt, overwrite, counts);
        this.bdt = bdt;
        this.dump = dump;
        this.into = into;
        this.counts = counts;
        this.files = files;
        this.changes = changes;
    }

    /** A load of metadata only: files of the mount that the dump is of, whose bytes it has. */
    public static Load ofMetadata(Bdt bdt, Path dump, FilePath into, boolean overwrite, Consumer<String> warnings) {
        LoadCounts counts = new LoadCounts(bdt, warnings);
        Changes changes = new Changes(bdt);
        return new Load(bdt, dump, into, counts, changes, new CloneFiles(bdt, overwrite, counts, changes), overwrite);
    }

    /** A load that copies bytes from the blobs of a dump. */
    public static Load ofBytes(
            BytesTarget target, Path dump, FilePath into, boolean overwrite, Consumer<String> warnings) {
        LoadCounts counts = new LoadCounts(target.bdt(), warnings);
        Changes changes = new Changes(target.bdt());
        Files files = new CopyFiles(target, overwrite, counts, changes);
        return new Load(target.bdt(), dump, into, counts, changes, files, overwrite);
    }

    /**
     * Loads all of it.
     *
     * @param total is told once how many entries there are
     * @param looked is told how many entries were looked at since it was told before
     */
    public LoadResult run(LongConsumer total, LongConsumer looked) throws IOException {
        Placing placing = new Placing(DumpReader.header(dump).top(), into);
        DumpSummary whole = DumpReader.read(dump, entry -> {
            // Only whether all of it can be made.
            FilePath unused = placing.of(entry.status().path());
        });
        total.accept(whole.files() + whole.directories());
        makeTop(placing);
        Map<FilePath, QuotaChange> quotas = new LinkedHashMap<>();
        DumpSummary done = DumpReader.read(dump, entry -> {
            FilePath to = placing.of(entry.status().path());
            entry.quota().ifPresent(quota -> quotas.put(to, quota));
            if (entry.status().isDirectory()) {
                make(entry, to);
            } else if (!links.take(entry, to)) {
                files.make(entry, to);
            }
            looked.accept(1);
        });
        changes.flush();
        files.finish();
        links.finish();
        DumpedQuotas.set(bdt, quotas, counts);
        if (!done.equals(whole)) {
            throw new CorruptDumpException(dump + " was changed while it was loaded: load it again");
        }
        return counts.result();
    }

    private void makeTop(Placing placing) throws IOException {
        Optional<FilePath> parent = placing.top().isRoot() ? Optional.of(into) : into.parent();
        if (parent.isPresent() && !parent.get().isRoot()) {
            Outcome unused = bdt.mkdir(parent.get(), new DirectoryAttributes("", "", 0755), true);
        }
    }

    private void make(DumpedEntry directory, FilePath to) throws IOException {
        FileAttributes a = directory.status().attributes();
        DirectoryAttributes attributes = new DirectoryAttributes(a.owner(), a.group(), a.mode());
        changes.add(new Changes.Change(
                List.of(),
                List.of(
                        new Operation.MakeDirectory(to, attributes, true),
                        new Operation.SetAttributes(to, directory.change())),
                outcome -> counts.directory(to, outcome)));
    }
}
