package io.packing.worker.policy;

import io.packing.blob.FilePath;
import java.util.Comparator;

/** Files of one directory are neighbours, by name: reading a directory reads one stretch of a blob. */
final class ByDirectory implements PackingPolicy {
    @Override
    public Comparator<Candidate> order() {
        return Comparator.<Candidate, FilePath>comparing(
                        file -> file.path().parent().orElse(FilePath.ROOT))
                .thenComparing(Candidate::path);
    }
}
