package io.packing.worker.policy;

import java.util.Comparator;

/**
 * Decides which buffered files become neighbours in a blob. A new policy is one class and one constant of {@link
 * PolicyName}. Blobs are filled in ascending order of {@link #order()} until they are full; without an order the segment
 * becomes the blob as it is, and no byte is copied.
 */
public interface PackingPolicy {
    /** The order in which candidates fill a blob. Ties keep the order of arrival. */
    Comparator<Candidate> order();

    /** Whether the order is that of arrival, so that segments need no copying. */
    default boolean keepsArrivalOrder() {
        return false;
    }
}
