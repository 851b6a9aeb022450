// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

import java.util.Comparator;

/**
 * A policy that decides which buffered files become neighbours in a blob. A new policy is one class and one constant of
 * {@link PolicyName}. It fills blobs in ascending order of {@link #order()}; in arrival order the segment becomes the
 * blob as it is, without a copy.
 */
public interface PackingPolicy {
    /** Returns the order in which candidates fill a blob. Ties keep the order of arrival. */
    Comparator<Candidate> order();

    /** Returns true for the order of arrival, which needs no copy of segments. */
    default boolean keepsArrivalOrder() {
        return false;
    }
}
