// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/** The columns of a block, in file order; trace-format.md, section 5, specifies each. */
enum Column {
    CALL(0),
    ORIGIN(1),
    TIME(2),
    DURATION(3),
    COUNT(4),
    SPAN(5),
    STREAM(6),
    PATH(7),
    THREAD(8),
    USER(9),
    CONTEXT(10),
    FILE_SYSTEM(11),
    OFFSET(12),
    LENGTH(13),
    RESULT(14),
    TARGET(15),
    ERROR(16),
    HINTS(17),
    DESCRIPTOR(18),
    SIZE(19);

    static final int HOW_MANY = 20;

    private static final int HOW_MANY_OF_VERSION_1 = 18;

    /** The place in the file, from 0. */
    final int place;

    Column(int place) {
        this.place = place;
    }

    /** Returns the number of columns in a block of a version. */
    static int howMany(int version) {
        return version == TraceLayout.VERSION_1 ? HOW_MANY_OF_VERSION_1 : HOW_MANY;
    }

    boolean isIn(int version) {
        return place < howMany(version);
    }
}
