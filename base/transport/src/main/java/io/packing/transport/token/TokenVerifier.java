// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.token;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A checker of tokens. It checks a signature when its token comes for the first time, and all the rest each time.
 * Thread-safe.
 */
public final class TokenVerifier {
    /** The tolerated difference between the clocks of two machines. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(5);
    /** The most tokens to remember; it then forgets all, since to check one again takes a fifth of a millisecond. */
    private static final int MOST_KNOWN = 4_096;

    private final Supplier<KeyRing> ring;
    private final Clock clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /**
     * A token whose signature was checked by a key. Another key may have its id later, when a master has lost its disk.
     */
    private record Known(Token token, PublicKey by) {}

    /**
     * Creates a checker.
     *
     * @param ring returns the currently valid keys
     */
    public TokenVerifier(Supplier<KeyRing> ring, Clock clock) {
        this.ring = ring;
        this.clock = clock;
    }

    /** Makes a checker that accepts no token. */
    public static TokenVerifier none() {
        return new TokenVerifier(() -> KeyRing.EMPTY, Clock.systemUTC());
    }

    /** Checks a token. Returns its content, which is then true. */
    public Token verify(String text) throws InvalidTokenException {
        KeyRing now = ring.get();
        Known before = known.get(text);
        if (before == null || !before.by().equals(now.keys().get(before.token().keyId()))) {
            before = checked(text, now);
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(text, before);
        }
        Token token = before.token();
        checkTimes(token);
        if (now.refused().contains(token.sequence())) {
            throw new InvalidTokenException(
                    "the token of %s was cancelled, or not renewed in time: get another one".formatted(token.user()));
        }
        checkRenewal(token, now);
        return token;
    }

    private static Known checked(String text, KeyRing ring) throws InvalidTokenException {
        Token.Signed signed = Token.parse(text);
        PublicKey key = ring.keys().get(signed.token().keyId());
        if (key == null) {
            throw new InvalidTokenException("the token's key %d is not, or no more, known: get another one"
                    .formatted(signed.token().keyId()));
        }
        byte[] signature = new byte[signed.signature().remaining()];
        signed.signature().get(signature);
        try {
            Signature check = Signature.getInstance(Token.ALGORITHM);
            check.initVerify(key);
            check.update(signed.said());
            if (!check.verify(signature)) {
                throw new InvalidTokenException("the token's signature is wrong");
            }
        } catch (GeneralSecurityException e) {
            throw new InvalidTokenException("the token's signature is wrong");
        }
        return new Known(signed.token(), key);
    }

    /**
     * Refuses a job's token that may have ended. The server cannot know of its renewal or cancellation if its group has
     * not reported since it was issued.
     */
    private void checkRenewal(Token token, KeyRing ring) throws InvalidTokenException {
        KeyRing.Heard heard = ring.heard().get(token.keyId());
        if (heard == null || token.kind() != Token.Kind.DELEGATION) {
            return;
        }
        boolean unheard = token.issued().isAfter(heard.at().minus(CLOCKS_APART));
        if (unheard && !clock.instant().isBefore(token.issued().plus(heard.renewal()))) {
            throw new InvalidTokenException(
                    "the masters that issued the token of %s were last heard of at %s: whether it was renewed is not known here"
                            .formatted(token.user(), heard.at()));
        }
    }

    private void checkTimes(Token token) throws InvalidTokenException {
        Instant now = clock.instant();
        if (!now.isBefore(token.end())) {
            throw new InvalidTokenException(
                    "the token of %s ended at %s: get another one".formatted(token.user(), token.end()));
        }
        if (token.issued().isAfter(now.plus(CLOCKS_APART))) {
            throw new InvalidTokenException("the token of %s is from the future, %s: set the clocks of the machines"
                    .formatted(token.user(), token.issued()));
        }
    }
}
