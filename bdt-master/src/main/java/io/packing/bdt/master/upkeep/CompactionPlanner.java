// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import com.google.common.collect.ImmutableRangeSet;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import io.packing.blob.LiveFile;
import io.packing.blob.PackedFile;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The planner of a compaction: it reads the footers of sparse blobs, and asks the table which versions have extents there and which bytes of
 * these are used. It reads no file's bytes. Confined to the upkeep thread.
 */
final class CompactionPlanner {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionPlanner.class);
    private static final int VERSIONS_AT_ONCE = 1_000;

    private final Table table;
    private final ObjectStore objects;
    private final MountStorage storage;
    private final long leastCut;

    /** @param leastCut the fewest dead bytes of an extent that are worth a cut */
    CompactionPlanner(MountStorage storage, long leastCut) {
        this.storage = storage;
        this.table = storage.table();
        this.objects = storage.objects();
        this.leastCut = leastCut;
    }

    /** A file with the extents that it has in a blob, and its path at present. */
    private record Found(PackedFile file, List<Extent> extents, FilePath path) {}

    /**
     * A sparse blob, and the files that need it.
     *
     * @param paths of the files at present, in their order
     */
    record Source(
            SparseBlobs.Sparse sparse,
            ObjectSource object,
            BlobReader reader,
            List<LiveFile> files,
            List<FilePath> paths) {
        Source {
            files = List.copyOf(files);
            paths = List.copyOf(paths);
        }

        BlobName name() {
            return sparse.blob().name();
        }
    }

    /** Finds the live bytes of a blob; empty: its footer is damaged. */
    Optional<Source> source(SparseBlobs.Sparse sparse) throws IOException {
        BlobRow blob = sparse.blob();
        ObjectSource source =
                new ObjectSource(objects, BlobName.FOLDER + blob.name().key(), blob.total());
        List<Found> found = new ArrayList<>();
        BlobReader reader;
        try {
            reader = BlobReader.open(
                    source, blob.name().footerOffset(), storage.keys().keystore());
            for (PackedFile file : reader.footer()) {
                find(file, blob).ifPresent(found::add);
            }
        } catch (CorruptBlobException e) {
            LOG.error("{} is sparse, but its footer is damaged: it stays as it is", blob.name(), e);
            return Optional.empty();
        }
        List<LiveFile> files = new ArrayList<>(found.size());
        for (int from = 0; from < found.size(); from += VERSIONS_AT_ONCE) {
            files.addAll(live(found.subList(from, Math.min(found.size(), from + VERSIONS_AT_ONCE))));
        }
        return Optional.of(new Source(
                sparse, source, reader, files, found.stream().map(Found::path).toList()));
    }

    /** Finds the extents that a file has in the blob, as the table says; empty: the file does not need the blob. */
    private Optional<Found> find(PackedFile file, BlobRow blob) throws IOException {
        Optional<LocatedFile> located = table.locate(file.version());
        if (located.isEmpty() || !(located.get().placement() instanceof Placement.Packed packed)) {
            return Optional.empty();
        }
        List<Extent> extents = packed.extents().stream()
                .filter(extent -> extent.blob().equals(blob.name()))
                .map(BlobExtent::extent)
                .toList();
        // A recovery from footers must find a file without bytes, too.
        return extents.isEmpty() && !packed.extents().isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(file, extents, located.get().status().path()));
    }

    private List<LiveFile> live(List<Found> files) throws IOException {
        List<FileVersion> asked = files.stream()
                .filter(this::mayBeCut)
                .map(each -> each.file().version())
                .toList();
        List<Optional<ImmutableRangeSet<Long>>> used = table.contents().used(asked);
        List<LiveFile> live = new ArrayList<>(files.size());
        int next = 0;
        for (Found each : files) {
            Optional<ImmutableRangeSet<Long>> ranges = mayBeCut(each) ? used.get(next++) : Optional.empty();
            List<LiveExtent> extents = each.extents().stream()
                    .map(extent -> ranges.isPresent()
                            ? LiveExtent.of(extent, DeadRanges.ranges(ranges.get()), leastCut)
                            : new LiveExtent(extent))
                    .toList();
            live.add(new LiveFile(each.file(), extents));
        }
        return live;
    }

    private boolean mayBeCut(Found file) {
        return file.extents().stream().anyMatch(each -> each.length() > leastCut);
    }
}
