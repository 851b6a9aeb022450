// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.seed.GivenClock;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests of the callers that a server with TLS accepts and refuses. */
final class SecuredServerTest extends SecuredServerFixture {
    @Test
    void aCertificateSaysWhoCallsAndWhatTheyMayDo() throws IOException {
        assertThat(call(ASK, certified("CN=alice"))).isEqualTo("alice");
        assertThat(call(BEAT, certified("CN=worker-1, O=packing-daemon"))).isEqualTo("worker-1");
        Security root = certified("CN=root, O=packing-superuser");
        assertThat(call(CLEAN, root)).isEqualTo("root");
        assertThat(call(BEAT, root)).isEqualTo("root");
        refused(BEAT, certified("CN=alice"), Status.Code.PERMISSION_DENIED);
        refused(CLEAN, certified("CN=worker-1, O=packing-daemon"), Status.Code.PERMISSION_DENIED);
        refused(BEAT, certified("CN=bob, OU=packing-daemon"), Status.Code.PERMISSION_DENIED);
        refused(BEAT, certified("CN=bob\\,O\\=packing-daemon"), Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aNameOfAnAccountOfEachHostIsNoIdentity() throws Exception {
        for (String name : List.of("0", "1000", "\\+0", "-1", "root", "ROOT", "a:b", "a/b")) {
            refused(ASK, certified("CN=" + name), Status.Code.UNAUTHENTICATED);
            refused(BEAT, certified("CN=" + name + ", O=packing-daemon"), Status.Code.UNAUTHENTICATED);
        }
        for (String name : List.of("node-1.example.com", "10.0.0.1", "u1000", "alice@EXAMPLE.COM", "Alice B")) {
            assertThat(call(ASK, certified("CN=" + name))).isEqualTo(name);
        }
    }

    @Test
    void withoutAnIdentityNothingIsAnswered() throws IOException {
        refused(ASK, security(Optional.empty()), Status.Code.UNAUTHENTICATED);
        refused(ASK, certified("O=packing-superuser"), Status.Code.UNAUTHENTICATED);
        refused(ASK, certified("CN=a, CN=b"), Status.Code.UNAUTHENTICATED);
        refused(ASK, Security.NONE, Status.Code.UNAVAILABLE);
    }

    /** POSIX mounts show owners as root and as other numbers by such names. */
    @Test
    void noUserIsCalledAsMountsCallRoot() throws IOException {
        refused(ASK, certified("CN=\\#0"), Status.Code.UNAUTHENTICATED);
        refused(ASK, certified("CN=\\#0, O=packing-daemon"), Status.Code.UNAUTHENTICATED);
        refused(ASK, showing(token("#1000")), Status.Code.UNAUTHENTICATED);
    }

    @Test
    void certificatesThatAreNotGoodDoNotConnect() throws IOException {
        Instant day = now.minus(Duration.ofDays(1));
        IssuedCertificate expired = authority.issue("expired", "CN=alice", day.minusSeconds(9), day);
        Instant tomorrow = now.plus(Duration.ofDays(1));
        IssuedCertificate early = authority.issue("early", "CN=alice", tomorrow, tomorrow.plusSeconds(9));
        TestAuthority other = TestAuthority.create(home.resolve("other"), "authority", now);
        IssuedCertificate selfMade = other.issue("self-made", "CN=root, O=packing-superuser");
        for (IssuedCertificate bad : List.of(expired, early, selfMade)) {
            refused(ASK, security(Optional.of(bad)), Status.Code.UNAVAILABLE);
        }
        assertThat(call(ASK, certified("CN=alice"))).isEqualTo("alice");
    }

    @Test
    void aClientDoesNotTalkToAServerThatIsSomebodyElse() throws IOException {
        TestAuthority other = TestAuthority.create(home.resolve("other"), "other", now);
        refused(ASK, security(other, Optional.of(authority.issue("alice", "CN=alice"))), Status.Code.UNAVAILABLE);
        server.close();
        server = server(security(Optional.of(authority.issueForHost("elsewhere", "CN=server", "elsewhere.test"))));
        refused(ASK, certified("CN=alice"), Status.Code.UNAVAILABLE);
    }

    @Test
    void aTokenSaysWhoCallsAndGivesNoRoles() {
        assertThat(call(ASK, showing(token("alice")))).isEqualTo("alice");
        refused(BEAT, showing(token("server")), Status.Code.PERMISSION_DENIED);
        refused(CLEAN, showing(token("admin")), Status.Code.PERMISSION_DENIED);
        refused(ASK, showing(token("root")), Status.Code.UNAUTHENTICATED);
        refused(ASK, showing(token("0")), Status.Code.UNAUTHENTICATED);
    }

    @Test
    void aTokenOfAnotherUserIsOfNoUseToSomebodyWhoIsIdentified() throws IOException {
        Security alice = certified("CN=alice");
        assertThat(call(ASK, alice.showing(() -> Optional.of(token("alice"))))).isEqualTo("alice");
        refused(ASK, alice.showing(() -> Optional.of(token("bob"))), Status.Code.PERMISSION_DENIED);
        refused(ASK, alice.showing(() -> Optional.of("x")), Status.Code.UNAUTHENTICATED);
    }

    @Test
    void tokensEndOnAnOpenConnection() {
        ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS, showing(token("alice")));
        channels.add(channel);
        assertThat(call(ASK, channel)).isEqualTo("alice");
        refused = Set.of(1L);
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> call(ASK, channel))
                .withMessageContaining("cancelled");
        refused = Set.of();
        clock = now.plusSeconds(3_600);
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> call(ASK, channel))
                .withMessageContaining("ended at");
    }

    @Test
    void aStreamEndsWithTheTokenThatOpenedIt() throws Exception {
        ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS, showing(token("alice")));
        channels.add(channel);
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        StreamObserver<StringValue> stream = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(TALK, CallOptions.DEFAULT),
                new Talk(answer -> answers.add(answer.getValue()), end::complete));
        stream.onNext(StringValue.of("one"));
        assertThat(answers.take()).isEqualTo("one");
        refused = Set.of(1L);
        stream.onNext(StringValue.of("two"));
        assertThat(Status.fromThrowable(end.get()).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(end.get()).hasMessageContaining("cancelled");
        assertThat(cancelled.get()).isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void certificatesEndOnAnOpenConnection() throws IOException {
        ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS, certified("CN=alice"));
        channels.add(channel);
        assertThat(call(ASK, channel)).isEqualTo("alice");
        clock = now.plus(Duration.ofDays(3));
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> call(ASK, channel))
                .withMessageContaining("connect with a newer one");
    }

    /** The server and its clients get new certificates of another authority without a restart. */
    @Test
    void certificatesAreReplacedWithoutARestart() throws IOException {
        Security alice = certified("CN=alice");
        assertThat(call(ASK, alice)).isEqualTo("alice");
        TestAuthority next = TestAuthority.create(home.resolve("next"), "next", now);
        IssuedCertificate renewed = next.issue("server", "CN=server");
        IssuedCertificate newAlice = next.issue("alice", "CN=alice");
        Files.move(next.certificate(), authority.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(renewed.key(), serverFiles.key(), StandardCopyOption.REPLACE_EXISTING);
        // Between the two files the server uses its old certificate, which its clients do not believe any more.
        refused(ASK, security(Optional.of(newAlice)), Status.Code.UNAVAILABLE);
        Files.move(renewed.certificate(), serverFiles.certificate(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(call(ASK, security(Optional.of(newAlice)))).isEqualTo("alice");
        refused(ASK, alice, Status.Code.UNAVAILABLE);
    }

    @Test
    void damagedFilesLeaveTheOlderOnesInUse() throws IOException {
        Security alice = certified("CN=alice");
        Files.writeString(serverFiles.certificate(), "no certificate");
        Files.delete(serverFiles.key());
        assertThat(call(ASK, alice)).isEqualTo("alice");
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws IOException {
        IssuedCertificate one = authority.issue("one", "CN=one");
        IssuedCertificate two = authority.issue("two", "CN=two");
        Security mixed = security(Optional.of(new IssuedCertificate(one.certificate(), two.key())));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Channels.open("127.0.0.1:1", SETTINGS, mixed))
                .withMessageContaining("two.key")
                .withMessageContaining("is not the key of");
        Files.delete(two.key());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Channels.open("127.0.0.1:1", SETTINGS, security(Optional.of(two))))
                .withMessageContaining("two.key");
    }

    @Test
    void anOpenServerStaysOnLoopbackUnlessSomebodySaysSo() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RpcServerBuilder("0.0.0.0", 0, 1_000, AccessControl.open(RIGHTS)))
                .withMessageContaining("packing.tls.trust")
                .withMessageContaining("packing.insecure=true");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RpcServerBuilder("no-such-host.invalid", 0, 1_000, AccessControl.open(RIGHTS)));
        Security said = new Security(
                Optional.empty(), Security.TokenSource.NONE, Optional.empty(), true, SecurityOptions.OF_MOUNTS);
        AccessControl open = new AccessControl(said, RIGHTS, TokenVerifier.none(), new GivenClock(() -> now));
        // Built but not started, since tests do not listen to the network.
        assertThatCode(() -> new RpcServerBuilder("0.0.0.0", 0, 1_000, open)).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server(security(Optional.empty())))
                .withMessageContaining("packing.tls.certificate");
    }

    @Test
    void aMethodThatNobodyThoughtOfIsNotServed() {
        MethodDescriptor<StringValue, StringValue> fresh = method("Fresh");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RpcServerBuilder("127.0.0.1", 0, 1_000, AccessControl.open(RIGHTS))
                        .service(ServerServiceDefinition.builder("test.Secured")
                                .addMethod(fresh, ServerCalls.asyncUnaryCall(SecuredServerFixture::answer))
                                .build()))
                .withMessageContaining("test.Secured/Fresh");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MethodRoles.of(SERVICE, Map.of("Ask", Role.CLIENT)))
                .withMessageContaining("the role that may call it");
    }
}
