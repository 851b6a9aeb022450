package io.packing.registry.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Access by name and password (RFC 7617). Thread-safe. */
public final class BasicAccess implements Access {
    private static final String SCHEME = "basic ";

    private final Passwords passwords;
    private final Rights rights;

    /**
     * Access of these users with these rights.
     *
     * @throws IllegalArgumentException when a right is that of a user without a password
     */
    public BasicAccess(Passwords passwords, Rights rights) {
        Set<String> unknown = new TreeSet<>(rights.users());
        unknown.removeAll(passwords.users());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("rights name users without a password: " + String.join(", ", unknown));
        }
        this.passwords = passwords;
        this.rights = rights;
    }

    /** Access of these users, each of whom may do everything. */
    public BasicAccess(Passwords passwords) {
        this(passwords, Rights.ofUsers(passwords.users()));
    }

    @Override
    public Decision check(Optional<String> authorization, String repository, Right right) {
        Optional<String> user = user(authorization);
        if (authorization.isPresent() && user.isEmpty()) {
            return Decision.UNKNOWN_USER;
        }
        if (rights.allow(user, repository, right)) {
            return Decision.ALLOWED;
        }
        return user.isPresent() ? Decision.DENIED : Decision.UNKNOWN_USER;
    }

    @Override
    public Decision greet(Optional<String> authorization) {
        // Clients learn here that they need a name; one who gives none may still pull what everybody may.
        boolean known = user(authorization).isPresent() || (authorization.isEmpty() && rights.allowsEverybody());
        return known ? Decision.ALLOWED : Decision.UNKNOWN_USER;
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    /** Whose name and password these are; empty: nobody's. */
    private Optional<String> user(Optional<String> authorization) {
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
        return passwords.verify(user, pair.substring(colon + 1)) ? Optional.of(user) : Optional.empty();
    }
}
