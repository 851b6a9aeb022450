// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.util.function.BooleanSupplier;

/**
 * The caller of a request.
 *
 * @param user the number of the user
 * @param group the group of a new file
 * @param process 0 when the kernel asks for itself
 * @param again whether an earlier server received the request, which may have done it but did not answer
 * @param interrupted whether the caller does not want to wait any longer
 * @param umask of calls that make a file: permissions that the caller does not give, unless the directory has default
 *     ones
 */
public record Caller(int user, int group, int process, boolean again, BooleanSupplier interrupted, int umask) {
    /** Makes the caller of a request that makes no file. */
    public Caller(int user, int group, int process, boolean again, BooleanSupplier interrupted) {
        this(user, group, process, again, interrupted, 0);
    }

    Caller withUmask(int other) {
        return new Caller(user, group, process, again, interrupted, other & Mode.PERMISSIONS);
    }
}
