// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.store.ObjectStores;
import io.packing.transport.Security;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A master and a worker with TLS, configured by options like an operator's. */
final class SecuredRig implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** The groups, in the format of /etc/group. */
    static final String GROUPS = "staff:x:50:alice,bob\nothers:x:51:carol\nsupergroup:x:52:admin\n";

    final Path home;
    final Instant now = Clock.systemUTC().instant();
    final TestAuthority authority;
    private final Path groups;
    private final Map<String, String> masterOptions;
    private final Map<String, String> workerOptions;
    private final int port;
    private BdtMaster master;
    private final GrpcBdts workersMaster;
    /** The metrics of the worker. */
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    private final PackingWorker worker;
    private final PackingFileSystem workersMount;

    SecuredRig(Path home) throws IOException {
        this(home, Map.of());
    }

    /** @param masterOptions beside the usual ones */
    SecuredRig(Path home, Map<String, String> masterOptions) throws IOException {
        this.home = home;
        this.masterOptions = masterOptions;
        this.authority = TestAuthority.create(home.resolve("certificates"), "authority", now);
        this.groups = Files.writeString(home.resolve("groups"), GROUPS);
        Files.createDirectories(home.resolve("store"));
        this.master = master(0);
        this.port = master.port();
        this.workerOptions = mount(Optional.of(authority.issue("worker", "CN=worker-1, O=packing-daemon")), "");
        MountOptions options = MountOptions.from(workerOptions);
        this.workersMaster = bdts(options.security());
        this.worker = PackingWorker.start(
                new WorkerOptions("worker-1", home.resolve("buffer"), "127.0.0.1", 0, options.security()),
                workersMaster,
                ObjectStores::open,
                Clock.systemUTC(),
                metrics);
        this.workersMount = worker.open(options);
    }

    private BdtMaster master(int at) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(options(at))).serve();
    }

    /** Gives another value of an option to the running master. */
    void masterTakes(String key, String value) throws IOException {
        Map<String, String> options = options(port);
        options.put(key, value);
        master.take(BdtMasterOptions.from(options));
    }

    private Map<String, String> options(int at) throws IOException {
        IssuedCertificate own = authority.issue("master", "CN=master, O=packing-daemon");
        Map<String, String> options = new HashMap<>(authority.options("bdt", own));
        options.put("bdt.data.dir", data().toString());
        options.put("bdt.port", Integer.toString(at));
        options.put("bdt.stores", "file://" + home);
        options.put("bdt.groups", groups.toString());
        options.put("bdt.audit", "true");
        options.putAll(masterOptions);
        return options;
    }

    Path data() {
        return home.resolve("master");
    }

    /** Starts a stopped master again, on its disk and at its port. */
    void restartMaster() throws IOException {
        master.close();
        master = master(port);
    }

    /**
     * Returns the options of a mount over a directory whose files stay in buffers, for a client that trusts an
     * authority and has no identity.
     */
    static Map<String, String> anonymous(Path home, TestAuthority authority) {
        Map<String, String> raw = new HashMap<>();
        raw.put("packing.store", home.resolve("store").toUri().toString());
        raw.put("packing.threads", "2");
        raw.put("packing.seal.after", "1h");
        raw.put("packing.seal.quiet", "0s");
        raw.put("packing.tls.trust", authority.certificate().toString());
        return raw;
    }

    private Map<String, String> mount(Optional<IssuedCertificate> own, String token) {
        Map<String, String> raw = anonymous(home, authority);
        own.ifPresent(files -> raw.putAll(authority.options("packing", files)));
        if (!token.isEmpty()) {
            raw.put("packing.tls.token", token);
        }
        return raw;
    }

    /** Returns the options of a client with a certificate of the authority. */
    MountOptions certified(String name, String subject) throws IOException {
        return MountOptions.from(mount(Optional.of(authority.issue(name, subject)), ""));
    }

    MountOptions certified(IssuedCertificate own) {
        return MountOptions.from(mount(Optional.of(own), ""));
    }

    /** Returns the options of a client with a token only. */
    MountOptions showing(String token) throws IOException {
        Path file = Files.writeString(Files.createTempFile(home, "token", ""), token);
        return MountOptions.from(mount(Optional.empty(), file.toString()));
    }

    /** Returns the options of a client without an identity. */
    MountOptions nobody() {
        return MountOptions.from(mount(Optional.empty(), ""));
    }

    String masterAddress() {
        return "127.0.0.1:" + port;
    }

    String workerAddress() throws IOException {
        return workersMount.bdt().workers().get(0).address();
    }

    GrpcBdts bdts(Security security) {
        return GrpcBdts.connect(masterAddress(), TIMEOUT, security);
    }

    static RemotePackingFileSystem open(GrpcBdts bdts, MountOptions options) throws IOException {
        return RemotePackingFileSystem.open(
                bdts, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1"));
    }

    @Override
    public void close() throws IOException {
        workersMount.close();
        worker.close();
        workersMaster.close();
        master.close();
    }
}
