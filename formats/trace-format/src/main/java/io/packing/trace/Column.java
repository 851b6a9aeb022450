package io.packing.trace;

/** The columns of a block, in file order; trace-format.md, section 5, says what each holds. */
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
    HINTS(17);

    static final int HOW_MANY = 18;

    /** Place in the file, from 0. */
    final int place;

    Column(int place) {
        this.place = place;
    }
}
