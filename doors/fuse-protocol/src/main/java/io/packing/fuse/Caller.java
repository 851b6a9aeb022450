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
 */
public record Caller(int user, int group, int process, boolean again, BooleanSupplier interrupted) {}
