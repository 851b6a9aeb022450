// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

/** A span that this process does not record. */
record UnrecordedSpan(SpanContext context) implements Span {
    @Override
    public boolean isRecorded() {
        return false;
    }

    @Override
    public Span child(String name, Kind kind) {
        return NONE;
    }

    @Override
    public Span child(String name) {
        return NONE;
    }

    @Override
    public Span with(String key, String value) {
        return this;
    }

    @Override
    public Span with(String key, long value) {
        return this;
    }

    @Override
    public Span link(SpanContext other) {
        return this;
    }

    @Override
    public void failed(String why) {}

    @Override
    public void close() {}
}
