// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.util.Set;
import java.util.TreeSet;

/**
 * The users of a registry and their rights.
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

    /** Returns users each of whom has all rights. */
    static UserRights of(Passwords passwords) {
        return new UserRights(passwords, Rights.ofUsers(passwords.users()));
    }
}
