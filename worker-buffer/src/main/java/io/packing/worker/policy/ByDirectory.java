// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

import io.packing.blob.FilePath;
import java.util.Comparator;

/** The policy that orders files by directory and name: a read of a directory reads one stretch of a blob. */
final class ByDirectory implements PackingPolicy {
    @Override
    public Comparator<Candidate> order() {
        return Comparator.<Candidate, FilePath>comparing(
                        file -> file.path().parent().orElse(FilePath.ROOT))
                .thenComparing(Candidate::path);
    }
}
