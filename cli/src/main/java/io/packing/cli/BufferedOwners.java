package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
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

/** Finds the workers that are gone and still own files that were never pushed. */
final class BufferedOwners {
    private static final int PAGE = 1000;
    /** So many files say who is gone; the rest need not be looked up. */
    private static final int MOST_LOOKED_UP = 10_000;

    private BufferedOwners() {}

    /** Files by worker, of the workers that are not alive; walks the namespace. */
    static Map<String, Long> gone(Bdt bdt) throws IOException {
        Set<String> live = bdt.workers().stream().map(WorkerInfo::worker).collect(Collectors.toSet());
        TreeMap<String, Long> files = new TreeMap<>();
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
                        String owner = owner(bdt, status.path());
                        if (!owner.isEmpty() && !live.contains(owner)) {
                            files.merge(owner, 1L, Long::sum);
                        }
                    }
                }
                after = page.get().get(page.get().size() - 1).path().name();
            }
        }
        return files;
    }

    /** Empty when the file was packed or deleted meanwhile. */
    private static String owner(Bdt bdt, FilePath path) throws IOException {
        Optional<Placement> placement = bdt.locate(path).map(file -> file.placement());
        if (placement.isPresent() && placement.get() instanceof Placement.Buffered buffered) {
            return buffered.worker();
        }
        return placement.isPresent() && placement.get() instanceof Placement.Lost lost ? lost.worker() : "";
    }
}
