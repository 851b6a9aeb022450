// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.util.Optional;
import java.util.function.Predicate;

/** Decides which client has which right. Thread-safe. */
public interface Access {
    /** A decision on a request. */
    enum Decision {
        ALLOWED,
        /** With other credentials it might be. */
        UNKNOWN_USER,
        DENIED
    }

    /**
     * Decides whether a client has a right in a repository.
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

    /** Returns the user of a request; empty for a client that proved no name. */
    Optional<String> user(Optional<String> authorization);

    /**
     * Returns the value of {@code WWW-Authenticate}, which asks a client for credentials.
     *
     * @param origin the scheme and address at which the client's connection arrived
     * @param scope the wanted right, as {@code repository:NAME:pull}; may be empty
     */
    String challenge(String origin, String scope);

    /** Returns whether a client shows a token for less than its rights: with another token it has the right. */
    default boolean isTokenForLess(Optional<String> authorization, String repository, Right right) {
        return false;
    }

    /** Returns whether all clients have all rights. */
    boolean isOpen();

    /** Returns the issuer of tokens; empty: tokens are not used. */
    default Optional<TokenAccess> tokens() {
        return Optional.empty();
    }

    /** All clients have all rights. */
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
            throw new IllegalStateException("a registry without users issues no challenge");
        }

        @Override
        public boolean isOpen() {
            return true;
        }
    };
}
