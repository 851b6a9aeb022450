// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenCommandTest {
    @TempDir
    private Path home;

    private TestAuthority authority;
    private BdtMaster master;

    @BeforeEach
    void start() throws IOException {
        authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate own = authority.issue("master", "CN=master, O=packing-daemon");
        Map<String, String> options = new HashMap<>(authority.options("bdt", own));
        options.put("bdt.data.dir", home.resolve("master").toString());
        options.put("bdt.port", "0");
        options.put("bdt.stores", "file://" + Files.createDirectory(home.resolve("store")));
        master = BdtMaster.start(BdtMasterOptions.from(options)).serve();
        // A client without a role makes no mount: an operator has made it.
        master.open(Map.of("packing.store", home.resolve("store").toUri().toString()))
                .close();
    }

    @AfterEach
    void stop() {
        master.close();
    }

    private CommandRun run(List<String> command, String... options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--option", "packing.tls.trust=" + authority.certificate()));
        for (String option : options) {
            all.addAll(List.of("--option", option));
        }
        return CommandRun.of(
                Map.of(Contexts.MOUNT_VARIABLE, "packing://127.0.0.1:" + master.port()), all.toArray(String[]::new));
    }

    private String[] certificate(String user) throws IOException {
        IssuedCertificate own = authority.issue(user, "CN=" + user);
        return new String[] {"packing.tls.certificate=" + own.certificate(), "packing.tls.key=" + own.key()};
    }

    @Test
    void aTokenIsIssuedUsedRenewedAndCancelled() throws IOException {
        Path file = home.resolve("token");
        CommandRun issued = run(List.of("token", "issue", "--renewer", "yarn", file.toString()), certificate("alice"));
        assertThat(issued.err()).isEmpty();
        assertThat(issued.out()).contains(file.toString(), "valid until");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        List<String> list = List.of("bdt", "ls", "/");
        assertThat(run(list, "packing.tls.token=" + file).exitCode()).isZero();
        assertThat(run(List.of("token", "renew", file.toString()), certificate("yarn"))
                        .out())
                .contains("valid until");
        CommandRun stranger = run(List.of("token", "cancel", file.toString()), certificate("mallory"));
        assertThat(stranger.exitCode()).isNotZero();
        assertThat(stranger.err()).contains("neither the user nor the renewer");
        assertThat(run(List.of("token", "cancel", file.toString()), certificate("yarn"))
                        .exitCode())
                .isZero();
        CommandRun after = run(list, "packing.tls.token=" + file);
        assertThat(after.exitCode()).isNotZero();
        assertThat(after.err()).contains("cancelled");
    }

    @Test
    void nothingIsLeftOfATokenThatIsRefused() {
        Path file = home.resolve("token");
        CommandRun nobody = run(List.of("token", "issue", file.toString()));
        assertThat(nobody.exitCode()).isNotZero();
        assertThat(nobody.err()).contains("Show a certificate");
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatIsThereIsKeptAndTheMessageSaysSo() throws IOException {
        Path file = Files.writeString(home.resolve("token"), "mine");
        CommandRun refused = run(List.of("token", "issue", file.toString()), certificate("ann"));
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(refused.err()).contains(file + ": it is there already");
        assertThat(file).hasContent("mine");
    }

    @Test
    void whoComesWithoutTlsIsToldWhatMayBeMissing() {
        CommandRun plain = CommandRun.of("ls", "packing://127.0.0.1:" + master.port() + "/", "--timeout", "500ms");
        assertThat(plain.exitCode()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(plain.err()).contains("packing.tls.trust is set here if and only if that master has TLS");
    }

    @Test
    void aMasterIsNotOpenToOtherMachinesByAccident() {
        CommandRun refused =
                CommandRun.of("bdt-master", "--data-dir", home.resolve("open").toString(), "--bind", "0.0.0.0:0");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("refused to listen at 0.0.0.0", "bdt.tls.trust", "bdt.insecure=true");
    }
}
