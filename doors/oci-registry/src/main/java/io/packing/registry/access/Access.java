package io.packing.registry.access;

import java.util.Optional;

/** Decides who may do what. Thread-safe. */
public interface Access {
    /** What is decided. */
    enum Decision {
        ALLOWED,
        /** With credentials it might be. */
        UNKNOWN_USER,
        DENIED
    }

    /**
     * Whether somebody may do something in a repository.
     *
     * @param authorization the header of the request
     */
    Decision check(Optional<String> authorization, String repository, Right right);

    /** Whether somebody may talk to the registry at all. */
    Decision greet(Optional<String> authorization);

    /** Whether everybody may do everything. */
    boolean isOpen();

    /** Everybody may do everything. */
    Access OPEN = new Access() {
        @Override
        public Decision check(Optional<String> authorization, String repository, Right right) {
            return Decision.ALLOWED;
        }

        @Override
        public Decision greet(Optional<String> authorization) {
            return Decision.ALLOWED;
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    };
}
