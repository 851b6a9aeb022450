// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests of certificates that their authority revoked before their time. */
final class RevokedCertificateTest extends SecuredServerFixture {
    @Test
    void aRevokedCertificateDoesNotConnectAndEndsOnAnOpenConnection() throws Exception {
        IssuedCertificate alices = authority.issue("alice", "CN=alice");
        Path revoked = authority.revoke();
        server.close();
        server = server(listing(security(Optional.of(serverFiles)), revoked));
        ManagedChannel alice = Channels.open("127.0.0.1:" + server.port(), SETTINGS, security(Optional.of(alices)));
        channels.add(alice);
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        StreamObserver<StringValue> stream = ClientCalls.asyncBidiStreamingCall(
                alice.newCall(TALK, CallOptions.DEFAULT),
                new Talk(answer -> answers.add(answer.getValue()), end::complete));
        stream.onNext(StringValue.of("one"));
        assertThat(answers.take()).isEqualTo("one");
        assertThat(authority.revoke(alices)).isEqualTo(revoked);
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> call(ASK, alice))
                .withMessageContaining("UNAUTHENTICATED")
                .withMessageContaining("CN=alice")
                .withMessageContaining("was revoked at");
        stream.onNext(StringValue.of("two"));
        assertThat(end.get()).hasMessageContaining("was revoked at");
        refused(ASK, security(Optional.of(alices)), Status.Code.UNAVAILABLE);
        assertThat(call(ASK, certified("CN=alice"))).as("another certificate").isEqualTo("alice");
    }

    @Test
    void aClientDoesNotTalkToAServerWhoseCertificateIsRevoked() throws IOException {
        Security alice = listing(certified("CN=alice"), authority.revoke());
        assertThat(call(ASK, alice)).isEqualTo("alice");
        Path unused = authority.revoke(serverFiles);
        refused(ASK, alice, Status.Code.UNAVAILABLE);
    }

    @Test
    void aListOfRevokedCertificatesThatCannotBeUsedChangesNothing() throws IOException {
        IssuedCertificate alices = authority.issue("alice", "CN=alice");
        Path revoked = authority.revoke(alices);
        server.close();
        server = server(listing(security(Optional.of(serverFiles)), revoked));
        TestAuthority other = TestAuthority.create(home.resolve("other"), "authority", now);
        for (String text : List.of("", "no list", Files.readString(other.revoke()))) {
            Files.writeString(revoked, text);
            refused(ASK, security(Optional.of(alices)), Status.Code.UNAVAILABLE);
            assertThat(call(ASK, certified("CN=bob"))).isEqualTo("bob");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> server(listing(security(Optional.of(serverFiles)), revoked)))
                    .withMessageContaining("revoked.crl");
        }
    }
}
