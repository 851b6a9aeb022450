// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.io.Content;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * A handler with the configured {@link Faults}. A client changes them while the server runs:
 * {@code POST /-/faults?drop=0.1}.
 */
final class FaultHandler extends Handler.Wrapper {
    private final AtomicLong injected = new AtomicLong();
    private Faults faults = Faults.NONE;
    private SplittableRandom random = new SplittableRandom(0);

    FaultHandler(Handler served) {
        super(served);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if (S3Server.FAULTS_PATH.equals(path)) {
            control(request, response, callback);
            return true;
        }
        Faults now;
        Faults.Fate fate;
        synchronized (this) {
            now = faults;
            fate = path.startsWith("/-/") ? Faults.Fate.SERVED : now.fate(random.nextDouble());
        }
        if (fate != Faults.Fate.SERVED) {
            injected.incrementAndGet();
        }
        switch (fate) {
            case FAILED -> refuse(request, response, callback, 500, "InternalError");
            case REFUSED -> refuse(request, response, callback, 503, "SlowDown");
            case DROPPED -> drop(request, callback);
            case HUNG -> {
                Thread.sleep(now.lateBy().toMillis());
                drop(request, callback);
            }
            case LATE -> {
                Thread.sleep(now.lateBy().toMillis());
                return super.handle(request, response, callback);
            }
            case LOST -> {
                return super.handle(request, new Unanswered(request, response), callback);
            }
            case SERVED -> {
                return super.handle(request, response, callback);
            }
        }
        return true;
    }

    /** Changes the faults when the request is a POST, and answers the number of requests with a fault. */
    private void control(Request request, Response response, Callback callback) {
        try {
            if ("POST".equals(request.getMethod())) {
                Faults wanted = Faults.of(parameters(request));
                synchronized (this) {
                    faults = wanted;
                    random = new SplittableRandom(wanted.seed());
                }
            }
            answer(response, callback, 200, Long.toString(injected.get()));
        } catch (IllegalArgumentException e) {
            answer(response, callback, 400, String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, String> parameters(Request request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : String.valueOf(request.getHttpURI().getQuery()).split("&", -1)) {
            String[] pair = part.split("=", 2);
            parameters.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        return parameters;
    }

    private static void refuse(Request request, Response response, Callback callback, int status, String code) {
        String body =
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code><Message>injected</Message></Error>"
                        .formatted(code);
        // Otherwise a client that still sends would see a reset connection and lose the answer.
        Content.Source.consumeAll(
                request, Callback.from(() -> answer(response, callback, status, body), callback::failed));
    }

    private static void answer(Response response, Callback callback, int status, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, status == 200 ? "text/plain" : "application/xml");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    private static void drop(Request request, Callback callback) {
        cut(request);
        callback.failed(new IOException("injected: the connection was dropped"));
    }

    private static void cut(Request request) {
        request.getConnectionMetaData().getConnection().getEndPoint().close();
    }

    /** A response that never arrives. */
    private static final class Unanswered extends Response.Wrapper {
        Unanswered(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback callback) {
            cut(getRequest());
            callback.failed(new IOException("injected: the answer was lost"));
        }
    }
}
