// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.MasterGroupKeys;
import io.packing.bdt.MovedException;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.seed.GivenClock;
import io.packing.transport.token.InvalidTokenException;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The master of group two hears of the tokens of group one, and what it makes of them. */
final class OtherMasterGroupsTest {
    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");
    private static final TokenOptions TERMS = new TokenOptions(Duration.ofDays(7), Duration.ofDays(1));
    private static final Map<String, String> ONE = Map.of("one", "10.0.0.1:19990,10.0.0.2:19990");

    @TempDir
    private Path home;

    private Instant now = START;
    private final GivenClock clock = new GivenClock(() -> now);
    private TokenAuthority one;
    private TokenAuthority two;
    private OtherMasterGroups others;
    private TokenVerifier atTwo;

    @BeforeEach
    void open() throws IOException {
        one = authority("one");
        two = authority("two");
        restartTwo();
    }

    private TokenAuthority authority(String group) throws IOException {
        return TokenAuthority.open(MasterTexts.in(home.resolve(group)), TERMS, KeyIds.of(group), clock);
    }

    private void restartTwo() throws IOException {
        others = OtherMasterGroups.open(MasterTexts.in(home.resolve("heard")), ONE, clock);
        atTwo = new TokenVerifier(() -> others.with(two.ring()), clock);
    }

    private void hear() {
        others.take("one", one.published("one"));
    }

    private void isGood(IssuedToken token) throws InvalidTokenException {
        assertThat(atTwo.verify(token.text()).user()).isEqualTo("alice");
    }

    private void isRefused(String token, String why) {
        assertThatExceptionOfType(InvalidTokenException.class)
                .isThrownBy(() -> atTwo.verify(token))
                .withMessageContaining(why);
    }

    @Test
    void aTokenOfAnotherGroupIsGoodOnceThatWasHeardOf() throws Exception {
        IssuedToken token = one.issue("alice", "yarn");
        IssuedToken session = one.session("alice", "", Duration.ofHours(10));
        isRefused(token.text(), "not, or no more, known");
        hear();
        isGood(token);
        isGood(session);
        isGood(two.issue("alice", "yarn"));
        now = now.plus(Duration.ofHours(10));
        isRefused(session.text(), "ended");
    }

    @Test
    void aTokenThatIsNewerThanWhatWasHeardIsGoodAtOnce() throws Exception {
        hear();
        isGood(one.issue("alice", ""));
    }

    @Test
    void whatTheOtherGroupCancelsIsRefusedFromTheNextHearingOn() throws Exception {
        IssuedToken token = one.issue("alice", "");
        hear();
        isGood(token);
        one.cancel(one.verified(token.text()));
        isGood(token);
        hear();
        isRefused(token.text(), "cancelled");
    }

    @Test
    void whatIsRenewedThereGoesOnAndWhatIsNotEnds() throws Exception {
        IssuedToken kept = one.issue("alice", "");
        IssuedToken left = one.issue("alice", "");
        hear();
        now = START.plus(Duration.ofHours(23));
        Instant unused = one.renew(one.verified(kept.text()));
        hear();
        now = START.plus(Duration.ofHours(25));
        hear();
        isGood(kept);
        isRefused(left.text(), "not renewed in time");
        now = START.plus(Duration.ofDays(8));
        isRefused(kept.text(), "ended");
    }

    /** While a group is away, no client can renew its tokens, and no other group hears of cancelled ones. */
    @Test
    void aSilentGroupsTokensAreGoodForAsLongAsTheyWereRenewedAndNoLonger() throws Exception {
        IssuedToken known = one.issue("alice", "");
        hear();
        IssuedToken unheard = one.issue("alice", "");
        one.cancel(one.verified(unheard.text()));
        now = START.plus(Duration.ofHours(24)).minusSeconds(1);
        isGood(known);
        isGood(unheard);
        now = START.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(5));
        isRefused(known.text(), "not renewed in time");
        isRefused(unheard.text(), "were last heard of at " + START);
    }

    @Test
    void whatWasHeardOutlivesARestartWithoutTheOtherGroup() throws Exception {
        IssuedToken token = one.issue("alice", "");
        IssuedToken cancelled = one.issue("alice", "");
        one.cancel(one.verified(cancelled.text()));
        hear();
        restartTwo();
        isGood(token);
        isRefused(cancelled.text(), "cancelled");
        now = START.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(5));
        isRefused(token.text(), "not renewed in time");
    }

    /** Otherwise a key stolen from the group's discarded disk would be good for ever. */
    @Test
    void aGroupThatWasSilentForTheLifeOfItsTokensIsNotBelievedAnyMore() throws Exception {
        hear();
        now = START.plus(TERMS.life()).plus(Duration.ofMinutes(5)).minusMillis(1);
        assertThat(others.with(two.ring()).heard()).hasSize(2);
        now = now.plusMillis(1);
        assertThat(others.with(two.ring())).isEqualTo(two.ring());
        isRefused(one.issue("alice", "").text(), "not, or no more, known");
    }

    @Test
    void aForgedTokenIsRefusedWhicheverKeyItNames() throws Exception {
        Token real = one.verified(one.issue("alice", "").text());
        hear();
        KeyPair own = KeyPairGenerator.getInstance(Token.ALGORITHM).generateKeyPair();
        isRefused(
                Token.ofJob(real.keyId(), 1, now, now.plusSeconds(60), "alice", "")
                        .sign(own.getPrivate()),
                "signature is wrong");
        int next = KeyIds.of("one").after(real.keyId()) + 100;
        isRefused(
                Token.ofJob(next, 1, now, now.plusSeconds(60), "alice", "").sign(own.getPrivate()),
                "not, or no more, known");
    }

    /** A group decides about its own tokens only. */
    @Test
    void aGroupGivesOutNoKeysOfOthers() throws Exception {
        IssuedToken ofTwo = two.issue("alice", "");
        int id = two.verified(ofTwo.text()).keyId();
        KeyPair evil = KeyPairGenerator.getInstance(Token.ALGORITHM).generateKeyPair();
        MasterGroupKeys said = one.published("one");
        Map<Integer, PublicKey> keys = new HashMap<>(said.ring().keys());
        keys.put(id, evil.getPublic());
        keys.put(KeyIds.of("three").after(0), evil.getPublic());
        keys.put(1, evil.getPublic());
        others.take("one", with(said, new KeyRing(keys, Set.of())));
        isGood(ofTwo);
        for (int forged : Set.of(id, KeyIds.of("three").after(0), 1)) {
            isRefused(
                    Token.ofJob(forged, 1, now, now.plusSeconds(60), "root", "").sign(evil.getPrivate()),
                    "the token's");
        }
    }

    @Test
    void timesThatNobodyComputesWithAreRefused() {
        MasterGroupKeys said = one.published("one");
        for (Duration life : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofMillis(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new MasterGroupKeys("one", now, life, life, said.ring(), Map.of()));
        }
        Instant far = Instant.ofEpochMilli(Long.MAX_VALUE);
        others.take("one", new MasterGroupKeys("one", far, said.life(), said.renewal(), said.ring(), Map.of(1L, far)));
        assertThat(others.with(two.ring()).keys()).hasSize(4);
    }

    private static MasterGroupKeys with(MasterGroupKeys said, KeyRing ring) {
        return new MasterGroupKeys(said.group(), said.now(), said.life(), said.renewal(), ring, said.renewedUntil());
    }

    @Test
    void aGroupThatIsNotInTheListIsNotBelieved() throws Exception {
        TokenAuthority three = authority("three");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> others.take("three", three.published("three")))
                .withMessageContaining("one list of groups");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> others.take("one", three.published("three")))
                .withMessageContaining("group 'three'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> others.take("one", one.published("")))
                .withMessageContaining("group ''");
        hear();
        String token = three.issue("alice", "").text();
        isRefused(token, "not, or no more, known");
        assertThat(others.issuer(token)).isEmpty();
    }

    @Test
    void whoeverAsksAboutATokenIsSentToTheGroupThatIssuedIt() throws Exception {
        MovedException moved = others.issuer(one.issue("alice", "").text()).orElseThrow();
        assertThat(moved.group()).isEqualTo("one");
        assertThat(moved.addresses()).isEqualTo(ONE.get("one"));
        assertThat(others.issuer(two.issue("alice", "").text())).isEmpty();
        assertThatExceptionOfType(InvalidTokenException.class).isThrownBy(() -> others.issuer("no token"));
    }

    @Test
    void aGroupThatLostItsDiskHasOtherKeysUnderTheSameIds() throws Exception {
        IssuedToken before = one.issue("alice", "");
        hear();
        isGood(before);
        Files.delete(home.resolve("one/keys"));
        Files.delete(home.resolve("one/tokens"));
        one = authority("one");
        hear();
        isRefused(before.text(), "signature is wrong");
        isGood(one.issue("alice", ""));
    }

    @Test
    void damageOfWhatWasHeardIsMadeGoodByTheNextHearing() throws Exception {
        IssuedToken token = one.issue("alice", "");
        hear();
        Path file = home.resolve("heard/one");
        String text = Files.readString(file);
        for (String damaged : new String[] {
            "",
            "x",
            text.substring(0, text.length() / 2),
            text.replace("key ", "kex "),
            text.replace("heard", "heard -1")
        }) {
            Files.writeString(file, damaged);
            restartTwo();
            isRefused(token.text(), "not, or no more, known");
        }
        hear();
        isGood(token);
        Files.writeString(file, text);
        restartTwo();
        isGood(token);
    }

    @Test
    void whatCannotBeWrittenIsKnownAllTheSame() throws Exception {
        // A directory in the place of the file: no rename goes there.
        Files.createDirectories(home.resolve("heard/one/full"));
        restartTwo();
        IssuedToken token = one.issue("alice", "");
        hear();
        isGood(token);
        Files.delete(home.resolve("heard/one/full"));
        Files.delete(home.resolve("heard/one"));
        hear();
        restartTwo();
        isGood(token);
    }

    @Test
    void nothingIsWrittenWhileNothingIsNew() throws Exception {
        IssuedToken unused = one.issue("alice", "");
        hear();
        Path file = home.resolve("heard/one");
        String first = Files.readString(file);
        now = START.plus(Duration.ofMinutes(59));
        hear();
        assertThat(Files.readString(file)).isEqualTo(first);
        now = START.plus(Duration.ofMinutes(60));
        hear();
        assertThat(Files.readString(file)).isNotEqualTo(first);
    }

    @Test
    void aMasterThatBecomesOneOfAGroupSignsWithAKeyOfTheGroupAMinuteLater() throws Exception {
        TokenAuthority alone = TokenAuthority.open(MasterTexts.in(home.resolve("old")), TERMS, KeyIds.ALONE, clock);
        IssuedToken before = alone.issue("alice", "");
        TokenAuthority grouped =
                TokenAuthority.open(MasterTexts.in(home.resolve("old")), TERMS, KeyIds.of("one"), clock);
        others.take("one", grouped.published("one"));
        assertThat(grouped.verified(before.text()).user()).isEqualTo("alice");
        isRefused(before.text(), "not, or no more, known");
        now = now.plusSeconds(60);
        IssuedToken after = grouped.issue("alice", "");
        isGood(after);
        assertThat(grouped.verified(before.text()).user()).isEqualTo("alice");
        assertThat(KeyIds.of("one").has(grouped.verified(after.text()).keyId())).isTrue();
    }

    @Test
    void idsOfTwoGroupsAreNeverTheSame() {
        KeyIds ids = KeyIds.of("one");
        int id = ids.after(0);
        for (int i = 0; i < 70_000; i++) {
            assertThat(id).isPositive();
            assertThat(ids.has(id)).isTrue();
            assertThat(KeyIds.of("two").has(id)).isFalse();
            id = ids.after(id);
        }
        assertThat(KeyIds.ALONE.after(0)).isEqualTo(1);
        assertThat(KeyIds.ALONE.after(1)).isEqualTo(2);
    }
}
