package io.packing.fuse;

import java.util.function.BooleanSupplier;

/**
 * Who asks.
 *
 * @param user who is asked for, by number
 * @param group the group of what is created
 * @param process 0 when the kernel asks for itself
 * @param again whether the request was sent to an earlier server, which may have done it but did not answer
 * @param interrupted whether the caller does not want to wait any longer
 * @param umask of calls that make something: permissions that the caller does not give, unless the directory says what is given
 */
public record Caller(int user, int group, int process, boolean again, BooleanSupplier interrupted, int umask) {
    /** One of a call that makes nothing. */
    public Caller(int user, int group, int process, boolean again, BooleanSupplier interrupted) {
        this(user, group, process, again, interrupted, 0);
    }

    Caller withUmask(int other) {
        return new Caller(user, group, process, again, interrupted, other & Mode.PERMISSIONS);
    }
}
