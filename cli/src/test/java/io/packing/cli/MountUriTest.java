// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the URIs of mounts. */
class MountUriTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "packing://h | '' | h:19990 | /",
                "packing://h/ | '' | h:19990 | /",
                "packing://h:1/a/b/ | '' | h:1 | /a/b",
                "packing://m@h:1/a | m | h:1 | /a",
                "packing://a:1,b,c:3/x y%20 | '' | a:1,b:19990,c:3 | /x y%20",
                "packing://m@[::1]:5/ | m | [::1]:5 | /",
                "packing://[::1]/ | '' | [::1]:19990 | /"
            })
    void aUriNamesMastersMountAndPath(String text, String mount, String masters, String path) {
        MountUri uri = MountUri.parse(text);
        assertThat(uri.mount().mount()).isEqualTo(mount);
        assertThat(uri.mount().masters()).isEqualTo(masters);
        assertThat(uri.path().value()).isEqualTo(path);
        assertThat(MountUri.parse(uri.toString())).isEqualTo(uri);
    }

    @ParameterizedTest
    @ValueSource(strings = {"packing://", "packing:///a", "packing://m@/a", "packing://h:x/", "h:1/a", "s3://b/a"})
    void anythingElseIsRefusedWithTheForm(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MountUri.parse(text))
                .withMessageContaining("'%s' is not packing://[MOUNT@]HOST[:PORT]/PATH".formatted(text));
    }

    @Test
    void aPathIsBelowThePathOfAUri() {
        assertThat(MountUri.parse("packing://h/team").below("/a").value()).isEqualTo("/team/a");
        assertThat(MountUri.parse("packing://h/team").below("a").value()).isEqualTo("/team/a");
        assertThat(MountUri.parse("packing://h/").below("/a").value()).isEqualTo("/a");
    }
}
