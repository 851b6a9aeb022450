// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of a registry. */
public final class HttpFront implements AutoCloseable {
    /** The most threads that serve requests. */
    static final int MOST_THREADS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);
    private static final int BUFFER = 64 << 10;
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

    private final Server server;
    private final ServerConnector connector;
    private final String scheme;

    private HttpFront(Server server, ServerConnector connector, String scheme) {
        this.server = server;
        this.connector = connector;
        this.scheme = scheme;
    }

    /** Starts serving. */
    public static HttpFront start(String host, int port, RegistryHandler handler, Optional<Keys> keys)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
        threads.setName("registry-http");
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setOutputBufferSize(BUFFER);
        HttpConnectionFactory connections = new HttpConnectionFactory(http);
        connections.setInputBufferSize(BUFFER);
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
        HttpFront front = new HttpFront(server, connector, keys.isPresent() ? "https" : "http");
        try {
            server.start();
        } catch (Exception e) {
            front.close();
            throw new IOException("the registry cannot listen on %s:%d: %s".formatted(host, port, e.getMessage()), e);
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
            throw new IOException("the registry did not stop", e);
        }
    }
}
