// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

/**
 * The parts of a call that the kernel's programs copy, as a word that they read. Arguments count from 0; -1 is none.
 *
 * @param firstPath the argument that is a path
 * @param secondPath the argument that is another one
 * @param structure the argument that points to a structure or to an array of buffers
 * @param size of the structure in bytes; {@link #BUFFERS} for an array whose length is the next argument
 * @param secondNumber the argument that points to a number beside the structure
 * @param begin whether the begin of the call is recorded, too
 * @param flags whether the first argument is kept for the record of a fork; 2 if it points to the flags
 */
public record CallPlan(
        int firstPath, int secondPath, int structure, int size, int secondNumber, boolean begin, int flags) {
    public static final int NONE = -1;
    public static final int BUFFERS = 0;

    // 0 wanted  1 begin  2:3 flags  8:10 first path plus 1  12:14 second path plus 1  16:18 structure plus 1
    // 20 array of buffers  24:31 size  32:34 second number plus 1
    static final int BEGIN_BIT = 1;
    static final int FLAGS_BIT = 2;
    static final int FIRST_PATH_BIT = 8;
    static final int SECOND_PATH_BIT = 12;
    static final int STRUCTURE_BIT = 16;
    static final int BUFFERS_BIT = 20;
    static final int SIZE_BIT = 24;
    static final int SECOND_NUMBER_BIT = 32;
    static final int ARGUMENT_MASK = 7;
    static final int FLAGS_MASK = 3;
    static final int SIZE_MASK = 0xff;

    private static final int MOST_ARGUMENTS = 6;

    public CallPlan {
        check(firstPath);
        check(secondPath);
        check(structure);
        check(secondNumber);
        if (size < 0 || size > SIZE_MASK || flags < 0 || flags > 2) {
            throw new IllegalArgumentException("size %d, flags %d".formatted(size, flags));
        }
    }

    private static void check(int argument) {
        if (argument < NONE || argument >= MOST_ARGUMENTS) {
            throw new IllegalArgumentException("argument " + argument);
        }
    }

    long word() {
        return 1L
                | (begin ? 1L << BEGIN_BIT : 0)
                | (long) flags << FLAGS_BIT
                | (firstPath + 1L) << FIRST_PATH_BIT
                | (secondPath + 1L) << SECOND_PATH_BIT
                | (structure + 1L) << STRUCTURE_BIT
                | (structure != NONE && size == BUFFERS ? 1L << BUFFERS_BIT : 0)
                | (long) size << SIZE_BIT
                | (secondNumber + 1L) << SECOND_NUMBER_BIT;
    }
}
