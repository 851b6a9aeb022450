// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * A handler that writes a line for each request, at its end, in the format of Amazon S3's server access log. It counts on the wire: what
 * a client counts of itself can be held against it.
 */
final class AccessLogHandler extends Handler.Wrapper {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final Path log;
    private final Clock clock;
    private final AtomicLong number = new AtomicLong();

    AccessLogHandler(Handler served, Path log, Clock clock) {
        super(served);
        this.log = log;
        this.clock = clock;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if (path.startsWith("/-/")) {
            return super.handle(request, response, callback);
        }
        String time = TIME.format(clock.instant());
        Request.addCompletionListener(request, failure -> write(line(request, response, time, failure != null)));
        return super.handle(request, response, callback);
    }

    private String line(Request request, Response response, String time, boolean failed) {
        String path = request.getHttpURI().getPath();
        String query = String.valueOf(request.getHttpURI().getQuery());
        int keyAt = path.indexOf('/', 1);
        String bucket = keyAt < 0 ? path.substring(1) : path.substring(1, keyAt);
        String key = keyAt < 0 ? "" : path.substring(keyAt + 1);
        boolean copy = request.getHeaders().get("x-amz-copy-source") != null;
        String decoded = request.getHeaders().get("x-amz-decoded-content-length");
        long sent = decoded == null ? Request.getContentBytesRead(request) : Long.parseLong(decoded);
        boolean answered = !failed || response.isCommitted();
        return String.join(
                " ",
                "owner",
                orNone(bucket),
                "[" + time + "]",
                "127.0.0.1",
                request.getHeaders().get("authorization") == null ? "-" : "requester",
                Long.toHexString(number.incrementAndGet()),
                operation(request.getMethod(), key.isEmpty(), query, copy),
                orNone(key),
                "\"%s %s HTTP/1.1\""
                        .formatted(request.getMethod(), request.getHttpURI().getPathQuery()),
                answered ? String.valueOf(response.getStatus()) : "-",
                response.getStatus() == 503 ? "SlowDown" : "-",
                number(Response.getContentBytesWritten(response)),
                number(sent),
                "1 1 \"-\"",
                "\"%s\"".formatted(request.getHeaders().get("user-agent")),
                "- - SigV4 - AuthHeader 127.0.0.1 - - -\n");
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static String number(long value) {
        return value <= 0 ? "-" : String.valueOf(value);
    }

    /** Returns the name of an operation, such as {@code REST.PUT.PART}. */
    static String operation(String method, boolean ofBucket, String query, boolean copy) {
        String parameters = "&" + query + "&";
        boolean ofUpload = parameters.contains("&uploadId=");
        String resource;
        if (ofBucket) {
            boolean deletes = parameters.contains("&delete&") || parameters.contains("&delete=&");
            resource = method.equals("POST") && deletes
                    ? "MULTI_OBJECT_DELETE"
                    : parameters.contains("&uploads") ? "UPLOADS" : "BUCKET";
        } else if (parameters.contains("&uploads&") || parameters.contains("&uploads=&")) {
            resource = "UPLOADS";
        } else {
            resource = ofUpload ? (method.equals("PUT") ? "PART" : "UPLOAD") : "OBJECT";
        }
        return "REST.%s.%s".formatted(copy ? "COPY" : method, resource);
    }

    private synchronized void write(String line) {
        try {
            Files.writeString(log, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
