// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** A kind of rename: it decides on an entry at the new name, and on the old name. */
public enum RenameKind {
    REPLACE,
    /** An entry at the new name is refused with EEXIST. */
    NO_REPLACE,
    /** The two change places. */
    EXCHANGE,
    /** A character device 0:0 is left at the old name: for overlayfs, that a layer below has something there. */
    WHITEOUT,
    /** Both of these. */
    WHITEOUT_NO_REPLACE;

    /** Returns the kind for flags of {@code renameat2(2)}. */
    static RenameKind of(int flags) throws FuseException {
        return switch (flags) {
            case 0 -> REPLACE;
            case 1 -> NO_REPLACE;
            case 2 -> EXCHANGE;
            case 4 -> WHITEOUT;
            case 5 -> WHITEOUT_NO_REPLACE;
            default -> throw new FuseException(Errno.EINVAL);
        };
    }
}
