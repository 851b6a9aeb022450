// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The principals that are users, and the rules that are invalid; the module of the Hadoop door compares the rules with Hadoop's. */
final class AuthToLocalTest {
    private static final String REALM = "EXAMPLE.COM";

    @Test
    void theFirstRuleThatMatchesCounts() throws RefusedLoginException {
        AuthToLocal rules = AuthToLocal.parse("RULE:[2:$1/$2@$0](oozie/.*@LAB)s/.*/workflow/  DEFAULT RULE:[1:$1]");
        assertThat(rules.user("oozie/host@LAB", REALM)).isEqualTo("workflow");
        assertThat(rules.user("alice@EXAMPLE.COM", REALM)).isEqualTo("alice");
        assertThat(rules.user("bob@LAB", REALM)).isEqualTo("bob");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice@LAB",
                "alice",
                "@EXAMPLE.COM",
                "alice@",
                "a/b/c@EXAMPLE.COM",
                "/b@EXAMPLE.COM",
                "alice\\@EXAMPLE.COM",
                ""
            })
    void whomNoRuleKnowsIsRefused(String principal) {
        assertThatExceptionOfType(RefusedLoginException.class)
                .isThrownBy(() -> AuthToLocal.DEFAULT.user(principal, REALM))
                .withMessageContaining("bdt.kerberos.auth.to.local");
    }

    @Test
    void whatIsNoNameOfAUserIsRefused() {
        AuthToLocal rules = AuthToLocal.parse("RULE:[1:$1@$0]");
        assertThatExceptionOfType(RefusedLoginException.class)
                .isThrownBy(() -> rules.user("alice@LAB", REALM))
                .withMessageContaining("no name of a user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "default",
                "RULE:[3:$1]",
                "RULE:[1:$2]",
                "RULE:[1:$1](",
                "RULE:[1:$1](*)",
                "RULE:[1:$1]s/a/b",
                "DEFAULT nonsense",
                "DEFAULTRULE:[1:$1]"
            })
    void whatIsNoRuleIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> AuthToLocal.parse(text));
    }
}
