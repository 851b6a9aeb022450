// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.util.Optional;

/** The operation of a request. */
public enum Opcode {
    LOOKUP(1),
    FORGET(2),
    GETATTR(3),
    SETATTR(4),
    READLINK(5),
    SYMLINK(6),
    MKNOD(8),
    MKDIR(9),
    UNLINK(10),
    RMDIR(11),
    RENAME(12),
    LINK(13),
    OPEN(14),
    READ(15),
    WRITE(16),
    STATFS(17),
    RELEASE(18),
    FSYNC(20),
    SETXATTR(21),
    GETXATTR(22),
    LISTXATTR(23),
    REMOVEXATTR(24),
    FLUSH(25),
    INIT(26),
    OPENDIR(27),
    READDIR(28),
    RELEASEDIR(29),
    FSYNCDIR(30),
    ACCESS(34),
    CREATE(35),
    INTERRUPT(36),
    DESTROY(38),
    BATCH_FORGET(42),
    FALLOCATE(43),
    READDIRPLUS(44),
    RENAME2(45),
    LSEEK(46),
    COPY_FILE_RANGE(47),
    SYNCFS(50);

    private static final int MOST = 64;
    private static final Opcode[] BY_NUMBER = new Opcode[MOST];

    static {
        for (Opcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;

    Opcode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Returns whether the kernel waits for no answer, and refuses one. */
    boolean isSilent() {
        return this == FORGET || this == BATCH_FORGET;
    }

    static Optional<Opcode> of(int number) {
        return number < 0 || number >= MOST ? Optional.empty() : Optional.ofNullable(BY_NUMBER[number]);
    }
}
