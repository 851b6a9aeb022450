// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import io.grpc.Context;
import io.packing.transport.token.Token;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * A caller's identity.
 *
 * @param user the name
 * @param roles the caller's roles beside that of a client
 * @param proof the kind of evidence for this identity
 * @param via the process that acts for the user, if one does
 * @param end the end of the evidence
 */
public record Identity(String user, Set<Role> roles, Proof proof, Optional<String> via, Instant end) {
    private static final Context.Key<Identity> CALLER = Context.key("packing caller");
    private static final int MOST_CHARACTERS = 255;
    /** The prefix that POSIX mounts write before the number of an owner without a name, such as root. */
    private static final String MARK_OF_NUMBERS = "#";

    public Identity {
        roles = Set.copyOf(roles);
        // A superuser has all rights anyway, so no name gives more.
        String unused = roles.contains(Role.SUPERUSER) ? checkName(user) : checkUser(user);
    }

    /**
     * Returns the name, if it is valid.
     *
     * @throws IllegalArgumentException for a text that cannot be a user's name
     */
    private static String checkName(String name) {
        if (name.isBlank() || name.length() > MOST_CHARACTERS || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("bad user name '%s'".formatted(name));
        }
        if (name.startsWith(MARK_OF_NUMBERS)) {
            throw new IllegalArgumentException(
                    "bad user name '%s': # and a number are owners of files at POSIX mounts, root too, and no users; get a certificate or ticket with another name"
                            .formatted(name));
        }
        return name;
    }

    /**
     * Returns the name, if a user without roles may have it.
     *
     * @throws IllegalArgumentException for a text that cannot be a user's name, or that hosts take for another account
     */
    public static String checkUser(String name) {
        return UserNames.check(checkName(name));
    }

    /** Returns the identity of the current call's caller; empty when the server is not secured. */
    public static Optional<Identity> current() {
        return Optional.ofNullable(CALLER.get());
    }

    Context in(Context context) {
        return context.withValue(CALLER, this);
    }

    /**
     * Returns a certificate's identity: the subject's CN is the user, and each O with the organization of a role gives
     * that role.
     *
     * @throws IllegalArgumentException when the subject has no usable CN, or several
     */
    public static Identity of(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (Rdn part : subject(certificate).getRdns()) {
            String value = String.valueOf(part.getValue());
            if (part.getType().equalsIgnoreCase("CN")) {
                names.add(value);
            } else if (part.getType().equalsIgnoreCase("O")) {
                for (Role role : List.of(Role.DAEMON, Role.MASTER, Role.SUPERUSER)) {
                    if (value.equals(role.organization())) {
                        roles.add(role);
                    }
                }
            }
        }
        if (names.size() != 1) {
            throw new IllegalArgumentException("the certificate of '%s' has %d common names (CN), want one: the user"
                    .formatted(certificate.getSubjectX500Principal(), names.size()));
        }
        return new Identity(
                names.get(0),
                roles,
                Proof.CERTIFICATE,
                Optional.empty(),
                certificate.getNotAfter().toInstant());
    }

    private static LdapName subject(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName());
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("the subject of the certificate is not a name", e);
        }
    }

    /** Returns a token's identity. */
    static Identity of(Token token) {
        return new Identity(
                token.user(),
                Set.of(),
                token.kind() == Token.Kind.SESSION ? Proof.KERBEROS : Proof.TOKEN,
                token.via().isEmpty() ? Optional.empty() : Optional.of(token.via()),
                token.end());
    }

    /** Returns whether the only proof is a token. */
    public boolean byToken() {
        return proof != Proof.CERTIFICATE;
    }

    /** Returns whether the caller may do actions that need the role. */
    public boolean has(Role role) {
        return role == Role.CALLER || role == Role.CLIENT || roles.contains(role) || roles.contains(Role.SUPERUSER);
    }
}
