// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.options.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecurityOptionsTest {
    @TempDir
    private Path home;

    private static Security parse(Map<String, String> raw) {
        return SecurityOptions.OF_MOUNTS.from(Options.check(raw, "packing.", SecurityOptions.OF_MOUNTS.ofClients()));
    }

    private static void refused(Map<String, String> raw, String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(raw)).withMessageContaining(key);
    }

    @Test
    void withoutOptionsConnectionsArePlain() {
        assertThat(parse(Map.of())).isEqualTo(Security.NONE);
    }

    @Test
    void contradictionsAreRefused() {
        refused(Map.of("packing.tls.certificate", "a", "packing.tls.trust", "b"), "packing.tls.key");
        refused(Map.of("packing.tls.key", "a", "packing.tls.certificate", "b"), "packing.tls.trust");
        refused(Map.of("packing.tls.token", "a"), "packing.tls.trust");
        refused(Map.of("packing.tls.revoked", "a"), "packing.tls.trust");
        refused(Map.of("packing.tls.trust", "a", "packing.insecure", "true"), "packing.insecure");
        refused(Map.of("packing.tls.trusted", "a"), "packing.tls.trust");
    }

    @Test
    void whatIsOnlyThisProcessesIsTakenOut() {
        assertThat(SecurityOptions.OF_MOUNTS.without(
                        Map.of("packing.store", "s", "packing.tls.key", "k", "packing.tls.token", "t")))
                .isEqualTo(Map.of("packing.store", "s"));
    }

    @Test
    void aTokenIsReadAgainWhenItsFileIsAnother() throws IOException {
        Path file = home.resolve("token");
        Files.writeString(file, "abc\n");
        Security security = parse(Map.of("packing.tls.trust", "a", "packing.tls.token", file.toString()));
        assertThat(security.token().token()).contains("abc");
        Files.writeString(file, "def\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertThat(security.token().token()).contains("def");
        Files.writeString(file, "two words");
        Files.setLastModifiedTime(file, FileTime.fromMillis(2));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> security.token().token())
                .withMessageContaining(file.toString());
    }
}
