// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.registry.web.BodyStream;
import io.packing.registry.web.ClientRate;
import io.packing.registry.web.PacedInput;
import io.packing.registry.web.RestOfBody;
import io.packing.registry.web.UnreadBody;
import io.packing.s3gateway.auth.Authenticated;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.auth.SignedRequest;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.XmlText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A request and its answer, without the details of the HTTP library. Confined to one thread. */
final class S3Exchange {
    /** The most bytes of a refused client that are read before the answer: behind more, the connection is closed. */
    private static final int MOST_DRAINED = 8 << 20;

    private static final String XML = "application/xml";
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final Request request;
    private final Response response;
    private final LongSupplier nanoTime;
    private final String id;
    private final SignedRequest signed;
    private Optional<Authenticated> who = Optional.empty();
    private Optional<InputStream> body = Optional.empty();
    /** True if the client has been asked for its body. */
    private boolean isBegun;
    /** True if the client has more bytes than were read before the answer. */
    private boolean isCutShort;

    S3Exchange(Request request, Response response, LongSupplier nanoTime, String id) throws S3Exception {
        this.request = request;
        this.response = response;
        this.nanoTime = nanoTime;
        this.id = id;
        prepare(response, id);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (HttpField field : request.getHeaders()) {
            headers.add(Map.entry(
                    field.getName(), Optional.ofNullable(field.getValue()).orElse("")));
        }
        String query = request.getHttpURI().getQuery();
        this.signed = SignedRequest.of(
                request.getMethod(), request.getHttpURI().getPath(), query == null ? "" : query, headers);
    }

    private static void prepare(Response response, String id) {
        response.getHeaders().put("x-amz-request-id", id);
        // Browsers must not guess the type of a client's bytes.
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
    }

    SignedRequest signed() {
        return signed;
    }

    String method() {
        return signed.method();
    }

    boolean isHead() {
        return method().equals("HEAD");
    }

    Optional<String> query(String name) {
        return signed.parameter(name);
    }

    boolean has(String parameter) {
        return query(parameter).isPresent();
    }

    Optional<String> header(String name) {
        return signed.header(name);
    }

    /** Notes that the signature is right: a thread may wait for the client's bytes. */
    void allow(Authenticated client) {
        who = Optional.of(client);
    }

    /** Opens the bytes of an object in the body. */
    ObjectBody object() throws S3Exception {
        return ObjectBody.open(bytes(), request.getLength(), signed, who.orElseThrow());
    }

    /** Reads a document in the body. */
    byte[] document(int most) throws IOException {
        return document(most, signed);
    }

    /** Reads a document in the body of a request whose checksum headers are of an object. */
    byte[] documentBesideSums(int most) throws IOException {
        SortedMap<String, String> headers = new TreeMap<>(signed.headers());
        headers.keySet().removeIf(name -> name.startsWith("x-amz-checksum-"));
        return document(most, new SignedRequest(signed.method(), signed.path(), signed.query(), headers));
    }

    private byte[] document(int most, SignedRequest headers) throws IOException {
        boolean hasBody = headers.header("content-length").isPresent()
                || headers.header("transfer-encoding").isPresent();
        ObjectBody document = ObjectBody.open(bytes(), hasBody ? request.getLength() : 0, headers, who.orElseThrow());
        if (document.length() > most) {
            throw new S3Exception(
                    S3Code.ENTITY_TOO_LARGE, "the body has %,d bytes, at most %,d".formatted(document.length(), most));
        }
        return document.readAllBytes();
    }

    private InputStream bytes() {
        if (body.isEmpty()) {
            InputStream paced = new PacedInput(Content.Source.asInputStream(request), new ClientRate(nanoTime));
            body = Optional.of(new FilterInputStream(paced) {
                @Override
                public int read() throws IOException {
                    isBegun = true;
                    return super.read();
                }

                @Override
                public int read(byte[] into, int offset, int count) throws IOException {
                    isBegun = true;
                    return super.read(into, offset, count);
                }
            });
        }
        return body.get();
    }

    S3Exchange with(String name, String value) {
        response.getHeaders().put(name, value);
        return this;
    }

    /** Answers without a body. */
    void send(int status) throws IOException {
        drain();
        response.setStatus(status);
        if (status != NO_CONTENT && status != NOT_MODIFIED) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 0);
        }
        Content.Sink.asOutputStream(response).close();
    }

    /** Answers with a document. */
    void send(XmlText document) throws IOException {
        send(200, document);
    }

    private void send(int status, XmlText document) throws IOException {
        drain();
        byte[] bytes = document.bytes();
        try (OutputStream out = begin(status, XML, bytes.length)) {
            if (!isHead()) {
                out.write(bytes);
            }
        }
    }

    /** Begins an answer of known length. */
    BodyStream begin(int status, String contentType, long length) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
        return new BodyStream(response, new ClientRate(nanoTime));
    }

    /** Answers with an error. Headers of content that is not sent are removed, so that no cache keeps the error. */
    void refuse(S3Code code, String message) throws IOException {
        if (code == S3Code.NOT_MODIFIED) {
            send(code.status());
            return;
        }
        response.reset();
        prepare(response, id);
        if (code == S3Code.SLOW_DOWN || code == S3Code.SERVICE_UNAVAILABLE) {
            with("Retry-After", "1");
        }
        XmlText error = new XmlText()
                .begin("Error")
                .add("Code", code.text())
                .add("Message", message)
                .add("Resource", signed.path())
                .add("RequestId", id)
                .end("Error");
        send(code.status(), error);
    }

    /** Answers a request whose form cannot be read. */
    static void refuseUnread(Response response, S3Exception why, String id) throws IOException {
        prepare(response, id);
        byte[] error = new XmlText()
                .begin("Error")
                .add("Code", why.code().text())
                .add("Message", String.valueOf(why.getMessage()))
                .add("RequestId", id)
                .end("Error")
                .bytes();
        response.setStatus(why.code().status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, XML);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, error.length);
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
            out.write(error);
        }
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
        return who.isEmpty() && body.isEmpty();
    }

    /** Reads what is left of a body, so that the client reads the answer; cuts the connection behind a long one. */
    private void drain() throws IOException {
        if (request.getLength() == 0 || leavesBody()) {
            return;
        }
        if (!isBegun && header("expect").isPresent()) {
            // The client has sent nothing of it, and need not.
            with("Connection", "close");
            return;
        }
        if (!RestOfBody.skip(bytes(), MOST_DRAINED)) {
            isCutShort = true;
            with("Connection", "close");
        }
    }
}
