// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

import java.util.Comparator;

/** The policy of arrival order: a segment is a blob. */
final class Fifo implements PackingPolicy {
    @Override
    public Comparator<Candidate> order() {
        return Comparator.comparingLong(Candidate::fileId);
    }

    @Override
    public boolean keepsArrivalOrder() {
        return true;
    }
}
