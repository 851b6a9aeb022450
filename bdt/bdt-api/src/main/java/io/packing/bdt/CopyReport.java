// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;
import java.util.Optional;

/**
 * A worker's report of the {@link CopyOrder} that it has. A worker that takes orders and has none reports that, too: one of an older version
 * reports nothing.
 *
 * @param number of the order; 0: none
 * @param blob the new blob, once it is made
 * @param files once the blob is pushed, each file with the copies of its live ranges
 * @param failure the reason for which the worker has given the order up; empty: it has not
 */
public record CopyReport(
        long number, State state, Optional<PushedBlob> blob, List<CommittedFile> files, String failure) {
    /** The state of an order at its worker. */
    public enum State {
        IDLE,
        WORKING,
        BUILT,
        PUSHED,
        FAILED
    }

    /** The report of a worker without an order. */
    public static final CopyReport NONE = new CopyReport(0, State.IDLE, Optional.empty(), List.of(), "");

    public CopyReport {
        files = List.copyOf(files);
        boolean hasBlob = state == State.BUILT || state == State.PUSHED;
        if (number < 0 || (number == 0) != (state == State.IDLE) || hasBlob != blob.isPresent()) {
            throw new IllegalArgumentException("order %d is %s, with blob %s".formatted(number, state, blob));
        }
    }
}
