// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.reflect.Reflection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A test of candidates that replace a connection and ask again, and of closes of servers that do not end. */
@Timeout(120)
class ReconnectingRpcTest {
    private static final RequestVoteRequestProto TO_B = RequestVoteRequestProto.newBuilder()
            .setServerRequest(RaftRpcRequestProto.newBuilder()
                    .setReplyId(RaftPeerId.valueOf("b").toByteString()))
            .build();

    private final List<String> calls = new ArrayList<>();
    private final Deque<Status> failures = new ArrayDeque<>();

    private final ReconnectingRpc rpc =
            new ReconnectingRpc(Reflection.newProxy(GrpcServices.class, (proxy, method, arguments) -> {
                boolean isVote = method.getName().equals("requestVote");
                calls.add(isVote ? "ask" : "%s %s".formatted(method.getName(), arguments[0]));
                Status failure = isVote ? failures.poll() : null;
                if (failure != null) {
                    throw failure.asRuntimeException();
                }
                return isVote ? RequestVoteReplyProto.getDefaultInstance() : null;
            }));

    private void assertFails(Status status) {
        assertThatThrownBy(() -> rpc.requestVote(TO_B))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(status.getCode()));
    }

    @Test
    void whoCannotBeReachedIsAskedOnceMoreByANewConnection() throws IOException {
        failures.add(Status.UNAVAILABLE);
        assertThat(rpc.requestVote(TO_B)).isNotNull();
        assertThat(calls).containsExactly("ask", "handleException b", "ask");
        calls.clear();
        failures.addAll(List.of(Status.UNAVAILABLE, Status.UNAVAILABLE));
        assertFails(Status.UNAVAILABLE);
        assertThat(calls).containsExactly("ask", "handleException b", "ask");
    }

    @Test
    void whoDoesNotAnswerInTimeIsAskedByANewConnectionNextTime() {
        failures.add(Status.DEADLINE_EXCEEDED);
        assertFails(Status.DEADLINE_EXCEEDED);
        assertThat(calls).containsExactly("ask", "handleException b");
    }

    /** The election was won without the vote: the new leader sends its log over this connection. */
    @Test
    void whoNeedNotAnswerAnyMoreKeepsItsConnection() {
        failures.add(Status.CANCELLED);
        assertFails(Status.CANCELLED);
        assertThat(calls).containsExactly("ask");
    }

    /** The fake waits for its gRPC servers until it is interrupted, and then closes the rest, as Ratis does. */
    @Test
    void aCloseEndsWhoseServersDoNot() throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch rest = new CountDownLatch(1);
        GrpcServices hanging = Reflection.newProxy(GrpcServices.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    rest.countDown();
                }
            }
            return null;
        });
        new ReconnectingRpc(hanging, Duration.ofMillis(50)).close();
        assertThat(rest.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatACloseThrowsIsThrown() {
        GrpcServices broken = Reflection.newProxy(GrpcServices.class, (proxy, method, arguments) -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> new ReconnectingRpc(broken, Duration.ofMinutes(1)).close())
                .isInstanceOf(IOException.class)
                .hasRootCauseMessage("broken");
    }
}
