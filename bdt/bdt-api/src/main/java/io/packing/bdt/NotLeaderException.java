package io.packing.bdt;

import java.util.Optional;

/** This master does not answer, because another one of its group does, or none at the moment: ask that one, or the next. */
public final class NotLeaderException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private final String leader;

    /** @param leader where the other one is, {@code host:port}; empty: this master does not know */
    public NotLeaderException(String message, Optional<String> leader) {
        super(message);
        this.leader = leader.orElse("");
    }

    /** The same as a failure of a call. */
    public NotLeaderException(String message, Optional<String> leader, Throwable cause) {
        super(message, cause);
        this.leader = leader.orElse("");
    }

    /** Where the other one is, {@code host:port}. */
    public Optional<String> leader() {
        return leader.isEmpty() ? Optional.empty() : Optional.of(leader);
    }
}
