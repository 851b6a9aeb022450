// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of one container that makes the failures which Azurite does not make. It gives the answers of a test first, then those of a store. */
final class AzureStub implements AutoCloseable {
    /** The page of a proxy. */
    static final String PORTAL = "<html><body>Sign in to this network</body></html>";

    /** Only a proxy answers. */
    volatile boolean isSilent;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<Told> told = new ArrayDeque<>();

    /**
     * An answer.
     *
     * @param missing bytes that the answer promises, and that do not come
     */
    private record Told(int status, String error, String body, int missing) {}

    AzureStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Refuses one more request. */
    synchronized void refuse(int status, String error) {
        told.add(new Told(status, error, "", 0));
    }

    /** Answers one more request with these bytes. */
    synchronized void say(String body) {
        told.add(new Told(200, "", body, 0));
    }

    /** Answers one more request with these bytes, and hangs up before others that it promised. */
    synchronized void breakOff(String body) {
        told.add(new Told(200, "", body, 100));
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] unused = exchange.getRequestBody().readAllBytes();
            Told whole = new Told(200, "", isSilent ? PORTAL : page("a"), 0);
            Told next = told.isEmpty() ? whole : told.remove();
            byte[] bytes = next.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/xml");
            exchange.getResponseHeaders().add("x-ms-error-code", next.error());
            long length = (long) bytes.length + next.missing();
            exchange.sendResponseHeaders(next.status(), length == 0 ? -1 : length);
            exchange.getResponseBody().write(bytes);
            exchange.getResponseBody().flush();
        }
    }

    /** Returns a listing of one blob. */
    static String page(String key) {
        return """
                <?xml version="1.0" encoding="utf-8"?>
                <EnumerationResults ServiceEndpoint="http://127.0.0.1/" ContainerName="c"><Prefix/><MaxResults>10</MaxResults>\
                <Blobs><Blob><Name>p/%s</Name><Properties><Last-Modified>Mon, 30 Nov 2026 20:00:00 GMT</Last-Modified>\
                <Etag>0x1</Etag><Content-Length>3</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob></Blobs>\
                <NextMarker/></EnumerationResults>""".formatted(key);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
