// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.seed.GivenClock;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TokenTest {
    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");

    private final Map<Integer, KeyPair> keys = new HashMap<>();
    private Instant now = START;
    private KeyRing ring = KeyRing.EMPTY;
    private final TokenVerifier verifier = new TokenVerifier(() -> ring, new GivenClock(() -> now));

    @BeforeEach
    void keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(Token.ALGORITHM);
        keys.put(1, generator.generateKeyPair());
        keys.put(2, generator.generateKeyPair());
        ring = ring(Set.of());
    }

    private KeyRing ring(Set<Long> refused) {
        Map<Integer, PublicKey> published = new HashMap<>();
        keys.forEach((id, pair) ->
                published.put(id, KeyRing.publicKey(pair.getPublic().getEncoded())));
        return new KeyRing(published, refused);
    }

    private static Token token(int key) {
        return Token.ofJob(key, 42, START, START.plusSeconds(100), "älice", "yarn");
    }

    private PrivateKey key(int id) {
        return Objects.requireNonNull(keys.get(id)).getPrivate();
    }

    private String signed(int key, int by) {
        return token(key).sign(key(by));
    }

    private void isRefused(String text, String why) {
        assertThatExceptionOfType(InvalidTokenException.class)
                .isThrownBy(() -> verifier.verify(text))
                .withMessageContaining(why);
    }

    @Test
    void whatWasSignedIsRead() throws InvalidTokenException {
        assertThat(verifier.verify(signed(2, 2))).isEqualTo(token(2));
    }

    @Test
    void aTokenSaysForWhatItIsAndWhoActsForItsUser() throws InvalidTokenException {
        for (Token.Kind kind : Token.Kind.values()) {
            Token proxied = new Token(kind, 1, 43, START, START.plusSeconds(100), "älice", "yarn", "oozie");
            assertThat(verifier.verify(proxied.sign(key(1)))).isEqualTo(proxied);
        }
        Token session = new Token(Token.Kind.SESSION, 1, 44, START, START.plusSeconds(100), "älice", "", "");
        assertThat(verifier.verify(session.sign(key(1)))).isEqualTo(session);
    }

    /** Older workers know no other version. */
    @Test
    void aTokenOfAJobThatActsForItselfIsOfTheFirstVersion() {
        assertThat(Base64.getUrlDecoder().decode(signed(1, 1))).startsWith(1, 1, 0, 0, 0, 1);
    }

    @Test
    void everyFlippedBitIsRefused() {
        everyFlippedBitIsRefused(signed(1, 1));
        everyFlippedBitIsRefused(
                new Token(Token.Kind.SESSION, 1, 42, START, START.plusSeconds(100), "älice", "", "oozie").sign(key(1)));
    }

    private void everyFlippedBitIsRefused(String signed) {
        byte[] bytes = Base64.getUrlDecoder().decode(signed);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(flipped);
            assertThatExceptionOfType(InvalidTokenException.class)
                    .as("bit %d", bit)
                    .isThrownBy(() -> verifier.verify(text));
        }
    }

    @Test
    void everyPartOfATokenIsRefused() {
        byte[] bytes = Base64.getUrlDecoder().decode(signed(1, 1));
        for (int length = 0; length < bytes.length; length++) {
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, length));
            isRefused(text, "token");
        }
        isRefused(signed(1, 1) + "AAAA", "damaged");
        isRefused("x".repeat(100_000), "too long");
        isRefused("no token at all!", "damaged");
    }

    @Test
    void anotherKeyIsRefused() {
        isRefused(signed(1, 2), "signature");
        isRefused(signed(3, 1), "key 3");
    }

    @Test
    void aTokenIsRefusedWhenItsKeyIsGoneThoughItWasKnown() throws InvalidTokenException {
        String text = signed(1, 1);
        assertThat(verifier.verify(text).user()).isEqualTo("älice");
        keys.remove(1);
        ring = ring(Set.of());
        isRefused(text, "key 1");
    }

    /** A master that has lost its disk numbers its new keys from the beginning. */
    @Test
    void aTokenIsRefusedWhenAnotherKeyHasItsKeysIdThoughItWasKnown() throws InvalidTokenException {
        String text = signed(1, 1);
        assertThat(verifier.verify(text).user()).isEqualTo("älice");
        keys.put(1, Objects.requireNonNull(keys.get(2)));
        ring = ring(Set.of());
        isRefused(text, "signature");
    }

    @Test
    void aJobsTokenThatItsGroupHasNotToldOfIsGoodUntilItWouldHaveToBeRenewed() throws InvalidTokenException {
        KeyRing.Heard heard = new KeyRing.Heard(START.minusSeconds(10), Duration.ofSeconds(50));
        ring = new KeyRing(ring.keys(), Set.of(), Map.of(1, heard));
        String text = signed(1, 1);
        now = START.plusSeconds(49);
        assertThat(verifier.verify(text)).isEqualTo(token(1));
        now = START.plusSeconds(50);
        isRefused(text, "were last heard of at " + heard.at());
        String session =
                new Token(Token.Kind.SESSION, 1, 44, START, START.plusSeconds(100), "älice", "", "").sign(key(1));
        assertThat(verifier.verify(session).user()).isEqualTo("älice");
        ring = new KeyRing(
                ring.keys(), Set.of(), Map.of(1, new KeyRing.Heard(START.plusSeconds(600), Duration.ofSeconds(50))));
        assertThat(verifier.verify(text)).isEqualTo(token(1));
    }

    @Test
    void timesAndCancellingAreLookedAtEachTime() throws InvalidTokenException {
        String text = signed(1, 1);
        assertThat(verifier.verify(text)).isEqualTo(token(1));
        ring = ring(Set.of(42L));
        isRefused(text, "cancelled");
        ring = ring(Set.of());
        now = START.plusSeconds(100);
        isRefused(text, "ended");
        now = START.minusSeconds(301);
        isRefused(text, "future");
        now = START.minusSeconds(300);
        assertThat(verifier.verify(text)).isEqualTo(token(1));
    }

    @Test
    void namesHaveABound() {
        assertThatIllegalArgumentException().isThrownBy(() -> Token.ofJob(1, 1, START, START.plusSeconds(1), "", ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Token.ofJob(1, 1, START, START.plusSeconds(1), "ä".repeat(128), ""));
        assertThatIllegalArgumentException().isThrownBy(() -> Token.ofJob(1, 1, START, START, "a", ""));
    }
}
