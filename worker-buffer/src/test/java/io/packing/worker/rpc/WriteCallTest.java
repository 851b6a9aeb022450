// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WriteCallTest {
    private final Replies replies = new Replies();
    private final StreamObserver<WriteBatch> call = WriteCall.start(new Engine(), replies);

    /** A client that takes replies when the test lets it. */
    private static final class Replies extends ServerCallStreamObserver<WriteBatchReply> {
        private boolean ready = true;
        private int requested;
        private int answered;
        private @Nullable Runnable whenReady;

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            whenReady = handler;
        }

        @Override
        public void request(int count) {
            requested += count;
        }

        @Override
        public void onNext(WriteBatchReply reply) {
            answered++;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void disableAutoRequest() {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {}
    }

    private void send(int batches) {
        for (int i = 0; i < batches; i++) {
            call.onNext(WriteBatch.getDefaultInstance());
        }
    }

    @Test
    void moreBatchesAreAskedForOnlyWhileTheClientTakesTheReplies() {
        send(3);
        assertThat(replies.requested).isEqualTo(WriteCall.BATCHES_TAKEN + 3);
        replies.ready = false;
        send(WriteCall.BATCHES_TAKEN);
        assertThat(replies.answered).isEqualTo(3 + WriteCall.BATCHES_TAKEN);
        assertThat(replies.requested).isEqualTo(WriteCall.BATCHES_TAKEN + 3);
        replies.ready = true;
        assertThat(replies.whenReady).isNotNull().satisfies(Runnable::run);
        assertThat(replies.requested).isEqualTo(2 * WriteCall.BATCHES_TAKEN + 3);
    }
}
