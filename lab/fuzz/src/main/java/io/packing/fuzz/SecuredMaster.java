package io.packing.fuzz;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterConfig;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionSettings;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import io.packing.transport.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** A master with TLS, which alone issues tokens, and a superuser's channel to it: a superuser gets furthest. */
final class SecuredMaster implements AutoCloseable {
    private final BdtMaster master;
    private final ManagedChannel channel;
    private final GrpcBdts bdts;

    SecuredMaster(Path home, ConnectionSettings connection, Duration timeout) throws IOException {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"),
                "authority",
                InstantSource.system().instant());
        IssuedCertificate own = authority.issue("master", "CN=master, O=packing-daemon");
        this.master = BdtMaster.start(BdtMasterConfig.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.metrics.port",
                        "0",
                        "bdt.stores",
                        home.toUri().toString(),
                        "bdt.tls.trust",
                        authority.certificate().toString(),
                        "bdt.tls.certificate",
                        own.certificate().toString(),
                        "bdt.tls.key",
                        own.key().toString())))
                .serve();
        IssuedCertificate root = authority.issue("root", "CN=root, O=packing-superuser");
        Security security = new Security(
                Optional.of(new TlsFiles(
                        authority.certificate(), Optional.of(new TlsFiles.Own(root.certificate(), root.key())))),
                Security.TokenSource.NONE,
                false,
                SecurityOptions.OF_MOUNTS);
        String address = House.HOST + ":" + master.port();
        this.channel = Channels.open(address, connection, security);
        this.bdts = GrpcBdts.connect(address, timeout, security);
    }

    Channel channel() {
        return channel;
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
        bdts.close();
        master.close();
    }
}
