// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.packing.registry.access.Access.Decision;
import io.packing.seed.GivenClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenAccessTest {
    private static final String OLD_KEY = "old".repeat(20);
    private static final String NEW_KEY = "new".repeat(20);
    private static final Passwords PASSWORDS = Passwords.parse(
            List.of("alice:" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "secret".toCharArray())));
    private static final Optional<String> ALICE =
            Optional.of("Basic " + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8)));

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private TokenAccess access(String rights, String... keys) {
        return new TokenAccess(
                new BasicAccess(PASSWORDS, Rights.parse(List.of(rights.split("\n", -1)))),
                RegistryTokenKeys.parse(List.of(keys)),
                new GivenClock(() -> now),
                Optional.empty());
    }

    private static Optional<String> bearer(TokenAccess access, Optional<String> who, String... scopes) {
        return Optional.of(
                "Bearer " + access.issue(who, List.of(scopes)).orElseThrow().token());
    }

    @Test
    void aTokenIsGoodForWhatItSaysOfWhatItsUserMay() {
        TokenAccess access = access("alice team/* pull,push\n* public/* pull", NEW_KEY);
        Optional<String> token = bearer(access, ALICE, "repository:team/a:pull,push,delete", "repository:team/b:pull");
        assertThat(access.user(token)).contains("alice");
        assertThat(access.check(token, "team/a", Right.PUSH)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(token, "team/a", Right.DELETE)).isEqualTo(Decision.DENIED);
        assertThat(access.check(token, "team/b", Right.PULL)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(token, "team/b", Right.PUSH))
                .as("may be asked for with another token")
                .isEqualTo(Decision.UNKNOWN_USER);
        Optional<String> nobodys = bearer(access, Optional.empty(), "repository:public/x:pull,push");
        assertThat(access.check(nobodys, "public/x", Right.PULL)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(nobodys, "public/x", Right.PUSH)).isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.user(nobodys)).isEmpty();
    }

    @Test
    void anAsteriskAsksForEverything() {
        TokenAccess access = access("alice * pull,push,delete", NEW_KEY);
        Optional<String> token = bearer(access, ALICE, "repository:host.example:5000/a:*", "registry:catalog:*");
        for (Right right : Right.values()) {
            assertThat(access.check(token, "host.example:5000/a", right)).isEqualTo(Decision.ALLOWED);
        }
    }

    @Test
    void aTokenEndsAndIsNotGoodBeforeItWasMade() {
        TokenAccess access = access("alice * pull", NEW_KEY);
        Optional<String> token = bearer(access, ALICE, "repository:a:pull");
        now = now.plus(TokenAccess.LIFE).minusMillis(1);
        assertThat(access.check(token, "a", Right.PULL)).isEqualTo(Decision.ALLOWED);
        now = now.plusMillis(1);
        assertThat(access.check(token, "a", Right.PULL)).isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.greet(token)).isEqualTo(Decision.UNKNOWN_USER);
        now = now.minusSeconds(3_600);
        assertThat(access.check(token, "a", Right.PULL)).isEqualTo(Decision.UNKNOWN_USER);
    }

    @Test
    void keysAreReplacedWithoutRefusingTokens() {
        Optional<String> token = bearer(access("alice * pull", OLD_KEY), ALICE, "repository:a:pull");
        assertThat(access("alice * pull", NEW_KEY, OLD_KEY).check(token, "a", Right.PULL))
                .isEqualTo(Decision.ALLOWED);
        assertThat(access("alice * pull", NEW_KEY).check(token, "a", Right.PULL))
                .isEqualTo(Decision.UNKNOWN_USER);
    }

    @Test
    void whatHasLostItsRightIsRefusedWhateverTheTokenSays() {
        Optional<String> token = bearer(access("alice * pull,push", NEW_KEY), ALICE, "repository:a:pull,push");
        assertThat(access("alice * pull", NEW_KEY).check(token, "a", Right.PUSH))
                .isEqualTo(Decision.DENIED);
    }

    @Test
    void everyCharacterThatIsChangedMakesItNoToken() {
        TokenAccess access = access("alice * pull", NEW_KEY);
        String token = bearer(access, ALICE, "repository:a:pull").orElseThrow();
        for (int i = "Bearer ".length(); i < token.length() - 1; i++) {
            String changed = token.substring(0, i) + (token.charAt(i) == 'x' ? 'y' : 'x') + token.substring(i + 1);
            assertThat(access.check(Optional.of(changed), "a", Right.PULL))
                    .as("character %d", i)
                    .isEqualTo(Decision.UNKNOWN_USER);
        }
        for (String none : List.of("", ".", "..", "a.b.c", "a.b", "é.é.é", "a.b.c.d", "=.=.=")) {
            assertThat(access.check(Optional.of("Bearer " + none), "a", Right.PULL))
                    .as(none)
                    .isEqualTo(Decision.UNKNOWN_USER);
        }
    }

    @Test
    void aTokenWithoutASignatureIsNone() {
        String claims = "{\"iss\":\"packing-registry\",\"aud\":\"packing-registry\",\"sub\":\"alice\",\"iat\":0,"
                + "\"exp\":99999999999,\"access\":[{\"type\":\"repository\",\"name\":\"a\",\"actions\":[\"pull\"]}]}";
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String unsigned = encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".";
        assertThat(access("alice * pull", NEW_KEY).check(Optional.of("Bearer " + unsigned), "a", Right.PULL))
                .isEqualTo(Decision.UNKNOWN_USER);
    }

    @Test
    void aWrongPasswordGetsNoToken() {
        Optional<String> wrong =
                Optional.of("Basic " + Base64.getEncoder().encodeToString("alice:x".getBytes(StandardCharsets.UTF_8)));
        assertThat(access("alice * pull", NEW_KEY).issue(wrong, List.of())).isEmpty();
    }

    @Test
    void shortKeysAreRefusedWithoutBeingShown() {
        assertThatThrownBy(() -> RegistryTokenKeys.parse(List.of("short-secret")))
                .hasMessageContaining("32 characters")
                .hasMessageNotContaining("short-secret");
        assertThatThrownBy(() -> RegistryTokenKeys.parse(List.of("", " "))).hasMessageContaining("openssl rand");
    }
}
