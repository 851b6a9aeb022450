// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.transport.Security;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Hadoop user's login at a master. It is made again after half of its time, beside the calls that go on with the one before; a call that
 * finds it ended waits for the next one. Thread-safe.
 */
final class KerberosLogin implements Security.TokenSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KerberosLogin.class);
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final GrpcBdts master;
    private final TokenClient.Tickets tickets;
    private final String user;
    private final LongSupplier nanoClock;
    private final Executor beside;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile Held held;

    /** A login, on this process's clock. */
    private record Held(String token, long endNanos, long renewNanos) {}

    private KerberosLogin(
            GrpcBdts master, TokenClient.Tickets tickets, String user, LongSupplier nanoClock, Executor beside)
            throws IOException {
        this.master = master;
        this.tickets = tickets;
        this.user = user;
        this.nanoClock = nanoClock;
        this.beside = beside;
        this.held = login();
    }

    /**
     * Logs in.
     *
     * @param master asked without any identity; closed with the login, also when it fails
     * @param user for whom the user of the tickets acts; empty: the user of the tickets itself
     * @param beside runs work that calls do not wait for
     */
    static KerberosLogin at(
            GrpcBdts master, TokenClient.Tickets tickets, String user, LongSupplier nanoClock, Executor beside)
            throws IOException {
        try {
            return new KerberosLogin(master, tickets, user, nanoClock, beside);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    private Held login() throws IOException {
        long start = nanoClock.getAsLong();
        TokenClient.Login login = master.tokens().login(tickets, user);
        long nanos = login.valid().toNanos();
        return new Held(login.token(), start + nanos, start + nanos / 2);
    }

    private boolean isValid(Held login) {
        return nanoClock.getAsLong() - login.endNanos() < 0;
    }

    @Override
    public boolean isAtHand() {
        return isValid(held);
    }

    @Override
    public Optional<String> token() {
        Held now = held;
        if (!isValid(now)) {
            return Optional.of(next());
        }
        if (nanoClock.getAsLong() - now.renewNanos() >= 0 && renewing.compareAndSet(false, true)) {
            beside.execute(this::renew);
        }
        return Optional.of(now.token());
    }

    private void renew() {
        try {
            held = login();
        } catch (IOException | RuntimeException e) {
            Held old = held;
            held = new Held(old.token(), old.endNanos(), nanoClock.getAsLong() + NEXT_TRY.toNanos());
            LOG.warn("not logged in again at the BDT master, the login before goes on until it ends: {}", e.toString());
        } finally {
            renewing.set(false);
        }
    }

    private synchronized String next() {
        if (!isValid(held)) {
            try {
                held = login();
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the login at the BDT master ended, and another one failed: " + e.getMessage(), e);
            }
        }
        return held.token();
    }

    /** Issues a token for a job of the user. */
    IssuedToken issue(String renewer) throws IOException {
        return master.tokens().issue(tickets, user, renewer);
    }

    @Override
    public void close() {
        master.close();
    }
}
