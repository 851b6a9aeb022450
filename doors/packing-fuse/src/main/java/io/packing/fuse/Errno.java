// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** Why a call failed, by the numbers that Linux has for it on every architecture that Java runs on. */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    E2BIG(7),
    EAGAIN(11),
    EACCES(13),
    EBUSY(16),
    EEXIST(17),
    EXDEV(18),
    ENODEV(19),
    ENOTDIR(20),
    EISDIR(21),
    EINVAL(22),
    EFBIG(27),
    ENOSPC(28),
    EROFS(30),
    ERANGE(34),
    ENAMETOOLONG(36),
    ENOSYS(38),
    ENOTEMPTY(39),
    ENODATA(61),
    EPROTO(71),
    EILSEQ(84),
    EOPNOTSUPP(95),
    ESTALE(116),
    EDQUOT(122);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    /** Returns the number, which is positive. */
    public int number() {
        return number;
    }
}
