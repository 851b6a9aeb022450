// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.login.AuthToLocal;
import io.packing.bdt.master.login.RefusedLoginException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules have the meaning here that they have in Hadoop. */
@Timeout(120)
final class AuthToLocalAgainstHadoopTest {
    private static final String NOBODY = "nobody";
    private static final List<String> RULES = List.of(
            "DEFAULT",
            "RULE:[1:$1@$0](.*@LAB)s/@.*// DEFAULT",
            "RULE:[2:$1@$0](.*@EXAMPLE.COM)s/@.*//\nRULE:[1:$1]",
            "RULE:[2:$1;$2](^.*;admin$)s/;admin$// RULE:[2:$2]",
            "RULE:[1:$1@$0](.*@LAB)s/@.*///L DEFAULT",
            "RULE:[1:$1@$0](.*)s/[@.]/_/g/L",
            "RULE:[1:$1@$0](.*)s/[@.]/_/",
            "RULE:[1:$1@$0]",
            "RULE:[2:$1@$0](rm@.*EXAMPLE.COM)s/.*/yarn/ RULE:[2:$1@$0]([nd]n@.*EXAMPLE.COM)s/.*/hdfs/",
            "RULE:[1:$1](al?)s/(.)(.)/$2$1/ DEFAULT",
            "RULE:[2:x$0y$1z$2](.*)s/[xyz@.]//g");
    private static final List<String> PRINCIPALS = List.of(
            "alice@EXAMPLE.COM",
            "Alice@LAB",
            "alice@ELSEWHERE",
            "al@EXAMPLE.COM",
            "rm/host.example.com@EXAMPLE.COM",
            "nn/host@EXAMPLE.COM",
            "alice/admin@EXAMPLE.COM",
            "alice/admin@LAB");

    @TempDir
    private Path home;

    private static String hadoops(String principal) {
        try {
            return new KerberosName(principal).getShortName();
        } catch (IOException noRule) {
            return NOBODY;
        }
    }

    private static String ours(AuthToLocal rules, String principal) {
        try {
            return rules.user(principal, TestKdc.REALM);
        } catch (RefusedLoginException noRule) {
            return NOBODY;
        }
    }

    @Test
    void eachRuleMakesTheSameUserOfEachPrincipal() throws Exception {
        // Hadoop takes the realm from the machine's configuration, which the KDC writes.
        try (TestKdc kdc = TestKdc.start(home)) {
            KerberosName.setRuleMechanism("hadoop");
            for (String text : RULES) {
                KerberosName.setRules(text);
                AuthToLocal rules = AuthToLocal.parse(text);
                for (String principal : PRINCIPALS) {
                    assertThat(ours(rules, principal))
                            .as("%s by %s", principal, text)
                            .isEqualTo(hadoops(principal));
                }
            }
        }
    }
}
