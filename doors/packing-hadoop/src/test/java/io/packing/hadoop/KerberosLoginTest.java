// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.client.GrpcBdts;
import io.packing.hadoop.kerberos.ForgedTicket;
import io.packing.hadoop.kerberos.KerberizedMount;
import io.packing.hadoop.kerberos.TestKdc;
import io.packing.options.Options;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The times at which a login is made again. */
@Timeout(120)
final class KerberosLoginTest {
    private static final Duration SESSION = Duration.ofHours(4);

    private final Instant now = Clock.systemUTC().instant();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong tickets = new AtomicLong();
    private final Queue<Runnable> beside = new ArrayDeque<>();

    @TempDir
    private Path home;

    private TestKdc kdc;
    private Path keytab;
    private KerberizedMount mount;
    private KerberosLogin login;
    private boolean noTickets;

    @BeforeEach
    void start() throws Exception {
        kdc = TestKdc.start(home.resolve("kdc"));
        keytab = kdc.keytab("master.keytab", KerberizedMount.SERVICE);
        mount = KerberizedMount.start(home, keytab, Map.of("bdt.kerberos.session", SESSION.toHours() + "h"));
        Security nobody = SecurityOptions.OF_MOUNTS.from(Options.check(
                Map.of("packing.tls.trust", mount.authority().certificate().toString()),
                "packing.",
                SecurityOptions.OF_MOUNTS.ofClients()));
        login = KerberosLogin.at(
                GrpcBdts.connect(mount.address(), Duration.ofSeconds(20), nobody),
                this::ticket,
                "",
                nanos::get,
                beside::add);
    }

    @AfterEach
    void stop() throws IOException {
        login.close();
        mount.close();
        kdc.close();
    }

    /** Makes a ticket: a master takes no message twice. */
    private byte[] ticket(String host) throws IOException {
        if (noTickets) {
            throw new IOException("the KDC is away");
        }
        return ForgedTicket.valid("alice", now)
                .sentAt(now.plusSeconds(tickets.incrementAndGet()))
                .message(keytab);
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void itIsMadeAgainBesideTheCallsAfterHalfOfItsTime() {
        String first = login.token().orElseThrow();
        advance(SESSION.dividedBy(3));
        assertThat(login.token()).contains(first);
        assertThat(beside).isEmpty();
        advance(SESSION.dividedBy(3));
        assertThat(login.token()).contains(first);
        assertThat(login.token()).contains(first);
        assertThat(login.isAtHand()).isTrue();
        // Once, for any number of calls.
        assertThat(beside).hasSize(1);
        beside.remove().run();
        assertThat(login.token()).isPresent().get().isNotEqualTo(first);
        assertThat(beside).isEmpty();
    }

    @Test
    void aCallAfterItsEndWaitsForTheNextOne() {
        String first = login.token().orElseThrow();
        advance(SESSION);
        assertThat(login.isAtHand()).isFalse();
        assertThat(login.token()).isPresent().get().isNotEqualTo(first);
        assertThat(login.isAtHand()).isTrue();
    }

    @Test
    void theOneBeforeGoesOnWhileThereAreNoTickets() {
        String first = login.token().orElseThrow();
        noTickets = true;
        advance(SESSION.dividedBy(2));
        assertThat(login.token()).contains(first);
        beside.remove().run();
        // Not with every call.
        assertThat(login.token()).contains(first);
        assertThat(beside).isEmpty();
        advance(Duration.ofMinutes(1));
        assertThat(login.token()).contains(first);
        assertThat(beside).hasSize(1);
        advance(SESSION);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> login.token())
                .withMessageContaining("the KDC is away");
    }
}
