// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of tickets that were used, and a master that was restarted since. */
@Timeout(180)
@Tag("process")
final class UsedTicketsTest {
    private static final int HEAP_MB = 64;
    private static final String ALICE = "alice@" + TestKdc.REALM;
    private static final String USED = "each message of a ticket is good for one login";

    private final Instant now = Clock.systemUTC().instant();

    @TempDir
    private Path home;

    private TestKdc kdc;
    private Path keytab;
    private Path memory;

    @BeforeEach
    void start() throws Exception {
        kdc = TestKdc.start(home.resolve("kdc"));
        keytab = kdc.keytab("master.keytab", KerberizedMount.SERVICE);
        memory = home.resolve("logins");
    }

    @AfterEach
    void stop() {
        kdc.close();
    }

    /** Returns the answers of a master's process to logins that come one after the other. */
    private List<String> life(byte[]... messages) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(keytab.toString(), memory.toString()));
        for (byte[] message : messages) {
            arguments.add(Base64.getEncoder().encodeToString(message));
        }
        JavaCommand command = new JavaCommand(
                "logins",
                LoginProcess.class.getName(),
                List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                HEAP_MB,
                Map.of("java.security.krb5.conf", System.getProperty("java.security.krb5.conf", "")),
                arguments);
        List<String> lines = new ArrayList<>();
        JavaProcess.run(command.brief(), home.resolve("logs"), line -> lines.add(line.endsWith(USED) ? USED : line));
        return lines;
    }

    private byte[] message(int seconds) throws IOException {
        return ForgedTicket.valid("alice", now).sentAt(now.plusSeconds(seconds)).message(keytab);
    }

    @Test
    void aMessageThatWasUsedIsRefusedAfterARestart() throws Exception {
        byte[] first = message(0);
        byte[] second = message(1);
        assertThat(life(first, first)).containsExactly(ALICE, USED);
        assertThat(life(second, first)).containsExactly(ALICE, USED);
        assertThat(life(second)).containsExactly(USED);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(memory)))
                .isEqualTo("rw-------");
    }

    @Test
    void aMemoryThatWasCutOffOrLostIsBegunAgain() throws Exception {
        assertThat(life(message(0))).containsExactly(ALICE);
        byte[] whole = Files.readAllBytes(memory);
        int seconds = 0;
        for (int length : new int[] {whole.length - 3, 3, 0}) {
            seconds++;
            Files.write(memory, Arrays.copyOf(whole, length));
            assertThat(life(message(seconds))).as("%d bytes", length).containsExactly(ALICE);
        }
        Files.delete(memory);
        assertThat(life(message(0))).containsExactly(ALICE);
    }
}
