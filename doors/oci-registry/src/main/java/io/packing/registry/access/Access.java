package io.packing.registry.access;

import java.util.Optional;
import java.util.function.Predicate;

/** Decides who may do what. Thread-safe. */
public interface Access {
    /** What is decided. */
    enum Decision {
        ALLOWED,
        /** With other credentials it might be. */
        UNKNOWN_USER,
        DENIED
    }

    /**
     * Whether somebody may do something in a repository.
     *
     * @param authorization the header of the request
     */
    Decision check(Optional<String> authorization, String repository, Right right);

    /** Decides whether a client may talk to the registry at all. */
    Decision greet(Optional<String> authorization);

    /**
     * Tells which repositories a client may see in a list of all: those that it may pull from.
     *
     * @param authorization the header of the request
     * @return true for each name that the client may see; empty when other credentials might show more
     */
    Optional<Predicate<String>> visible(Optional<String> authorization);

    /** Who that is; empty: nobody who gave a name and proved it. */
    Optional<String> user(Optional<String> authorization);

    /**
     * How somebody is asked for credentials: the value of {@code WWW-Authenticate}.
     *
     * @param origin the scheme and address at which the client's connection arrived
     * @param scope what it wants to do, as {@code repository:NAME:pull}; may be empty
     */
    String challenge(String origin, String scope);

    /** Whether somebody shows a token that is for less than what he may do: with another one he may do this. */
    default boolean isTokenForLess(Optional<String> authorization, String repository, Right right) {
        return false;
    }

    /** Whether everybody may do everything. */
    boolean isOpen();

    /** Who gives out tokens; empty: nobody does. */
    default Optional<TokenAccess> tokens() {
        return Optional.empty();
    }

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
        public Optional<Predicate<String>> visible(Optional<String> authorization) {
            return Optional.of(repository -> true);
        }

        @Override
        public Optional<String> user(Optional<String> authorization) {
            return Optional.empty();
        }

        @Override
        public String challenge(String origin, String scope) {
            throw new IllegalStateException("everybody may do everything");
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    };
}
