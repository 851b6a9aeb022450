// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of a door. */
public final class HttpFront implements AutoCloseable {
    /** The most threads that serve requests. */
    public static final int MOST_THREADS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);
    private static final int BUFFER = 64 << 10;
    /** The most bytes of a request's line and headers. */
    private static final int HEADER = 16 << 10;
    /** A client that neither sends nor takes for so long is cut off. */
    private static final long IDLE_MILLIS = 60_000;
    /** For requests under way when it stops. */
    private static final long STOP_MILLIS = 5_000;

    /**
     * The key and certificate of TLS.
     *
     * @param keystore a PKCS#12 file, which is read again when it changes
     */
    public record Keys(Path keystore, String password) {
        @Override
        public String toString() {
            return keystore.toString();
        }
    }

    private final String door;
    private final Server server;
    private final ServerConnector connector;
    private final String scheme;

    private HttpFront(String door, Server server, ServerConnector connector, String scheme) {
        this.door = door;
        this.server = server;
        this.connector = connector;
        this.scheme = scheme;
    }

    /**
     * Starts serving.
     *
     * @param door the server's name for threads and messages, such as {@code registry}
     * @param port 0: any free one
     * @param keys empty: plain HTTP
     */
    public static HttpFront start(String door, String host, int port, Handler handler, Optional<Keys> keys)
            throws IOException {
        return start(door, host, port, Optional.empty(), handler, keys);
    }

    /**
     * Starts serving as {@link #start} does. The handler gets each path and header to the byte as the client sent it, also {@code /a/../b}: a
     * signature covers them.
     *
     * @param errors answers requests that the server itself refuses
     */
    public static HttpFront startToTheByte(
            String door, String host, int port, Handler handler, ErrorHandler errors, Optional<Keys> keys)
            throws IOException {
        return start(door, host, port, Optional.of(errors), handler, keys);
    }

    private static HttpFront start(
            String door, String host, int port, Optional<ErrorHandler> toTheByte, Handler handler, Optional<Keys> keys)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
        threads.setName(door + "-http");
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEADER);
        http.setSendServerVersion(false);
        http.setOutputBufferSize(BUFFER);
        HttpConnectionFactory connections = new HttpConnectionFactory(http);
        connections.setInputBufferSize(BUFFER);
        if (toTheByte.isPresent()) {
            http.setUriCompliance(UriCompliance.UNSAFE);
            // Otherwise Jetty takes values from a cache, in another spelling.
            http.setHeaderCacheCaseSensitive(true);
            server.setErrorHandler(toTheByte.get());
        }
        ServerConnector connector;
        if (keys.isPresent()) {
            http.addCustomizer(new SecureRequestCustomizer(false));
            SslContextFactory.Server ssl = new SslContextFactory.Server();
            ssl.setKeyStorePath(keys.get().keystore().toString());
            ssl.setKeyStoreType("PKCS12");
            ssl.setKeyStorePassword(keys.get().password());
            server.addBean(new RenewedKeys(ssl, keys.get()));
            connector = new ServerConnector(server, new SslConnectionFactory(ssl, "http/1.1"), connections);
        } else {
            connector = new ServerConnector(server, connections);
        }
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        server.setHandler(handler);
        server.setStopTimeout(STOP_MILLIS);
        HttpFront front = new HttpFront(door, server, connector, keys.isPresent() ? "https" : "http");
        try {
            server.start();
        } catch (Exception e) {
            front.close();
            throw new IOException("the %s cannot listen on %s:%d: %s".formatted(door, host, port, e.getMessage()), e);
        }
        return front;
    }

    /** Returns the address where the server listens. */
    public URI uri() {
        return URI.create("%s://%s:%d".formatted(scheme, connector.getHost(), connector.getLocalPort()));
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (TimeoutException e) {
            // The server has stopped anyway.
            LOG.info("requests that had not ended within {} ms were cut off", STOP_MILLIS);
        } catch (Exception e) {
            throw new IOException("the %s did not stop".formatted(door), e);
        }
    }
}
