// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A change of attributes; empty fields stay.
 *
 * @param accessed a time, or {@link Instant#MAX} for now
 * @param modified a time, or {@link Instant#MAX} for now
 * @param opened whether the caller has the file open, as with {@code ftruncate}
 * @param drops whether set-user-ID bits go
 */
public record AttributeUpdate(
        OptionalInt mode,
        OptionalInt user,
        OptionalInt group,
        OptionalLong size,
        Optional<Instant> accessed,
        Optional<Instant> modified,
        boolean opened,
        boolean drops) {
    /** Makes a change that leaves set-user-ID bits. */
    public AttributeUpdate(
            OptionalInt mode,
            OptionalInt user,
            OptionalInt group,
            OptionalLong size,
            Optional<Instant> accessed,
            Optional<Instant> modified,
            boolean opened) {
        this(mode, user, group, size, accessed, modified, opened, false);
    }

    /** Seconds whose milliseconds are a number of 64 bits, and one less. */
    private static final long LAST = Long.MAX_VALUE / 1_000 - 1;

    private static final int MODE = 1;
    private static final int USER = 1 << 1;
    private static final int GROUP = 1 << 2;
    private static final int SIZE = 1 << 3;
    private static final int ACCESSED = 1 << 4;
    private static final int MODIFIED = 1 << 5;
    private static final int HANDLE = 1 << 6;
    private static final int ACCESSED_NOW = 1 << 7;
    private static final int MODIFIED_NOW = 1 << 8;
    private static final int DROP_PRIVILEGES = 1 << 11;

    /** As {@code struct fuse_setattr_in}. */
    static AttributeUpdate read(MessageReader in) throws FuseException {
        int valid = in.int32();
        in.skip(4);
        in.skip(8);
        long size = in.int64();
        in.skip(8);
        long accessed = in.int64();
        long modified = in.int64();
        in.skip(8);
        int accessedNanos = in.int32();
        int modifiedNanos = in.int32();
        in.skip(4);
        int mode = in.int32();
        in.skip(4);
        int user = in.int32();
        int group = in.int32();
        in.skip(4);
        if ((valid & SIZE) != 0 && size < 0) {
            throw new FuseException(Errno.EINVAL);
        }
        return new AttributeUpdate(
                (valid & MODE) != 0 ? OptionalInt.of(mode) : OptionalInt.empty(),
                (valid & USER) != 0 ? OptionalInt.of(user) : OptionalInt.empty(),
                (valid & GROUP) != 0 ? OptionalInt.of(group) : OptionalInt.empty(),
                (valid & SIZE) != 0 ? OptionalLong.of(size) : OptionalLong.empty(),
                time(valid, ACCESSED, ACCESSED_NOW, accessed, accessedNanos),
                time(valid, MODIFIED, MODIFIED_NOW, modified, modifiedNanos),
                (valid & HANDLE) != 0,
                (valid & DROP_PRIVILEGES) != 0);
    }

    private static Optional<Instant> time(int valid, int given, int now, long seconds, int nanos) throws FuseException {
        if ((valid & now) != 0) {
            return Optional.of(Instant.MAX);
        }
        if ((valid & given) == 0) {
            return Optional.empty();
        }
        if (nanos < 0 || nanos >= 1_000_000_000) {
            throw new FuseException(Errno.EINVAL);
        }
        // As the file systems of Linux do it: a time beyond the last one that can be kept is the last one.
        if (seconds > LAST) {
            return Optional.of(Instant.ofEpochSecond(LAST));
        }
        return Optional.of(seconds < -LAST ? Instant.ofEpochSecond(-LAST) : Instant.ofEpochSecond(seconds, nanos));
    }
}
