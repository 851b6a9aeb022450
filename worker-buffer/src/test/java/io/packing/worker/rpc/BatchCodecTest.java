// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.packing.blob.CorruptBlobException;
import io.packing.worker.read.BatchAnswer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers of batches as messages, with a message for each file, and with the bytes of all files in one piece. */
final class BatchCodecTest {
    private static final String WORKER = "w:1";
    private static final List<BatchAnswer> ANSWERS = List.of(
            whole("first"),
            new BatchAnswer.Absent(),
            whole(""),
            new BatchAnswer.Denied("why"),
            new BatchAnswer.BufferedElsewhere("other:2"),
            whole("last"),
            new BatchAnswer.Apart(),
            new BatchAnswer.Directory());

    private static BatchAnswer whole(String text) {
        return new BatchAnswer.Whole(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void bothFormsHaveTheAnswersInTheirOrder() throws CorruptBlobException {
        assertThat(BatchCodec.answers(WORKER, BatchCodec.reply(ANSWERS))).isEqualTo(ANSWERS);
        ReadBatchReply joined = BatchCodec.joined(ANSWERS);
        assertThat(joined.getData()).isEqualTo(ByteString.copyFromUtf8("firstlast"));
        assertThat(joined.getFilesCount()).isEqualTo(5);
        assertThat(BatchCodec.answers(WORKER, joined)).isEqualTo(ANSWERS);
        assertThat(BatchCodec.answers(WORKER, BatchCodec.joined(List.of()))).isEmpty();
    }

    @Test
    void bytesThatWereDamagedOrCutAreRefused() {
        ReadBatchReply good = BatchCodec.joined(ANSWERS);
        List<ReadBatchReply> damaged = List.of(
                good.toBuilder().setData(ByteString.copyFromUtf8("firstLast")).build(),
                good.toBuilder().setData(ByteString.copyFromUtf8("firstlas")).build(),
                good.toBuilder().setLengths(0, 500).build(),
                good.toBuilder().clearFiles().build());
        for (ReadBatchReply each : damaged) {
            assertThatThrownBy(() -> BatchCodec.answers(WORKER, each))
                    .isInstanceOf(CorruptBlobException.class)
                    .hasMessageContaining("damaged on the way");
        }
    }
}
