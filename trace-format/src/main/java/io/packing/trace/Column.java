package io.packing.trace;

/** The columns of a block, in file order; trace-format.md, section 5, says what each holds. */
enum Column {
    CALL,
    ORIGIN,
    TIME,
    DURATION,
    COUNT,
    SPAN,
    STREAM,
    PATH,
    THREAD,
    USER,
    CONTEXT,
    FILE_SYSTEM,
    OFFSET,
    LENGTH,
    RESULT,
    TARGET,
    ERROR,
    HINTS
}
