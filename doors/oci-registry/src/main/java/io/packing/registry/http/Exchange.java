// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.io.CountingInputStream;
import io.packing.registry.oci.MediaTypes;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobSource;
import io.packing.registry.web.BodyStream;
import io.packing.registry.web.ClientRate;
import io.packing.registry.web.PacedInput;
import io.packing.registry.web.RestOfBody;
import io.packing.registry.web.UnreadBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/** A request and its answer, without the details of the HTTP library. Confined to one thread. */
final class Exchange {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The most bytes of a refused client that are read before the answer: behind more, the connection is closed. */
    private static final int MOST_DRAINED = 8 << 20;

    private static final int NO_CONTENT = 204;
    /** Headers of content, which an error in its place must not have. */
    private static final List<String> OF_CONTENT =
            List.of("Accept-Ranges", "Cache-Control", "Content-Range", "Docker-Content-Digest", "ETag");

    private final Request request;
    private final Response response;
    private final LongSupplier nanoTime;
    private final Fields query;
    private boolean allowed;
    /** True if the client has more bytes than were read before the answer. */
    private boolean isCutShort;

    private Optional<CountingInputStream> body = Optional.empty();
    private Optional<BodyStream> sent = Optional.empty();
    private Optional<BlobSource> pulled = Optional.empty();

    Exchange(Request request, Response response, LongSupplier nanoTime) {
        this.request = request;
        this.response = response;
        this.nanoTime = nanoTime;
        this.query = Request.extractQueryParameters(request);
        // Browsers must not guess the type of a client's bytes.
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
    }

    String method() {
        return request.getMethod();
    }

    boolean isHead() {
        return method().equals("HEAD");
    }

    Optional<String> query(String name) {
        return Optional.ofNullable(query.getValue(name));
    }

    /** Returns all values of a parameter. */
    List<String> queryAll(String name) {
        return Optional.ofNullable(query.getValues(name)).orElse(List.of());
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** Returns whether the client names a media type among those that it accepts. */
    boolean accepts(String mediaType) {
        return request.getHeaders().getCSV("Accept", false).stream()
                .map(MediaTypes::bare)
                .anyMatch(mediaType::equalsIgnoreCase);
    }

    /** Bytes that the request says it has; -1: it does not say. */
    long contentLength() {
        return request.getLength();
    }

    /** Notes that the client has the right to its request: a thread may wait for its bytes. */
    void allow() {
        allowed = true;
    }

    /** Returns the bytes of the request; an early end is an exception. */
    InputStream body() {
        if (body.isEmpty()) {
            InputStream bytes = new PacedInput(Content.Source.asInputStream(request), new ClientRate(nanoTime));
            body = Optional.of(new CountingInputStream(bytes));
        }
        return body.get();
    }

    Exchange with(String name, String value) {
        response.getHeaders().put(name, value);
        return this;
    }

    /** Answers without a body. */
    void send(int status) throws IOException {
        drain();
        response.setStatus(status);
        if (status != NO_CONTENT) {
            response.getHeaders().put("Content-Length", 0);
        }
        finish();
    }

    /** Answers with bytes, or, to HEAD, only with their length. */
    void send(int status, String contentType, byte[] bytes) throws IOException {
        drain();
        response.setStatus(status);
        response.getHeaders().put("Content-Type", contentType);
        response.getHeaders().put("Content-Length", bytes.length);
        try (OutputStream out = sink()) {
            if (!isHead()) {
                out.write(bytes);
            }
        }
    }

    void sendJson(int status, String contentType, JsonNode json) throws IOException {
        try {
            send(status, contentType, JSON.writeValueAsBytes(json));
        } catch (JsonProcessingException e) {
            throw new IOException(e);
        }
    }

    void sendJson(int status, Map<String, ?> json) throws IOException {
        sendJson(status, "application/json", JSON.valueToTree(json));
    }

    /**
     * Answers with an error of the specification. Headers of content that is not sent are removed, so that no cache
     * keeps the error.
     */
    void refuse(int status, String code, String message) throws IOException {
        OF_CONTENT.forEach(response.getHeaders()::remove);
        sendError(status, code, message);
    }

    /** Answers with an error of the specification, and with the length of the blob when the error is about a range of one. */
    void refuse(OciException e) throws IOException {
        OF_CONTENT.forEach(response.getHeaders()::remove);
        e.contentRange().ifPresent(range -> with("Content-Range", range));
        sendError(e.status(), e.code().name(), String.valueOf(e.getMessage()));
    }

    private void sendError(int status, String code, String message) throws IOException {
        sendJson(status, Map.of("errors", List.of(Map.of("code", code, "message", message))));
    }

    /**
     * Returns the scheme and address at which the connection arrived. The client's headers of hosts count for nothing.
     */
    String origin() {
        SocketAddress local = request.getConnectionMetaData().getLocalSocketAddress();
        if (!(local instanceof InetSocketAddress socket)) {
            throw new IllegalStateException("the registry listens on %s, which is no address".formatted(local));
        }
        String address = socket.getAddress().getHostAddress();
        // Without the zone of an address of IPv6, which is the machine's own name of a network card.
        String bare = address.contains("%") ? address.substring(0, address.indexOf('%')) : address;
        return "%s://%s:%d"
                .formatted(
                        request.isSecure() ? "https" : "http",
                        bare.contains(":") ? "[" + bare + "]" : bare,
                        socket.getPort());
    }

    /** Returns the address from which the client asks. */
    String remoteAddress() {
        return Request.getRemoteAddr(request);
    }

    /** Begins an answer of known length. */
    BodyStream begin(int status, String contentType, long length) {
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put("Content-Type", contentType);
        headers.put("Content-Length", length);
        return sink();
    }

    /** Begins an answer that ends where its bytes end. */
    BodyStream begin(int status, String contentType) {
        response.setStatus(status);
        response.getHeaders().put("Content-Type", contentType);
        return sink();
    }

    private BodyStream sink() {
        BodyStream out = new BodyStream(response, new ClientRate(nanoTime));
        sent = Optional.of(out);
        return out;
    }

    /** Notes that the answer is a whole blob. */
    void pulls(BlobSource source) {
        pulled = Optional.of(source);
    }

    /** Returns the end of the request; {@code status} is 0 when the connection was cut. */
    HttpRequestListener.Answer answer(String endpoint, int status) {
        return new HttpRequestListener.Answer(
                endpoint,
                method(),
                status,
                body.map(CountingInputStream::getCount).orElse(0L),
                sent.map(BodyStream::count).orElse(0L),
                pulled);
    }

    /** Ends an answer that has a length and no bytes, such as one to HEAD. */
    void finish() throws IOException {
        Content.Sink.asOutputStream(response).close();
    }

    /** Returns whether the status is on its way. */
    boolean isCommitted() {
        return response.isCommitted();
    }

    /** Ends the exchange, once the rest of the client's bytes is read behind the answer. */
    void end(Callback callback) {
        if (leavesBody() || isCutShort) {
            new UnreadBody(request, nanoTime, callback).run();
        } else {
            callback.succeeded();
        }
    }

    private boolean leavesBody() {
        return !allowed && body.isEmpty();
    }

    private void drain() throws IOException {
        if (request.getLength() == 0 || leavesBody()) {
            return;
        }
        if (!RestOfBody.skip(body(), MOST_DRAINED)) {
            isCutShort = true;
            with("Connection", "close");
        }
    }
}
