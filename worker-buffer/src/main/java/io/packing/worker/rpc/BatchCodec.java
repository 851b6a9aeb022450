// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import com.google.protobuf.UnsafeByteOperations;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.ExtentCodec;
import io.packing.worker.read.BatchAnswer;
import java.nio.ByteBuffer;
import java.util.List;

/** The translation of batches of small files to messages. */
final class BatchCodec {
    private BatchCodec() {}

    static ReadBatchReply reply(List<BatchAnswer> files) {
        ReadBatchReply.Builder reply = ReadBatchReply.newBuilder();
        files.forEach(file -> reply.addFiles(message(file)));
        return reply.build();
    }

    private static BatchedFile message(BatchAnswer file) {
        BatchedFile.Builder message = BatchedFile.newBuilder();
        if (file instanceof BatchAnswer.Whole whole) {
            ByteBuffer bytes = whole.bytes();
            message.setAnswer(BatchedFile.Answer.WHOLE)
                    .setCrc32C(ExtentCodec.crc32c(bytes))
                    .setData(UnsafeByteOperations.unsafeWrap(bytes));
        } else if (file instanceof BatchAnswer.Absent) {
            message.setAnswer(BatchedFile.Answer.ABSENT);
        } else if (file instanceof BatchAnswer.Directory) {
            message.setAnswer(BatchedFile.Answer.IS_A_DIRECTORY);
        } else if (file instanceof BatchAnswer.Denied denied) {
            message.setAnswer(BatchedFile.Answer.DENIED).setMessage(StatusMapping.shortened(denied.why()));
        } else if (file instanceof BatchAnswer.BufferedElsewhere elsewhere) {
            message.setAnswer(BatchedFile.Answer.BUFFERED).setMessage(elsewhere.address());
        } else {
            message.setAnswer(BatchedFile.Answer.APART);
        }
        return message.build();
    }

    /**
     * Decodes an answer.
     *
     * @throws CorruptBlobException when bytes were damaged on the way
     */
    static BatchAnswer answer(String address, BatchedFile file) throws CorruptBlobException {
        return switch (file.getAnswer()) {
            case WHOLE -> {
                ByteBuffer bytes = file.getData().asReadOnlyByteBuffer();
                if (ExtentCodec.crc32c(bytes) != file.getCrc32C()) {
                    throw new CorruptBlobException("worker at %s: %d bytes of a file were damaged on the way"
                            .formatted(address, bytes.remaining()));
                }
                yield new BatchAnswer.Whole(bytes);
            }
            case ABSENT -> new BatchAnswer.Absent();
            case IS_A_DIRECTORY -> new BatchAnswer.Directory();
            case DENIED -> new BatchAnswer.Denied(file.getMessage());
            case BUFFERED -> new BatchAnswer.BufferedElsewhere(file.getMessage());
            case APART, UNRECOGNIZED -> new BatchAnswer.Apart();
        };
    }
}
