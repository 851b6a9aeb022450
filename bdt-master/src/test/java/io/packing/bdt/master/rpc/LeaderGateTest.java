// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.StatReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderGateTest {
    private boolean leads;
    private boolean answers;
    private final LeaderGate gate = new LeaderGate(
            () -> leads,
            () -> answers ? Optional.empty() : Optional.of(new NotLeaderException("not now", Optional.empty())));
    private final Recorded call = new Recorded();
    private final List<ServerCall<PathRequest, StatReply>> begun = new ArrayList<>();

    /** The answers that a client got. */
    private static final class Recorded extends ServerCall<PathRequest, StatReply> {
        private final List<StatReply> sent = new ArrayList<>();
        private final List<Status.Code> closed = new ArrayList<>();

        @Override
        public void request(int numMessages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(StatReply message) {
            sent.add(message);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            closed.add(status.getCode());
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<PathRequest, StatReply> getMethodDescriptor() {
            return BdtGrpc.getStatMethod();
        }
    }

    private void begin() {
        ServerCallHandler<PathRequest, StatReply> handler = (given, headers) -> {
            begun.add(given);
            return new ServerCall.Listener<>() {};
        };
        ServerCall.Listener<PathRequest> unused = gate.interceptCall(call, new Metadata(), handler);
    }

    private void answer() {
        begun.get(0).sendMessage(StatReply.getDefaultInstance());
        begun.get(0).close(Status.OK, new Metadata());
    }

    @Test
    void masterThatDoesNotLeadBeginsNothing() {
        begin();
        assertThat(begun).isEmpty();
        assertThat(call.closed).containsExactly(Status.Code.UNAVAILABLE);
    }

    @Test
    void newLeaderBeginsBeforeItMayAnswerAndAnswersThen() {
        leads = true;
        begin();
        assertThat(begun).hasSize(1);
        answers = true;
        answer();
        assertThat(call.sent).hasSize(1);
        assertThat(call.closed).containsExactly(Status.Code.OK);
    }

    @Test
    void newLeaderSendsNoAnswerBeforeItMay() {
        leads = true;
        begin();
        answer();
        assertThat(call.sent).isEmpty();
        assertThat(call.closed).containsExactly(Status.Code.UNAVAILABLE);
    }

    @Test
    void leaderThatLedOnlyWhenTheCallBeganSendsNoAnswer() {
        leads = true;
        answers = true;
        begin();
        leads = false;
        answers = false;
        answer();
        assertThat(call.sent).isEmpty();
        assertThat(call.closed).containsExactly(Status.Code.UNAVAILABLE);
    }
}
