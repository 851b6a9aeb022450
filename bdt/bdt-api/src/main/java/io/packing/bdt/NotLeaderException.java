// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.Optional;

/** A refusal by a master that does not lead its group: ask the leader, if it is known, or the next master. */
public final class NotLeaderException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private final String leader;

    /** @param leader its address, {@code host:port}; empty: this master does not know it */
    public NotLeaderException(String message, Optional<String> leader) {
        super(message);
        this.leader = leader.orElse("");
    }

    /** Makes the refusal from a call's failure. */
    public NotLeaderException(String message, Optional<String> leader, Throwable cause) {
        super(message, cause);
        this.leader = leader.orElse("");
    }

    /** Returns the leader's address, {@code host:port}. */
    public Optional<String> leader() {
        return leader.isEmpty() ? Optional.empty() : Optional.of(leader);
    }
}
