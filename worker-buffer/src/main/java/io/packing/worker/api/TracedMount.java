// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * The spans of clients' calls to a mount: the create and close of a file are one trace, and so are an open and its
 * reads.
 *
 * @param spans begins the traces
 * @param paths adds the file's path to them
 */
public record TracedMount(Spans spans, boolean paths) {
    /** A call that may fail. */
    public interface Opening<T> {
        T open() throws IOException;
    }

    /** Makes an output; its close is a part of the span. */
    public PackingOutput create(FilePath path, Opening<PackingOutput> output) throws IOException {
        try (Span span = entered("create", path)) {
            return inside(span, output);
        }
    }

    /** Begins the close of a file whose bytes the mount has, in a trace like that of an output. */
    public Span closed(FilePath path) {
        try (Span span = entered("create", path)) {
            return span.child("close");
        }
    }

    /** Ends a span when the future completes. */
    public static <T> CompletableFuture<T> until(Span span, CompletableFuture<T> done) {
        if (!span.isRecorded()) {
            return done;
        }
        return done.whenComplete((unused, failure) -> {
            if (failure != null) {
                span.failed(failure.toString());
            }
            span.close();
        });
    }

    /** Makes an input; its reads are parts of the span. */
    public PackingInput open(FilePath path, Opening<PackingInput> input) throws IOException {
        try (Span span = entered("open", path)) {
            PackingInput opened = inside(span, input);
            return span.isRecorded() ? new SpannedInput(opened, span) : opened;
        }
    }

    /** Makes another call, in a span of this name. */
    public <T> T call(String name, FilePath path, Opening<T> call) throws IOException {
        try (Span span = entered(name, path)) {
            return inside(span, call);
        }
    }

    private Span entered(String name, FilePath path) {
        Span span = spans.enter(name);
        return paths && span.isRecorded() ? span.with("packing.path", path.value()) : span;
    }

    private static <T> T inside(Span span, Opening<T> opening) throws IOException {
        try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            return opening.open();
        } catch (IOException | RuntimeException e) {
            span.failed(e.toString());
            throw e;
        }
    }

    /** An input with spans of its reads. */
    private record SpannedInput(PackingInput input, Span opened) implements PackingInput {
        @Override
        public FileAttributes attributes() {
            return input.attributes();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            return seen(position, () -> input.read(position, into));
        }

        @Override
        public int readOnce(long position, ByteBuffer into) throws IOException {
            return seen(position, () -> input.readOnce(position, into));
        }

        private int seen(long position, Opening<Integer> reading) throws IOException {
            try (Span span = opened.child("read")) {
                int read = inside(span, reading);
                span.with("packing.offset", position).with("packing.bytes", Math.max(0, read));
                return read;
            }
        }

        @Override
        public long checkedEnd(long position) {
            return input.checkedEnd(position);
        }

        @Override
        public long runEnd(long position, int most) {
            return input.runEnd(position, most);
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
