// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Access by tokens (RFC 6750), which clients get at {@code /token} for a name and password, as the token specification
 * of the distribution project has it. A token proves a user's identity and limits the rights; the present rights still
 * decide. A name and password are taken at every request, too. Any registry that has the keys takes the tokens of the
 * others. Thread-safe.
 */
public final class TokenAccess implements Access {
    /** The path at which tokens are given out. */
    public static final String PATH = "/token";
    /** The scope of a token that is for the list of all repositories. */
    public static final String CATALOG_SCOPE = "registry:catalog:*";

    /** The life of a token; a pull that takes longer has begun before its end. */
    static final Duration LIFE = Duration.ofMinutes(5);

    private static final Duration SKEW = Duration.ofMinutes(1);
    private static final String SCHEME = "bearer ";
    /** Scopes of one token: it has to fit into a header. */
    private static final int MOST_SCOPES = 20;

    private final BasicAccess basic;
    private final RegistryTokenKeys keys;
    private final Clock clock;
    private final Optional<String> realm;

    /**
     * Access by tokens and by names and passwords.
     *
     * @param basic the users and their rights
     * @param realm where clients get tokens; empty: at the address at which their connection arrives
     */
    public TokenAccess(BasicAccess basic, RegistryTokenKeys keys, Clock clock, Optional<String> realm) {
        this.basic = basic;
        this.keys = keys;
        this.clock = clock;
        this.realm = realm;
    }

    /**
     * A token that was given out.
     *
     * @param seconds of its life
     */
    public record Issued(String token, long seconds, Instant issued) {}

    /**
     * Gives out a token for those rights of some scopes that the user has; empty when the name or password is wrong.
     *
     * @param scopes as {@code repository:NAME:pull,push}, or {@link #CATALOG_SCOPE}
     */
    public Optional<Issued> issue(Optional<String> authorization, List<String> scopes) {
        Optional<String> user = basic.user(authorization);
        if (user.isEmpty() && authorization.isPresent()) {
            return Optional.empty();
        }
        List<Grant> grants = new ArrayList<>();
        for (String scope : scopes.subList(0, Math.min(MOST_SCOPES, scopes.size()))) {
            Grant.ofScope(scope).ifPresent(wanted -> grants.add(new Grant(wanted.repository(), granted(user, wanted))));
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String token = new RegistryToken(user, now, now.plus(LIFE), grants, scopes.contains(CATALOG_SCOPE)).sign(keys);
        return Optional.of(new Issued(token, LIFE.toSeconds(), now));
    }

    private Set<Right> granted(Optional<String> user, Grant wanted) {
        Set<Right> granted = EnumSet.noneOf(Right.class);
        for (Right right : wanted.rights()) {
            if (basic.checkKnown(user, wanted.repository(), right) == Decision.ALLOWED) {
                granted.add(right);
            }
        }
        return granted;
    }

    private static boolean isToken(Optional<String> authorization) {
        return authorization.isPresent() && authorization.get().regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /** Returns the token of a request, if it is good now. */
    private Optional<RegistryToken> token(Optional<String> authorization) {
        Instant now = clock.instant();
        return authorization
                .flatMap(header ->
                        RegistryToken.verify(header.substring(SCHEME.length()).strip(), keys))
                .filter(token -> now.isBefore(token.end())
                        && !now.isBefore(token.issued().minus(SKEW)));
    }

    @Override
    public Decision check(Optional<String> authorization, String repository, Right right) {
        if (!isToken(authorization)) {
            return basic.check(authorization, repository, right);
        }
        Optional<RegistryToken> token = token(authorization);
        if (token.isEmpty()) {
            return Decision.UNKNOWN_USER;
        }
        Decision now = basic.checkKnown(token.get().user(), repository, right);
        // A client that has a token for less gets another one.
        return now == Decision.ALLOWED && !token.get().grants(repository, right) ? Decision.UNKNOWN_USER : now;
    }

    @Override
    public boolean isTokenForLess(Optional<String> authorization, String repository, Right right) {
        Optional<RegistryToken> token = isToken(authorization) ? token(authorization) : Optional.empty();
        return token.isPresent()
                && !token.get().grants(repository, right)
                && basic.checkKnown(token.get().user(), repository, right) == Decision.ALLOWED;
    }

    @Override
    public Decision greet(Optional<String> authorization) {
        if (isToken(authorization)) {
            return token(authorization).isPresent() ? Decision.ALLOWED : Decision.UNKNOWN_USER;
        }
        // Clients ask here for the way to identify themselves: also a client for whom the rights of all are enough.
        return authorization.isEmpty() ? Decision.UNKNOWN_USER : basic.greet(authorization);
    }

    @Override
    public Optional<Predicate<String>> visible(Optional<String> authorization) {
        if (isToken(authorization)) {
            return token(authorization)
                    .filter(RegistryToken::isForCatalog)
                    .map(token -> basic.visibleToKnown(token.user()));
        }
        // A client without credentials is asked for some, as by a greeting, though the rights of all clients may be
        // enough.
        return authorization.isEmpty() ? Optional.empty() : basic.visible(authorization);
    }

    @Override
    public Optional<String> user(Optional<String> authorization) {
        return isToken(authorization) ? token(authorization).flatMap(RegistryToken::user) : basic.user(authorization);
    }

    @Override
    public String challenge(String origin, String scope) {
        return "Bearer realm=\"%s\",service=\"%s\"".formatted(realm.orElse(origin + PATH), RegistryToken.SERVICE)
                + (scope.isEmpty() ? "" : ",scope=\"%s\"".formatted(scope));
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public Optional<TokenAccess> tokens() {
        return Optional.of(this);
    }
}
