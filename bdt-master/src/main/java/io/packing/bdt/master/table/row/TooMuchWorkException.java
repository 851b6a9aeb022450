// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/** A request that would hold the writer of its mount for too long. It has changed nothing. */
public final class TooMuchWorkException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    TooMuchWorkException(long most) {
        super(
                ("the request would read and write more than %,d rows at once, and all other changes of the mount would wait for it:"
                                + " split it, that is send fewer operations in a vector, or begin with the directories below")
                        .formatted(most));
    }
}
