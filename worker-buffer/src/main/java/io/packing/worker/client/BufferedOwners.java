// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A search for the dead workers that still own files in their buffers. */
final class BufferedOwners {
    private static final int PAGE = 1000;
    /** The most files looked up: so many name the dead workers. */
    private static final int MOST_LOOKED_UP = 10_000;

    private BufferedOwners() {}

    /** Returns the number of files by worker, of the workers that are not alive; walks the namespace. */
    static Map<String, Long> gone(Bdt bdt) throws IOException {
        Set<String> live = bdt.workers().stream().map(WorkerInfo::worker).collect(Collectors.toSet());
        Map<String, Long> files = new TreeMap<>();
        Deque<FilePath> directories = new ArrayDeque<>();
        directories.add(FilePath.ROOT);
        int lookedUp = 0;
        while (!directories.isEmpty() && lookedUp < MOST_LOOKED_UP) {
            FilePath next = directories.remove();
            String after = "";
            while (true) {
                Optional<List<FileStatus>> page = bdt.list(next, after, PAGE);
                if (page.isEmpty() || page.get().isEmpty()) {
                    break;
                }
                for (FileStatus status : page.get()) {
                    if (status.isDirectory()) {
                        directories.add(status.path());
                    } else if (status.state() != FileStatus.State.PACKED && lookedUp++ < MOST_LOOKED_UP) {
                        owner(bdt, status.path())
                                .filter(owner -> !live.contains(owner))
                                .ifPresent(owner -> files.merge(owner, 1L, Long::sum));
                    }
                }
                after = page.get().get(page.get().size() - 1).path().name();
            }
        }
        return files;
    }

    /** Returns the worker that owns a file; empty when the file was packed or deleted meanwhile. */
    private static Optional<String> owner(Bdt bdt, FilePath path) throws IOException {
        Optional<Placement> placement = bdt.locate(path).map(LocatedFile::placement);
        if (placement.isPresent() && placement.get() instanceof Placement.Buffered buffered) {
            return Optional.of(buffered.worker());
        }
        return placement.isPresent() && placement.get() instanceof Placement.Lost lost
                ? Optional.of(lost.worker())
                : Optional.empty();
    }
}
