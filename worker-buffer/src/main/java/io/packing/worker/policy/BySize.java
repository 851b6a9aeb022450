// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

import java.util.Comparator;

/** The policy that packs small files first: a blob holds files of similar size. */
final class BySize implements PackingPolicy {
    @Override
    public Comparator<Candidate> order() {
        return Comparator.comparingLong(Candidate::length).thenComparing(Candidate::path);
    }
}
