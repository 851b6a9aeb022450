// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.options.Options;
import io.packing.seed.Seed;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that a master does not take, though their maker has the keys of its service. */
@Timeout(180)
final class RefusedTicketsTest {
    private final Instant now = Clock.systemUTC().instant();

    @TempDir
    private Path home;

    private AuditLines audit;
    private TestKdc kdc;
    private Path keytab;
    private KerberizedMount mount;
    private GrpcBdts master;

    @BeforeEach
    void start() throws Exception {
        audit = AuditLines.collect();
        kdc = TestKdc.start(home.resolve("kdc"));
        keytab = kdc.keytab("master.keytab", KerberizedMount.SERVICE);
        mount = KerberizedMount.start(
                home,
                keytab,
                Map.of("bdt.kerberos.auth.to.local", "RULE:[1:$1@$0](.*@PARTNER.ORG)s/@.*/_partner/ DEFAULT"));
        Security nobody = SecurityOptions.OF_MOUNTS.from(Options.check(
                Map.of("packing.tls.trust", mount.authority().certificate().toString()),
                "packing.",
                SecurityOptions.OF_MOUNTS.ofClients()));
        master = GrpcBdts.connect(mount.address(), Duration.ofSeconds(20), nobody);
    }

    @AfterEach
    void stop() throws IOException {
        master.close();
        mount.close();
        kdc.close();
        audit.close();
    }

    private void login(byte[] message) throws IOException {
        TokenClient.Login unused = master.tokens().login(host -> message, "");
    }

    private void isRefused(byte[] message, String why) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> login(message))
                .withMessageContaining(why);
    }

    private byte[] message(ForgedTicket ticket) throws IOException {
        return ticket.message(keytab);
    }

    @Test
    void aTicketIsGoodForOneLogin() throws IOException {
        byte[] message = message(ForgedTicket.valid("alice", now));
        login(message);
        isRefused(message, "(34)");
        isRefused(message, "each message of a ticket is good for one login");
        mount.close();
        List<String> logins =
                audit.all().stream().filter(line -> line.contains("cmd=login")).toList();
        assertThat(logins).hasSize(3);
        assertThat(logins.get(0)).startsWith("allowed=true\tugi=alice (auth:KERBEROS)");
        assertThat(logins.get(1)).startsWith("allowed=false\tugi=unknown (auth:KERBEROS)\tip=/127.0.0.1");
        assertThat(logins.get(2)).startsWith("allowed=false");
    }

    @Test
    void anotherRealmIsNobodyHereUnlessARuleSaysSo() throws IOException {
        ForgedTicket alice = ForgedTicket.valid("alice", now);
        isRefused(
                message(alice.ofRealm("ELSEWHERE.ORG")),
                "no rule of bdt.kerberos.auth.to.local says who alice@ELSEWHERE.ORG is");
        login(message(alice.ofRealm("PARTNER.ORG")));
        mount.close();
        assertThat(audit.all()).anyMatch(line -> line.startsWith("allowed=true\tugi=alice_partner (auth:KERBEROS)"));
    }

    @Test
    void aTicketOfAnotherTimeIsRefused() throws IOException {
        ForgedTicket alice = ForgedTicket.valid("alice", now);
        isRefused(message(alice.living(now.minusSeconds(7_200), now.minusSeconds(3_600))), "get another one (kinit)");
        isRefused(message(alice.living(now.plusSeconds(3_600), now.plusSeconds(7_200))), "not valid yet");
    }

    @Test
    void clocksMayNotBeFarApart() throws IOException {
        ForgedTicket alice = ForgedTicket.valid("alice", now).living(now.minusSeconds(7_200), now.plusSeconds(7_200));
        login(message(alice.sentAt(now.minusSeconds(200))));
        login(message(alice.sentAt(now.plusSeconds(200))));
        isRefused(message(alice.sentAt(now.minusSeconds(600))), "set the clocks");
        isRefused(message(alice.sentAt(now.plusSeconds(600))), "set the clocks");
    }

    @Test
    void aTicketByAnotherKeyIsRefused() throws Exception {
        Path others = kdc.keytab("others.keytab", "http/127.0.0.1");
        isRefused(ForgedTicket.valid("alice", now).sealedBy("http/127.0.0.1").message(others), "is refused");
    }

    @Test
    void damagedTicketsMakeNobodyElseOfTheirClient() throws IOException {
        isRefused(new byte[0], "who are you?");
        Random random = Seed.random();
        byte[] sound = message(ForgedTicket.valid("alice", now));
        for (int round = 0; round < 300; round++) {
            byte[] damaged = sound.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
            attempt(damaged);
            isRefused(Arrays.copyOf(sound, 1 + random.nextInt(sound.length - 1)), "refused");
            byte[] noise = new byte[1 + random.nextInt(200)];
            random.nextBytes(noise);
            isRefused(noise, "refused");
        }
        login(message(ForgedTicket.valid("alice", now.plusSeconds(1))));
        mount.close();
        assertThat(audit.all())
                .filteredOn(line -> line.startsWith("allowed=true"))
                .allMatch(line -> line.contains("ugi=alice (auth:KERBEROS)"));
    }

    /** Sends a message. Not all of its bytes count: those that name the service do not. */
    private void attempt(byte[] message) {
        try {
            login(message);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("refused");
        }
    }

    @Test
    void aNameThatIsNoUserIsRefused() throws IOException {
        isRefused(message(ForgedTicket.valid("a\\b", now)), "no rule");
        isRefused(message(ForgedTicket.valid("x".repeat(300), now)), "no name of a user");
    }

    @Test
    void aMasterWithAKeytabOfAnotherPrincipalDoesNotStart() throws Exception {
        Path others = kdc.keytab("another.keytab", "http/127.0.0.1");
        mount.close();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> KerberizedMount.start(home, others, Map.of()))
                .withMessageContaining("has no key of packing/127.0.0.1@EXAMPLE.COM");
    }
}
