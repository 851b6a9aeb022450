// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.seed.GivenClock;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import io.packing.transport.tls.TlsFiles;
import io.packing.transport.token.KeyRing;
import io.packing.transport.token.Token;
import io.packing.transport.token.TokenVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with TLS, and clients of it with certificates and tokens. */
abstract class SecuredServerFixture {
    static final ConnectionOptions SETTINGS =
            new ConnectionOptions(1 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
    static final MethodDescriptor<StringValue, StringValue> ASK = method("Ask");
    static final MethodDescriptor<StringValue, StringValue> BEAT = method("Beat");
    static final MethodDescriptor<StringValue, StringValue> CLEAN = method("Clean");
    /** A stream whose every message is answered. */
    static final MethodDescriptor<StringValue, StringValue> TALK = ASK.toBuilder()
            .setType(MethodType.BIDI_STREAMING)
            .setFullMethodName("test.Secured/Talk")
            .build();

    static final ServiceDescriptor SERVICE = ServiceDescriptor.newBuilder("test.Secured")
            .addMethod(TALK)
            .addMethod(ASK)
            .addMethod(BEAT)
            .addMethod(CLEAN)
            .build();
    static final MethodRoles RIGHTS = MethodRoles.of(
            SERVICE, Map.of("Ask", Role.CLIENT, "Beat", Role.DAEMON, "Clean", Role.SUPERUSER, "Talk", Role.CLIENT));
    static final int KEY_ID = 7;

    @TempDir
    Path home;

    final Instant now = Clock.systemUTC().instant();
    final List<ManagedChannel> channels = new ArrayList<>();
    TestAuthority authority;
    IssuedCertificate serverFiles;
    RpcServer server;
    KeyPair keys;
    final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    volatile Set<Long> refused = Set.of();
    volatile Instant clock = now;

    static MethodDescriptor<StringValue, StringValue> method(String name) {
        return MethodDescriptor.<StringValue, StringValue>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Secured", name))
                .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .build();
    }

    /** Answers with the caller's name. */
    static void answer(StringValue request, StreamObserver<StringValue> reply) {
        reply.onNext(StringValue.of(Identity.current().map(Identity::user).orElse("nobody")));
        reply.onCompleted();
    }

    /** Answers each message with itself, and reports a cancellation to the test. */
    private StreamObserver<StringValue> talk(StreamObserver<StringValue> replies) {
        ((ServerCallStreamObserver<StringValue>) replies).setOnCancelHandler(() -> {
            boolean first = cancelled.complete(true);
            assertThat(first).isTrue();
            // A handler that answers late does no harm.
            replies.onNext(StringValue.of("late"));
            replies.onCompleted();
        });
        return new Talk(replies::onNext, failure -> {});
    }

    record Talk(Consumer<StringValue> next, Consumer<Throwable> failed) implements StreamObserver<StringValue> {
        @Override
        public void onNext(StringValue value) {
            next.accept(value);
        }

        @Override
        public void onError(Throwable failure) {
            failed.accept(failure);
        }

        @Override
        public void onCompleted() {}
    }

    ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(SERVICE)
                .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(this::talk))
                .addMethod(ASK, ServerCalls.asyncUnaryCall(SecuredServerFixture::answer))
                .addMethod(BEAT, ServerCalls.asyncUnaryCall(SecuredServerFixture::answer))
                .addMethod(CLEAN, ServerCalls.asyncUnaryCall(SecuredServerFixture::answer))
                .build();
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        authority = TestAuthority.create(home, "authority", now);
        serverFiles = authority.issue("server", "CN=server, O=packing-daemon");
        keys = KeyPairGenerator.getInstance(Token.ALGORITHM).generateKeyPair();
        server = server(security(Optional.of(serverFiles)));
    }

    RpcServer server(Security security) throws IOException {
        TokenVerifier tokens = new TokenVerifier(
                () -> new KeyRing(Map.of(KEY_ID, keys.getPublic()), refused), new GivenClock(() -> clock));
        return new RpcServerBuilder(
                        "127.0.0.1", 0, 1_000, new AccessControl(security, RIGHTS, tokens, new GivenClock(() -> clock)))
                .service(service())
                .start();
    }

    @AfterEach
    void end() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.close();
    }

    Security security(Optional<IssuedCertificate> own) {
        return security(authority, own);
    }

    static Security security(TestAuthority trusted, Optional<IssuedCertificate> own) {
        return new Security(
                Optional.of(new TlsFiles(
                        trusted.certificate(), own.map(files -> new TlsFiles.Own(files.certificate(), files.key())))),
                Security.TokenSource.NONE,
                Optional.empty(),
                false,
                SecurityOptions.OF_MOUNTS);
    }

    String call(MethodDescriptor<StringValue, StringValue> method, Security security) {
        ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS, security);
        channels.add(channel);
        return call(method, channel);
    }

    static String call(MethodDescriptor<StringValue, StringValue> method, ManagedChannel channel) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, StringValue.of(""))
                .getValue();
    }

    void refused(MethodDescriptor<StringValue, StringValue> method, Security security, Status.Code code) {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> call(method, security))
                .satisfies(e -> assertThat(e.getStatus().getCode())
                        .as("%s", e.getStatus())
                        .isEqualTo(code));
    }

    Security certified(String subject) throws IOException {
        return security(Optional.of(authority.issue("client" + subject.hashCode(), subject)));
    }

    String token(String user) {
        return Token.ofJob(KEY_ID, 1, now, now.plusSeconds(3_600), user, "").sign(keys.getPrivate());
    }

    Security showing(String token) {
        return security(Optional.empty()).showing(() -> Optional.of(token));
    }

    Security listing(Security security, Path revoked) {
        TlsFiles files = security.tls().orElseThrow();
        return new Security(
                Optional.of(new TlsFiles(files.trust(), files.own(), Optional.of(revoked))),
                Security.TokenSource.NONE,
                Optional.empty(),
                false,
                SecurityOptions.OF_MOUNTS);
    }
}
