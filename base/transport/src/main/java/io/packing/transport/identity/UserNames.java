package io.packing.transport.identity;

import java.util.Optional;

/**
 * Names that users and groups may be known by. A host takes some texts for accounts of its own: a number for the id of an account, {@code
 * root} for its superuser. A user with such a name would be that account wherever a mount shows the user's files.
 */
public final class UserNames {
    /** The name of the superuser at hosts. */
    private static final String ROOT = "root";
    /** Characters that separate names from what follows them, in files of accounts and in paths. */
    private static final String SEPARATORS = ":/";

    private UserNames() {}

    /** Returns whether a user or a group may be known by a name. */
    public static boolean isUsable(String name) {
        return problem(name).isEmpty();
    }

    /** Returns why a user who is no superuser is not known by a name; empty when the user may be. */
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
     * Returns the name, if a user who is no superuser may be known by it.
     *
     * @throws IllegalArgumentException saying why not, and what an operator changes
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

    /** Digits of any script count: parsers of numbers take them. */
    private static boolean isNumber(String name) {
        int from = isSign(name.charAt(0)) ? 1 : 0;
        return name.length() > from && name.codePoints().skip(from).allMatch(Character::isDigit);
    }

    /** POSIX mounts write a number without an account with '#'. */
    private static boolean isSign(char c) {
        return c == '+' || c == '-' || c == '#';
    }
}
