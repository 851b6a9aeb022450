// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import java.util.Optional;

/**
 * The names that users and groups may have. A host takes some texts for accounts of its own: a number for the id of an
 * account, {@code root} for its superuser. A user with such a name would be that account wherever a mount shows the
 * user's files.
 */
public final class UserNames {
    /** The name of the superuser at hosts. */
    private static final String ROOT = "root";
    /** Characters that end a name in files of accounts and in paths. */
    private static final String SEPARATORS = ":/";

    private UserNames() {}

    /** Returns whether a user or a group may have a name. */
    public static boolean isUsable(String name) {
        return problem(name).isEmpty();
    }

    /** Returns the reason why only a superuser may have a name; empty when every user may. */
    public static Optional<String> problem(String name) {
        if (name.isBlank()) {
            return Optional.of("is empty");
        }
        if (name.equalsIgnoreCase(ROOT)) {
            return Optional.of("is the superuser of every host");
        }
        if (isNumber(name)) {
            return Optional.of("is a number, which hosts take for the id of an account");
        }
        boolean isSeparated = name.chars().anyMatch(c -> SEPARATORS.indexOf(c) >= 0 || Character.isISOControl(c));
        if (isSeparated || isSign(name.charAt(0)) || !name.equals(name.strip())) {
            return Optional.of("is no name of an account: it begins with a sign, has space around it, or has one of the"
                    + " characters '" + SEPARATORS + "'");
        }
        return Optional.empty();
    }

    /**
     * Returns the name, if users other than superusers may have it.
     *
     * @throws IllegalArgumentException with the reason, and the operator's remedy
     */
    public static String check(String name) {
        problem(name).ifPresent(why -> {
            throw new IllegalArgumentException(
                    ("user name '%s' %s, so it identifies only superusers: give the user's certificate another common name (CN),"
                                    + " or the organization (O) %s; name a Kerberos user otherwise by"
                                    + " bdt.kerberos.auth.to.local (docs/security.md)")
                            .formatted(name, why, Role.SUPERUSER.organization()));
        });
        return name;
    }

    /** Counts digits of any script, since parsers of numbers do. */
    private static boolean isNumber(String name) {
        int from = isSign(name.charAt(0)) ? 1 : 0;
        return name.length() > from && name.codePoints().skip(from).allMatch(Character::isDigit);
    }

    /** Includes the sign that POSIX mounts write before a number without an account. */
    private static boolean isSign(char c) {
        return c == '+' || c == '-' || c == '#';
    }
}
