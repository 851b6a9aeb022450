// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtOptions;
import io.packing.bdt.Bdts;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import io.packing.transport.SilentServerWatch;
import io.packing.transport.SpanOptionKeys;
import io.packing.transport.identity.Role;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client of a BDT master over gRPC. One connection serves all mounts and sessions. */
public final class GrpcBdts implements Bdts {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcBdts.class);
    /** The largest message: the extents of a file of 4 TB fit. */
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private static final ConnectionOptions CONNECTION = new ConnectionOptions(
            MAX_MESSAGE_BYTES, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(10));

    private final FederationChannels groups;
    private final ClientTimer timer;

    private GrpcBdts(FederationChannels groups, ClientTimer timer) {
        this.groups = groups;
        this.timer = timer;
    }

    /** Creates a client of a master without TLS. */
    public static GrpcBdts connect(String addresses, Duration timeout) {
        return connect(addresses, timeout, Security.NONE);
    }

    /**
     * Creates a client of the master at one of some addresses. The first call connects, and retries one address after
     * the other until the timeout.
     *
     * @param addresses {@code host:port}, or several with commas between them, of masters of which one serves. Masters
     *     may name others
     * @param security of the connection
     */
    public static GrpcBdts connect(String addresses, Duration timeout, Security security) {
        return connect(addresses, timeout, security, LOG::warn);
    }

    /**
     * Creates a client as {@link #connect(String, Duration, Security)} does.
     *
     * @param warnings takes a line while a call waits for a master that does not answer
     */
    public static GrpcBdts connect(String addresses, Duration timeout, Security security, Consumer<String> warnings) {
        return connect(addresses, timeout, security, Role.CALLER, warnings);
    }

    /** Creates a client for a master, which with TLS trusts only servers with a certificate of a master. */
    public static GrpcBdts ofMasters(String addresses, Duration timeout, Security security) {
        return connect(addresses, timeout, security, Role.MASTER, LOG::warn);
    }

    private static GrpcBdts connect(
            String addresses, Duration timeout, Security security, Role server, Consumer<String> warnings) {
        List<String> each = Arrays.asList(addresses.split(",", -1));
        each.forEach(MasterAddresses::check);
        // Not RandomGenerator.getDefault(): it looks for its algorithm through the context class loader, and finds none
        // through that of an Alluxio extension.
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        return over(
                each,
                address -> Channels.open(address, CONNECTION, security, server),
                addresses,
                timeout,
                System::nanoTime,
                Thread::sleep,
                random,
                warnings);
    }

    static GrpcBdts over(
            List<String> addresses,
            MasterChannel.Opener opener,
            String name,
            Duration timeout,
            LongSupplier nanoClock,
            Retry.Pause pause,
            RandomGenerator random,
            Consumer<String> warnings) {
        // Two threads: one may wait for the answers of masters about each other.
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "bdt-client-" + name);
            thread.setDaemon(true);
            return thread;
        });
        Retry retry = retry(name, timeout, nanoClock, pause, random, warnings);
        SilentServerWatch watch = new SilentServerWatch(timer, nanoClock);
        MasterChannel master = new MasterChannel(addresses, opener, retry, watch);
        FederationChannels groups = new FederationChannels(
                master,
                others -> new MasterChannel(
                        others,
                        opener,
                        retry(String.join(",", others), timeout, nanoClock, pause, random, warnings),
                        watch));
        return new GrpcBdts(groups, new ClientTimer(timer));
    }

    private static Retry retry(
            String masters,
            Duration timeout,
            LongSupplier nanoClock,
            Retry.Pause pause,
            RandomGenerator random,
            Consumer<String> warnings) {
        return new Retry(
                noAnswerFrom(masters),
                new WaitWarnings(masters, nanoClock, warnings),
                timeout,
                nanoClock,
                pause,
                random);
    }

    static Retry.GivenUp noAnswerFrom(String addresses) {
        return (what, timeout, last) ->
                ("%s: the BDT master at %s did not answer for %s s (%s). Check that it runs (its /healthz, its log),"
                                + " that this address is reachable from here, and that packing.tls.trust is set here if and only"
                                + " if that master has TLS.")
                        .formatted(
                                what,
                                addresses,
                                BigDecimal.valueOf(timeout.toMillis(), 3)
                                        .stripTrailingZeros()
                                        .toPlainString(),
                                last);
    }

    @Override
    public Bdt open(Map<String, String> options) throws IOException {
        return new GrpcBdt(MountCalls.open(groups, sent(options)), timer);
    }

    /** Leaves out the places of this process's keys, which do not concern the master. */
    private static Map<String, String> sent(Map<String, String> options) {
        return BdtOptions.sent(SpanOptionKeys.OF_MOUNTS.without(SecurityOptions.OF_MOUNTS.without(options)));
    }

    /** Returns the tokens of the master, which needs to have TLS. */
    public TokenClient tokens() {
        return new TokenClient(groups);
    }

    /** Returns the calls of operators to the master. */
    public OperationsClient operations() {
        return new OperationsClient(groups.home());
    }

    /** Returns the calls about options that hold for all clients of a mount. */
    public SharedMountOptionsClient terms() {
        return new SharedMountOptionsClient(groups, GrpcBdts::sent);
    }

    /** Returns the calls of operators and other masters about master groups. */
    public FederationClient groups() {
        return new FederationClient(groups);
    }

    @Override
    public KeyRing tokenKeys() throws IOException {
        return tokens().keys();
    }

    @Override
    public void close() {
        timer.close();
        groups.close();
    }
}
