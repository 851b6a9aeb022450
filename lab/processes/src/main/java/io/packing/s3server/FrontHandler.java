// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.io.Content;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * A handler that counts, delays and refuses requests before the S3 protocol sees them. It answers the metrics path
 * itself.
 */
final class FrontHandler extends Handler.Wrapper {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The largest body that a refusal reads to its end. With a larger one the connection closes. */
    private static final long MOST_DRAINED_BYTES = 8 << 20;

    private static final byte[] SLOW_DOWN = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code>"
                    + "<Message>Please reduce your request rate.</Message></Error>")
            .getBytes(StandardCharsets.UTF_8);

    private final Tally tally;
    private final BooleanSupplier admitted;
    private final Duration putLatency;
    private final Duration getLatency;

    FrontHandler(Handler s3, Tally tally, BooleanSupplier admitted, Duration putLatency, Duration getLatency) {
        super(s3);
        this.tally = tally;
        this.admitted = admitted;
        this.putLatency = putLatency;
        this.getLatency = getLatency;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if (S3Server.METRICS_PATH.equals(path)) {
            byte[] json = JSON.writeValueAsBytes(tally.snapshot());
            answer(response, 200, "application/json", json, callback);
            return true;
        }
        S3Operation operation =
                S3Operation.of(request.getMethod(), path, request.getHttpURI().getQuery());
        if (operation.kind().isPutClass()) {
            if (!admitted.getAsBoolean()) {
                tally.throttled(operation);
                refuse(request, response, callback);
                return true;
            }
            if (operation.kind() == S3Operation.Kind.PUT && !putLatency.isZero()) {
                Thread.sleep(putLatency.toMillis());
            }
        }
        if (operation.kind() == S3Operation.Kind.GET && !getLatency.isZero()) {
            Thread.sleep(getLatency.toMillis());
        }
        tally.admitted(operation);
        Request.addCompletionListener(
                request,
                failure -> tally.ended(
                        operation, Request.getContentBytesRead(request), Response.getContentBytesWritten(response)));
        return super.handle(request, response, callback);
    }

    private static void refuse(Request request, Response response, Callback callback) {
        if (request.getLength() <= MOST_DRAINED_BYTES) {
            // Otherwise a client that still sends would see a reset connection and lose the answer.
            Content.Source.consumeAll(
                    request,
                    Callback.from(
                            () -> answer(response, 503, "application/xml", SLOW_DOWN, callback), callback::failed));
        } else {
            answer(response, 503, "application/xml", SLOW_DOWN, callback);
        }
    }

    private static void answer(Response response, int status, String type, byte[] body, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
