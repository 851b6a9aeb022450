package io.packing.worker.buffer;

/** Why a blob was sealed when it was. */
public enum SealCause {
    /** It had as many bytes or files as a blob may have. */
    SIZE,
    /** Its first file was old. */
    AGE,
    /** No push was under way, and it was worth a PUT. */
    IDLE,
    /** Creators waited for room. */
    PRESSURE,
    /** A flush, or the master, asked for it. */
    ORDER,
    /** Closers waited for their upload. */
    UPLOAD,
    /** It holds one large file, which is closed. */
    LARGE,
    /** An earlier process left it. */
    RESTART
}
