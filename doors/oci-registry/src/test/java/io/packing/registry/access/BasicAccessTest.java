// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.packing.registry.access.Access.Decision;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rights of users with passwords. */
class BasicAccessTest {
    private static final String ALICE =
            "alice:" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "secret".toCharArray());
    private static final String BOB =
            "bob:" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "pass:word".toCharArray());

    private static Optional<String> as(String user, String password) {
        return Optional.of("Basic "
                + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    private static Access access(String... rights) {
        return new BasicAccess(Passwords.parse(List.of(ALICE, BOB)), Rights.parse(List.of(rights)));
    }

    @Test
    void aUserMayWhatHisLinesSayAndNothingElse() {
        Access access =
                access("alice team/* pull,push", "# a comment", "", "* public/* pull", "bob * pull,push,delete");
        assertThat(access.check(as("alice", "secret"), "team/a/b", Right.PUSH)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(as("alice", "secret"), "team/a", Right.DELETE)).isEqualTo(Decision.DENIED);
        assertThat(access.check(as("alice", "secret"), "teams", Right.PULL)).isEqualTo(Decision.DENIED);
        assertThat(access.check(as("alice", "secret"), "public/x", Right.PULL)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(as("bob", "pass:word"), "x", Right.DELETE)).isEqualTo(Decision.ALLOWED);
    }

    @Test
    void whoGivesNoNameIsAskedForItUnlessEverybodyMay() {
        Access access = access("alice team/* pull", "* public/* pull");
        assertThat(access.check(Optional.empty(), "public/x", Right.PULL)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(Optional.empty(), "public/x", Right.PUSH)).isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.check(Optional.empty(), "team/x", Right.PULL)).isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access("alice * pull").greet(Optional.empty())).isEqualTo(Decision.UNKNOWN_USER);
    }

    @Test
    void aWrongPasswordIsNobodyNotEverybody() {
        Access access = access("* public/* pull", "alice * pull");
        assertThat(access.check(as("alice", "wrong"), "public/x", Right.PULL)).isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.check(as("mallory", "secret"), "public/x", Right.PULL))
                .isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.check(Optional.of("Basic !!!"), "public/x", Right.PULL))
                .isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.check(Optional.of("Bearer x"), "public/x", Right.PULL))
                .isEqualTo(Decision.UNKNOWN_USER);
        assertThat(access.check(as("alice", "secret"), "x", Right.PULL)).isEqualTo(Decision.ALLOWED);
        assertThat(access.check(as("alice", "secret2"), "x", Right.PULL)).isEqualTo(Decision.UNKNOWN_USER);
    }

    @Test
    void filesThatCannotBeReadAreRefusedWithTheLine() {
        assertThatThrownBy(() -> Rights.parse(List.of("alice *"))).hasMessageContaining("line 1");
        assertThatThrownBy(() -> Rights.parse(List.of("alice * pull,fly"))).hasMessageContaining("'fly'");
        assertThatThrownBy(() -> Passwords.parse(List.of("", "alice:plain"))).hasMessageContaining("line 2");
        assertThatThrownBy(() -> access("carol * pull")).hasMessageContaining("carol");
    }
}
