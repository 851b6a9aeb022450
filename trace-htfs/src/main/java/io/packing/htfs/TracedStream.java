package io.packing.htfs;

/** A stream whose calls are recorded. */
interface TracedStream {
    /** Its number in the trace. */
    long number();
}
