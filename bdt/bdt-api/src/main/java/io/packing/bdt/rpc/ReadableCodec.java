// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.AccessMode;
import io.packing.bdt.ReadableBytes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * The translation of questions about the readable bytes of a version. A wrong message makes it throw an {@link
 * IllegalArgumentException}.
 */
public final class ReadableCodec {
    private ReadableCodec() {}

    /** Encodes a question for a user; the caller adds the mount. */
    public static AccessRequest question(FilePath path, FileVersion version, String user, long offset) {
        return AccessRequest.newBuilder()
                .setPath(path.value())
                .setVersion(BdtCodec.version(version))
                .setRights(AccessMode.READ)
                .setUser(user)
                .setByRange(true)
                .setOffset(offset)
                .build();
    }

    public static ReadableMessage message(ReadableBytes readable) {
        ReadableMessage.Builder message = ReadableMessage.newBuilder().setUntil(readable.until());
        readable.ranges().forEach(range -> message.addStarts(range.from()).addEnds(range.to()));
        return message.build();
    }

    /**
     * Decodes the answer to a question.
     *
     * @param offset of the question
     */
    public static ReadableBytes readable(AccessReply reply, long offset) {
        ReadableMessage message = reply.getReadable();
        if (message.getStartsCount() != message.getEndsCount()) {
            throw new IllegalArgumentException(
                    "%d starts of %d ranges".formatted(message.getStartsCount(), message.getEndsCount()));
        }
        List<ReadableBytes.Range> ranges = new ArrayList<>(message.getStartsCount());
        for (int i = 0; i < message.getStartsCount(); i++) {
            ranges.add(new ReadableBytes.Range(message.getStarts(i), message.getEnds(i)));
        }
        return new ReadableBytes(offset, message.getUntil(), ranges);
    }
}
