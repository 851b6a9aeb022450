// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;

/** A stream of the trace, open again. Only the lane of its file uses it. */
sealed interface OpenStream {
    /** The limit of a single read or write; larger ones are made in several pieces. */
    int MOST_BYTES = 16 << 20;

    /**
     * Makes one call of the event, with {@code length} as its share, and returns the result that a trace would have.
     */
    long call(TraceEvent event, int length) throws IOException;

    /** Closes the stream when the trace does not. */
    void close() throws IOException;

    /** Returns random bytes, which do not compress. */
    static byte[] noise(long seed) {
        byte[] bytes = new byte[MOST_BYTES];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** A stream that reads. */
    final class In implements OpenStream {
        private final FSDataInputStream in;
        private final byte[] space;

        /** @param space receives the bytes and drops them; other streams use it, too */
        In(FSDataInputStream in, byte[] space) {
            this.in = in;
            this.space = space;
        }

        @Override
        public long call(TraceEvent event, int length) throws IOException {
            return switch (event.call()) {
                case READ -> moved(in.read(space, 0, length));
                case READ_BYTE_BUFFER, READ_ZERO_COPY -> moved(in.read(ByteBuffer.wrap(space, 0, length)));
                case PREAD -> moved(in.read(event.offset(), space, 0, length));
                case PREAD_BYTE_BUFFER -> moved(in.read(event.offset(), ByteBuffer.wrap(space, 0, length)));
                case PREAD_FULLY -> {
                    in.readFully(event.offset(), space, 0, length);
                    yield length;
                }
                case PREAD_FULLY_BYTE_BUFFER -> {
                    in.readFully(event.offset(), ByteBuffer.wrap(space, 0, length));
                    yield length;
                }
                case READ_VECTORED -> vectored(event.offset(), length);
                default -> other(event);
            };
        }

        private static long moved(int count) {
            return Math.max(0, count);
        }

        private long vectored(long offset, int length) throws IOException {
            FileRange range = FileRange.createFileRange(offset, length);
            in.readVectored(List.of(range), ByteBuffer::allocate);
            try {
                return range.getData().get().remaining();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }

        private long other(TraceEvent event) throws IOException {
            switch (event.call()) {
                case SEEK -> in.seek(event.offset());
                case SEEK_TO_NEW_SOURCE -> in.seekToNewSource(event.offset());
                case SKIP -> {
                    return in.skip(Math.max(0, event.length()));
                }
                case UNBUFFER -> in.unbuffer();
                case SET_READAHEAD -> in.setReadahead(1L << 20);
                case SET_DROP_BEHIND_INPUT -> in.setDropBehind(true);
                case AVAILABLE -> in.available();
                case GET_POS -> in.getPos();
                case CLOSE_INPUT -> in.close();
                default -> throw new UnsupportedOperationException(event.call().label());
            }
            return TraceEvent.NONE;
        }

        /** Moves the stream to its position in the trace: a filter may have removed calls in between. */
        void align(TraceEvent event) throws IOException {
            boolean sequential = event.call() == Call.READ || event.call() == Call.READ_BYTE_BUFFER;
            if (sequential && event.offset() >= 0 && in.getPos() != event.offset()) {
                in.seek(event.offset());
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** A stream that writes. */
    final class Out implements OpenStream {
        private final FSDataOutputStream out;
        private final byte[] content;

        Out(FSDataOutputStream out, byte[] content) {
            this.out = out;
            this.content = content;
        }

        @Override
        public long call(TraceEvent event, int length) throws IOException {
            switch (event.call()) {
                case WRITE -> {
                    out.write(content, 0, length);
                    return length;
                }
                case FLUSH -> out.flush();
                case HFLUSH -> out.hflush();
                case HSYNC, HSYNC_UPDATE_LENGTH -> out.hsync();
                case SET_DROP_BEHIND_OUTPUT -> out.setDropBehind(true);
                case CLOSE_OUTPUT -> {
                    long end = out.getPos();
                    out.close();
                    return end;
                }
                default -> throw new UnsupportedOperationException(event.call().label());
            }
            return TraceEvent.NONE;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
