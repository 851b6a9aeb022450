// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

/** The errors that the protocol knows, with their numbers. */
public enum NbdError {
    EPERM(1),
    EIO(5),
    ENOMEM(12),
    EINVAL(22),
    ENOSPC(28),
    EOVERFLOW(75),
    ENOTSUP(95),
    ESHUTDOWN(108);

    private final int number;

    NbdError(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
