// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.rpc.BdtServers;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.GroupsGrpc;
import io.packing.bdt.rpc.OperationsGrpc;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.transport.ByteMarshaller;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.transport.Security;
import io.packing.transport.identity.Role;
import io.packing.transport.token.Token;
import io.packing.worker.rpc.PeerGrpc;
import io.packing.worker.rpc.PeerRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of every method of every service, as the descriptors list them, by callers without the right. A new method is
 * called here without a change of the test, and a new service fails the test that compares.
 */
@Timeout(180)
final class EveryRpcTest {
    private static final List<ServiceDescriptor> OF_MASTER = List.of(
            BdtGrpc.getServiceDescriptor(),
            OperationsGrpc.getServiceDescriptor(),
            GroupsGrpc.getServiceDescriptor(),
            TokensGrpc.getServiceDescriptor(),
            HealthGrpc.getServiceDescriptor());
    private static final List<ServiceDescriptor> OF_WORKER = List.of(PeerGrpc.getServiceDescriptor());
    private static final ConnectionOptions CONNECTION =
            new ConnectionOptions(1 << 20, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(10));

    @TempDir
    private Path home;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private SecuredRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new SecuredRig(home);
    }

    @AfterEach
    void stop() throws IOException {
        channels.forEach(ManagedChannel::shutdownNow);
        rig.close();
    }

    private static Map<String, Role> rights() {
        Map<String, Role> all = new TreeMap<>(BdtServers.RIGHTS.all());
        all.putAll(PeerRights.RIGHTS.all());
        return all;
    }

    /** Returns each method's answer to a caller, by its full name. */
    private Map<String, Status.Code> outcomes(Security security) throws Exception {
        Map<String, Status.Code> all = new HashMap<>();
        all.putAll(outcomes(OF_MASTER, rig.masterAddress(), security));
        all.putAll(outcomes(OF_WORKER, rig.workerAddress(), security));
        return all;
    }

    private Map<String, Status.Code> outcomes(List<ServiceDescriptor> services, String address, Security security)
            throws Exception {
        ManagedChannel channel = Channels.open(address, CONNECTION, security);
        channels.add(channel);
        Map<String, Status.Code> all = new HashMap<>();
        for (ServiceDescriptor service : services) {
            for (MethodDescriptor<?, ?> method : service.getMethods()) {
                all.put(method.getFullMethodName(), outcome(channel, method));
            }
        }
        return all;
    }

    /** Calls a method with an empty message; returns OK at the first answer. */
    private static Status.Code outcome(Channel channel, MethodDescriptor<?, ?> method) throws Exception {
        MethodDescriptor<byte[], byte[]> raw = MethodDescriptor.newBuilder(new ByteMarshaller(), new ByteMarshaller())
                .setType(method.getType())
                .setFullMethodName(method.getFullMethodName())
                .build();
        CompletableFuture<Status> outcome = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call =
                channel.newCall(raw, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        outcome.complete(Status.OK);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        outcome.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(new byte[0]);
        call.halfClose();
        Status status = outcome.get();
        call.cancel("seen", null);
        return status.getCode();
    }

    /** Returns the answer of a method that identifies its caller itself, which an empty message does not. */
    private static Status.Code expected(String method, Status.Code code) {
        boolean itself = rights().get(method) == Role.CALLER && code != Status.Code.UNAVAILABLE;
        return itself ? Status.Code.UNAUTHENTICATED : code;
    }

    private void allRefuse(Security security, Status.Code code) throws Exception {
        Map<String, Status.Code> outcomes = outcomes(security);
        assertThat(outcomes.keySet()).isEqualTo(rights().keySet());
        assertThat(outcomes)
                .allSatisfy((method, outcome) -> assertThat(outcome).as(method).isEqualTo(expected(method, code)));
    }

    private void refusesExactlyThoseThatNeed(Security security, Role... needed) throws Exception {
        outcomes(security)
                .forEach((method, outcome) -> assertThat(outcome == Status.Code.PERMISSION_DENIED)
                        .as("%s: %s", method, outcome)
                        .isEqualTo(List.of(needed).contains(rights().get(method))));
    }

    @Test
    void withoutIdentity() throws Exception {
        allRefuse(rig.nobody().security(), Status.Code.UNAUTHENTICATED);
    }

    @Test
    void withoutTls() throws Exception {
        allRefuse(Security.NONE, Status.Code.UNAVAILABLE);
    }

    @Test
    void withACertificateOfAnotherAuthority() throws Exception {
        TestAuthority other = TestAuthority.create(home.resolve("other"), "authority", rig.now);
        IssuedCertificate selfMade = other.issue("root", "CN=root, O=packing-superuser");
        allRefuse(rig.certified(selfMade).security(), Status.Code.UNAVAILABLE);
    }

    @Test
    void withAnExpiredCertificate() throws Exception {
        Instant day = rig.now.minus(Duration.ofDays(1));
        IssuedCertificate expired =
                rig.authority.issue("expired", "CN=root, O=packing-superuser", day.minusSeconds(60), day);
        allRefuse(rig.certified(expired).security(), Status.Code.UNAVAILABLE);
    }

    @Test
    void withAnExpiredToken() throws Exception {
        Instant day = rig.now.minus(Duration.ofDays(1));
        allRefuse(rig.showing(signedByTheMaster(day.minusSeconds(60), day)).security(), Status.Code.UNAUTHENTICATED);
        // The key is the right one; only the time is wrong.
        Map<String, Status.Code> valid = outcomes(
                rig.showing(signedByTheMaster(day, rig.now.plusSeconds(3_600))).security());
        valid.keySet().removeIf(method -> rights().get(method) == Role.CALLER);
        assertThat(valid.values()).doesNotContain(Status.Code.UNAUTHENTICATED);
    }

    private String signedByTheMaster(Instant from, Instant to) throws IOException, GeneralSecurityException {
        String[] key =
                Files.readAllLines(rig.data().resolve("security/keys")).get(1).split(" ", -1);
        return Token.ofJob(Integer.parseInt(key[0]), 1, from, to, "alice", "")
                .sign(KeyFactory.getInstance(Token.ALGORITHM)
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key[2]))));
    }

    @Test
    void withATokenOfAnotherUser() throws Exception {
        Security alice = rig.certified("alice", "CN=alice").security();
        Security root = rig.certified("root", "CN=root, O=packing-superuser").security();
        try (GrpcBdts bdts = rig.bdts(alice)) {
            String token = bdts.tokens().issue("", "").text();
            allRefuse(root.showing(() -> Optional.of(token)), Status.Code.PERMISSION_DENIED);
        }
    }

    @Test
    void withACertificateThatGivesNoRole() throws Exception {
        refusesExactlyThoseThatNeed(
                rig.certified("alice", "CN=alice").security(), Role.DAEMON, Role.MASTER, Role.SUPERUSER);
    }

    @Test
    void withTheCertificateOfADaemon() throws Exception {
        refusesExactlyThoseThatNeed(
                rig.certified("daemon", "CN=worker-2, O=packing-daemon").security(), Role.MASTER, Role.SUPERUSER);
    }

    @Test
    void withTheCertificateOfAMaster() throws Exception {
        refusesExactlyThoseThatNeed(
                rig.certified("master-2", "CN=master-2, O=packing-daemon, O=packing-master")
                        .security(),
                Role.SUPERUSER);
    }

    @Test
    void withTheCertificateOfASuperuser() throws Exception {
        refusesExactlyThoseThatNeed(
                rig.certified("root", "CN=root, O=packing-superuser").security());
    }

    /** The token is a superuser's, but a token does not give the role. */
    @Test
    void withAToken() throws Exception {
        Security root = rig.certified("admin", "CN=admin, O=packing-superuser").security();
        try (GrpcBdts bdts = rig.bdts(root)) {
            Map<String, Status.Code> outcomes =
                    outcomes(rig.showing(bdts.tokens().issue("", "").text()).security());
            outcomes.forEach((method, outcome) -> {
                // A token gets no other token.
                boolean refused =
                        List.of(Role.DAEMON, Role.MASTER, Role.SUPERUSER).contains(rights().get(method))
                                || method.equals("packing.bdt.v1.Tokens/Issue");
                assertThat(outcome == Status.Code.PERMISSION_DENIED)
                        .as("%s: %s", method, outcome)
                        .isEqualTo(refused);
            });
        }
    }

    @Test
    void thePageForOperatorsHasTheSameTable() throws IOException {
        Path page = Path.of("../docs/security.md");
        Pattern row = Pattern.compile("\\| (caller|client|daemon|master|superuser) \\| (`.*)");
        Pattern named = Pattern.compile("`([\\w.]+/\\w+)`");
        Map<String, String> told = new TreeMap<>();
        for (String line : Files.readAllLines(page)) {
            Matcher match = row.matcher(line);
            if (match.matches()) {
                named.matcher(match.group(2)).results().forEach(found -> told.put(found.group(1), match.group(1)));
            }
        }
        Map<String, String> real = new TreeMap<>();
        rights().forEach((method, role) -> real.put(method, role.name().toLowerCase(Locale.ROOT)));
        assertThat(told).isEqualTo(real);
    }
}
