// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Access by name and password (RFC 7617). Thread-safe. */
public final class BasicAccess implements Access {
    private static final String SCHEME = "basic ";

    private final Supplier<UserRights> users;

    /** Makes an access that asks for the present users at each request. */
    public BasicAccess(AccessFiles files) {
        this.users = files;
    }

    /**
     * Access of these users with these rights.
     *
     * @throws IllegalArgumentException when a right is that of a user without a password
     */
    public BasicAccess(Passwords passwords, Rights rights) {
        UserRights all = new UserRights(passwords, rights);
        this.users = () -> all;
    }

    @Override
    public Decision check(Optional<String> authorization, String repository, Right right) {
        UserRights now = users.get();
        Optional<String> user = user(now, authorization);
        if (authorization.isPresent() && user.isEmpty()) {
            return Decision.UNKNOWN_USER;
        }
        return check(now, user, repository, right);
    }

    private static Decision check(UserRights now, Optional<String> user, String repository, Right right) {
        if (now.rights().allow(user, repository, right)) {
            return Decision.ALLOWED;
        }
        return user.isPresent() ? Decision.DENIED : Decision.UNKNOWN_USER;
    }

    /**
     * Decides on a right that a user with a proved name, or a client without a name, has now. A removed user has the
     * rights of all clients.
     */
    Decision checkKnown(Optional<String> user, String repository, Right right) {
        UserRights now = users.get();
        return check(now, user.filter(now.passwords().users()::contains), repository, right);
    }

    @Override
    public Decision greet(Optional<String> authorization) {
        UserRights now = users.get();
        // Clients learn here that they need a name; one without a name may still pull by the rights of all clients.
        boolean known = user(now, authorization).isPresent()
                || (authorization.isEmpty() && now.rights().allowsEverybody());
        return known ? Decision.ALLOWED : Decision.UNKNOWN_USER;
    }

    @Override
    public Optional<Predicate<String>> visible(Optional<String> authorization) {
        UserRights now = users.get();
        Optional<String> user = user(now, authorization);
        boolean known =
                user.isPresent() || (authorization.isEmpty() && now.rights().allowsEverybody());
        return known ? Optional.of(visible(now, user)) : Optional.empty();
    }

    /** Tells which repositories a user may pull from now; the user has proved the name, or has none. */
    Predicate<String> visibleToKnown(Optional<String> user) {
        UserRights now = users.get();
        return visible(now, user.filter(now.passwords().users()::contains));
    }

    private static Predicate<String> visible(UserRights now, Optional<String> user) {
        return repository -> now.rights().allow(user, repository, Right.PULL);
    }

    @Override
    public Optional<String> user(Optional<String> authorization) {
        return user(users.get(), authorization);
    }

    @Override
    public String challenge(String origin, String scope) {
        return "Basic realm=\"packing registry\", charset=\"UTF-8\"";
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    /** Returns the user of a name and password; empty if they are wrong. */
    private static Optional<String> user(UserRights now, Optional<String> authorization) {
        if (authorization.isEmpty() || !authorization.get().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String pair;
        try {
            pair = new String(
                    Base64.getDecoder()
                            .decode(authorization
                                    .get()
                                    .substring(SCHEME.length())
                                    .strip()),
                    StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int colon = pair.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String user = pair.substring(0, colon);
        return now.passwords().verify(user, pair.substring(colon + 1)) ? Optional.of(user) : Optional.empty();
    }
}
