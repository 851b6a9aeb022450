// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

/** A receiver of ended spans. Thread-safe; its calls do not wait. */
interface SpanSink extends AutoCloseable {
    void ended(EndedSpan span);

    /** Returns the number of sent spans. */
    long sent();

    /** Returns the number of lost spans. */
    long dropped();

    @Override
    void close();
}
