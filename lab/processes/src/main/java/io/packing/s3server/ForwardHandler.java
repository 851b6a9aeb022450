// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.gaul.shaded.org.eclipse.jetty.http.HttpField;
import org.gaul.shaded.org.eclipse.jetty.io.Content;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/** A handler that sends each request to another server, and its answer back. */
final class ForwardHandler extends Handler.Abstract {
    /** Headers of a connection, and not of a message; the client sets its own. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding", "upgrade");

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final URI server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ForwardHandler(URI server) {
        this.server = server;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpRequest.Builder forward = HttpRequest.newBuilder(
                        URI.create(server + request.getHttpURI().getPathQuery()))
                .timeout(TIMEOUT)
                .method(request.getMethod(), body(request));
        for (HttpField field : request.getHeaders()) {
            if (isOfMessage(field.getName())) {
                forward.header(field.getName(), String.valueOf(field.getValue()));
            }
        }
        HttpResponse<InputStream> answer = client.send(forward.build(), HttpResponse.BodyHandlers.ofInputStream());
        response.setStatus(answer.statusCode());
        answer.headers().map().forEach((name, values) -> {
            boolean length = name.equalsIgnoreCase("content-length");
            if (isOfMessage(name) || length) {
                response.getHeaders().put(name, values);
            }
        });
        try (InputStream bytes = answer.body();
                OutputStream out = Content.Sink.asOutputStream(response)) {
            long unused = bytes.transferTo(out);
        } catch (IOException e) {
            callback.failed(e);
            return true;
        }
        callback.succeeded();
        return true;
    }

    private static BodyPublisher body(Request request) {
        long length = request.getLength();
        if (length == 0) {
            return BodyPublishers.noBody();
        }
        BodyPublisher bytes = BodyPublishers.ofInputStream(() -> Content.Source.asInputStream(request));
        return length < 0 ? bytes : BodyPublishers.fromPublisher(bytes, length);
    }

    private static boolean isOfMessage(String name) {
        return !OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
    }
}
