// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.certificates.TestAuthority;
import io.packing.options.Options;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A master with TLS, the only one that issues tokens, and a superuser's channel to it: a superuser gets furthest. */
final class SecuredMaster implements AutoCloseable {
    private final BdtMaster master;
    private final ManagedChannel channel;
    private final ManagedChannel strangers;
    private final GrpcBdts bdts;

    SecuredMaster(Path home, ConnectionOptions connection, Duration timeout) throws IOException {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        Map<String, String> options =
                new HashMap<>(authority.options("bdt", authority.issue("master", "CN=master, O=packing-daemon")));
        options.put("bdt.data.dir", home.resolve("bdt").toString());
        options.put("bdt.kerberos.principal", TicketFrames.PRINCIPAL);
        options.put(
                "bdt.kerberos.keytab",
                TicketFrames.keytab(home.resolve("keytab")).toString());
        options.put("bdt.port", "0");
        options.put("bdt.metrics.port", "0");
        options.put("bdt.stores", home.toUri().toString());
        this.master = BdtMaster.start(BdtMasterOptions.from(options)).serve();
        Security security = SecurityOptions.OF_MOUNTS.from(Options.check(
                authority.options("packing", authority.issue("root", "CN=root, O=packing-superuser")),
                "packing.",
                SecurityOptions.OF_MOUNTS.ofClients()));
        String address = House.HOST + ":" + master.port();
        this.channel = Channels.open(address, connection, security);
        this.strangers = Channels.open(
                address,
                connection,
                SecurityOptions.OF_MOUNTS.from(Options.check(
                        Map.of("packing.tls.trust", authority.certificate().toString()),
                        "packing.",
                        SecurityOptions.OF_MOUNTS.ofClients())));
        this.bdts = GrpcBdts.connect(address, timeout, security);
    }

    Channel channel() {
        return channel;
    }

    /** Returns a channel of a caller that trusts the authority and has neither a certificate nor a token. */
    Channel strangers() {
        return strangers;
    }

    int port() {
        return master.port();
    }

    TokenClient tokens() {
        return bdts.tokens();
    }

    int metricsPort() {
        return master.metricsPort();
    }

    @Override
    public void close() throws IOException {
        ManagedChannel unused = channel.shutdownNow();
        unused = strangers.shutdownNow();
        bdts.close();
        master.close();
    }
}
