// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gaul.shaded.org.eclipse.jetty.io.Content;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * A handler that answers a put with the checksum that came behind its bytes, as S3 does. The handler behind it has
 * compared the checksum with the bytes.
 */
final class TrailerHandler extends Handler.Wrapper {
    private static final String CHECKSUM = "x-amz-checksum-crc32c";
    private static final Pattern TRAILER = Pattern.compile(CHECKSUM + ":([A-Za-z0-9+/=]{8})");

    TrailerHandler(Handler served) {
        super(served);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String trailers = request.getHeaders().get("x-amz-trailer");
        if (trailers == null || !trailers.contains(CHECKSUM)) {
            return super.handle(request, response, callback);
        }
        Tailed tailed = new Tailed(request);
        return super.handle(tailed, new Answered(tailed, response), callback);
    }

    /** A request that keeps the last bytes that were read of it. */
    private static final class Tailed extends Request.Wrapper {
        private static final int TAIL_BYTES = 128;

        private String tail = "";

        Tailed(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null && !Content.Chunk.isFailure(chunk) && chunk.hasRemaining()) {
                ByteBuffer bytes = chunk.getByteBuffer().slice();
                bytes.position(Math.max(0, bytes.limit() - TAIL_BYTES));
                String joined = tail + StandardCharsets.ISO_8859_1.decode(bytes);
                tail = joined.substring(Math.max(0, joined.length() - TAIL_BYTES));
            }
            return chunk;
        }
    }

    /** The answer to such a request. */
    private static final class Answered extends Response.Wrapper {
        private final Tailed request;

        Answered(Tailed request, Response response) {
            super(request, response);
            this.request = request;
        }

        /** Returns whether the status is 200; 0 stands for it until the answer is sent. */
        private boolean isSuccess() {
            return getStatus() == 200 || getStatus() == 0;
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback callback) {
            Matcher found = TRAILER.matcher(request.tail);
            if (!isCommitted() && isSuccess() && found.find()) {
                getHeaders().put(CHECKSUM, found.group(1));
            }
            super.write(last, bytes, callback);
        }
    }
}
