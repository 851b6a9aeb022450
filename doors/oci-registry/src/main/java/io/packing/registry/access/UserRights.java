package io.packing.registry.access;

import java.util.Set;
import java.util.TreeSet;

/**
 * The users of a registry and what they may do.
 *
 * @param passwords of users
 * @param rights of those users
 */
record UserRights(Passwords passwords, Rights rights) {
    /** @throws IllegalArgumentException when a right is that of a user without a password */
    UserRights {
        Set<String> unknown = new TreeSet<>(rights.users());
        unknown.removeAll(passwords.users());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("rights name users without a password: " + String.join(", ", unknown));
        }
    }

    /** Users each of whom may do everything. */
    static UserRights of(Passwords passwords) {
        return new UserRights(passwords, Rights.ofUsers(passwords.users()));
    }
}
