// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.seed.GivenClock;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenAuthorityTest {
    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");
    private static final TokenOptions TERMS = new TokenOptions(Duration.ofDays(7), Duration.ofDays(1));

    @TempDir
    private Path home;

    private Instant now = START;
    private TokenAuthority authority;

    @BeforeEach
    void open() throws IOException {
        authority = TokenAuthority.open(
                MasterTexts.in(home.resolve("security")), TERMS, KeyIds.ALONE, new GivenClock(() -> now));
    }

    private void isRefused(IssuedToken token, String why) {
        assertThatExceptionOfType(InvalidTokenException.class)
                .isThrownBy(() -> authority.verified(token.text()))
                .withMessageContaining(why);
    }

    private Token valid(IssuedToken token) throws InvalidTokenException {
        return authority.verified(token.text());
    }

    @Test
    void aTokenSaysForWhomItWasIssued() throws Exception {
        Token token = valid(authority.issue("alice", "yarn"));
        assertThat(token.user()).isEqualTo("alice");
        assertThat(token.renewer()).isEqualTo("yarn");
        assertThat(token.end()).isEqualTo(START.plus(TERMS.life()));
    }

    @Test
    void aTokenThatIsNotRenewedIsRefusedAndOneThatIsGoesOnUntilItsEnd() throws Exception {
        IssuedToken left = authority.issue("alice", "");
        IssuedToken kept = authority.issue("bob", "");
        for (int i = 1; i < 7; i++) {
            now = START.plus(Duration.ofHours(23L * i));
            assertThat(authority.renew(valid(kept))).isEqualTo(now.plus(TERMS.renewal()));
        }
        isRefused(left, "not renewed in time");
        now = START.plus(Duration.ofHours(23 * 7));
        Instant last = authority.renew(valid(kept));
        assertThat(last).isEqualTo(kept.end());
        now = kept.end();
        isRefused(kept, "ended");
        // Workers do not get expired refusals.
        assertThat(authority.ring().refused()).isEmpty();
    }

    @Test
    void aCancelledTokenIsRefusedAlsoAfterARestart() throws Exception {
        IssuedToken token = authority.issue("alice", "");
        IssuedToken other = authority.issue("alice", "");
        Token said = valid(token);
        authority.cancel(said);
        isRefused(token, "cancelled");
        assertThatIllegalArgumentException().isThrownBy(() -> authority.renew(said));
        open();
        isRefused(token, "cancelled");
        assertThat(authority.ring().refused()).isEqualTo(Set.of(said.sequence()));
        assertThat(valid(other).user()).isEqualTo("alice");
    }

    /** A worker that last asked just before the key changed accepts what the new one signs. */
    @Test
    void keysChangeAndWorkersKnowThemBefore() throws Exception {
        IssuedToken first = authority.issue("alice", "");
        now = START.plus(TERMS.renewal()).minusSeconds(1);
        KeyRing before = authority.ring();
        authority.renew(valid(first));
        now = now.plusSeconds(1);
        IssuedToken second = authority.issue("alice", "");
        assertThat(valid(second).keyId()).isNotEqualTo(valid(first).keyId());
        assertThat(new TokenVerifier(() -> before, new GivenClock(() -> now))
                        .verify(second.text())
                        .user())
                .isEqualTo("alice");
        open();
        assertThat(valid(first).user()).isEqualTo("alice");
        assertThat(valid(second).user()).isEqualTo("alice");
    }

    @Test
    void keysGoWhenNoTokenOfTheirsLives() throws Exception {
        Set<Integer> first = authority.ring().keys().keySet();
        assertThat(first).hasSize(2);
        for (int day = 1; day <= 30; day++) {
            now = START.plus(Duration.ofDays(day));
            IssuedToken token = authority.issue("alice", "");
            assertThat(valid(token).user()).isEqualTo("alice");
            assertThat(authority.ring().keys()).hasSizeLessThanOrEqualTo(9);
        }
        assertThat(authority.ring().keys()).doesNotContainKeys(first.toArray(Integer[]::new));
        // Two months without a caller.
        now = START.plus(Duration.ofDays(90));
        open();
        assertThat(valid(authority.issue("alice", "")).user()).isEqualTo("alice");
        assertThat(authority.ring().keys()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void otherKeysRefuseWhatTheseSigned() throws Exception {
        IssuedToken token = authority.issue("alice", "");
        authority = TokenAuthority.open(
                MasterTexts.in(home.resolve("other")), TERMS, KeyIds.ALONE, new GivenClock(() -> now));
        isRefused(token, "signature is wrong");
    }

    @Test
    void aTokenOfWhichTheRowIsLostIsNotRenewed() throws Exception {
        Token token = valid(authority.issue("alice", ""));
        Files.delete(home.resolve("security/tokens"));
        open();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> authority.renew(token))
                .withMessageContaining("does not know");
    }

    @Test
    void nobodySetsTheClockBackForItself() throws Exception {
        now = START.minus(Duration.ofHours(1));
        IssuedToken token = authority.issue("alice", "");
        assertThat(valid(token).user()).isEqualTo("alice");
    }

    @Test
    void oneUserDoesNotTakeAllTheRoom() throws Exception {
        StringBuilder rows = new StringBuilder("packing tokens 1\n");
        long end = START.plus(TERMS.life()).toEpochMilli();
        String alice = Base64.getEncoder().encodeToString("alice".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 1_000; i++) {
            rows.append("%d %d %d false %s%n".formatted(i, end, end, alice));
        }
        Files.writeString(home.resolve("security/tokens"), rows);
        open();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> authority.issue("alice", ""))
                .withMessageContaining("1000 of alice");
        assertThat(valid(authority.issue("bob", "")).user()).isEqualTo("bob");
        now = now.plus(TERMS.life());
        assertThat(valid(authority.issue("alice", "")).user()).isEqualTo("alice");
    }

    @Test
    void damagedFilesAreNamed() throws IOException {
        Path keys = home.resolve("security/keys");
        Files.writeString(keys, "packing token keys 1\n1 x y\n");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::open)
                .withMessageContaining(keys.toString())
                .withMessageContaining("remove it");
        Files.writeString(keys, "");
        assertThatExceptionOfType(IOException.class).isThrownBy(this::open);
        Files.delete(keys);
        Files.writeString(home.resolve("security/tokens"), "packing tokens 1\n1 2\n");
        assertThatExceptionOfType(IOException.class).isThrownBy(this::open).withMessageContaining("tokens is damaged");
    }

    @Test
    void onlyItsUserReadsTheKeys() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("security"))))
                .isEqualTo("rwx------");
    }

    @Test
    void nothingIsIssuedThatIsNotOnTheDisk() throws Exception {
        // A directory in the place of the file that is written: no rename goes there.
        Files.createDirectories(home.resolve("security/tokens/full"));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> authority.issue("alice", ""));
        Files.delete(home.resolve("security/tokens/full"));
        Files.delete(home.resolve("security/tokens"));
        assertThat(valid(authority.issue("alice", "")).user()).isEqualTo("alice");
    }
}
