// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

/** A stream with recorded calls. */
interface TracedStream {
    /** Returns its number in the trace. */
    long number();
}
