// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

/** The names of failures in a trace. */
final class Errors {
    private Errors() {}

    /** Returns the simple name of a failure's class, or the whole name of a class without one. */
    static String nameOf(Throwable failure) {
        String simple = failure.getClass().getSimpleName();
        return simple.isEmpty() ? failure.getClass().getName() : simple;
    }
}
