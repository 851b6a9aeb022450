package io.packing.htfs;

/** What a trace says of a failure. */
final class Errors {
    private Errors() {}

    /** The simple name of its class; the whole name of a class that has no simple one. */
    static String nameOf(Throwable failure) {
        String simple = failure.getClass().getSimpleName();
        return simple.isEmpty() ? failure.getClass().getName() : simple;
    }
}
