package io.packing.fuse;

/** What a rename does with a name that is there already. */
public enum RenameKind {
    REPLACE,
    /** It is EEXIST. */
    NO_REPLACE,
    /** The two change places. */
    EXCHANGE;

    /** By the flags of {@code renameat2(2)}. */
    static RenameKind of(int flags) throws FuseException {
        return switch (flags) {
            case 0 -> REPLACE;
            case 1 -> NO_REPLACE;
            case 2 -> EXCHANGE;
            default -> throw new FuseException(Errno.EINVAL);
        };
    }
}
