// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.util.OptionalLong;

/** INIT: the agreement of kernel and server on their flags. */
final class Negotiation {
    private static final int MAJOR = 7;
    /** The version whose messages are spoken here; a newer kernel keeps to it. */
    private static final int MINOR = 38;
    /** Linux 4.2: {@code fuse_init_out} has its present size from 7.23 on. */
    private static final int LEAST_MINOR = 23;

    private static final int MAX_BACKGROUND = 64;
    private static final int CONGESTED = 48;

    private final FuseOptions settings;

    Negotiation(FuseOptions settings) {
        this.settings = settings;
    }

    /** Answers INIT; returns the flags of both; empty when the kernel has to ask again with another version. */
    OptionalLong answer(MessageReader in, Reply reply) throws FuseException {
        int major = in.int32();
        int minor = in.int32();
        if (major < MAJOR || (major == MAJOR && minor < LEAST_MINOR)) {
            throw new FuseException(
                    Errno.EPROTO,
                    "the kernel speaks FUSE %d.%d; Linux 4.2 is needed, which speaks 7.23".formatted(major, minor));
        }
        if (major > MAJOR) {
            reply.int32(MAJOR).int32(MINOR).zeros(56);
            return OptionalLong.empty();
        }
        int readAhead = in.int32();
        long offered = in.int32() & 0xffffffffL;
        if ((offered & InitFlags.INIT_EXT) != 0 && in.remaining() >= 4) {
            offered |= (long) in.int32() << 32;
        }
        long agreed = offered
                & (InitFlags.WANTED
                        | (settings.extended() ? InitFlags.EXTENDED : 0)
                        | (settings.readOnly() ? InitFlags.READ_ONLY : InitFlags.READ_WRITE));
        reply.int32(MAJOR)
                .int32(MINOR)
                .int32(Math.max(readAhead, settings.maxWriteBytes()))
                .int32((int) agreed)
                .int16(MAX_BACKGROUND)
                .int16(CONGESTED)
                .int32(settings.maxWriteBytes())
                .int32(settings.timeGranularityNanos())
                .int16(settings.maxPages())
                .int16(0)
                .int32((int) (agreed >>> 32))
                .zeros(28);
        return OptionalLong.of(agreed);
    }
}
