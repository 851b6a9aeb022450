// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.shaded.org.eclipse.jetty.server.Connector;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.HttpConnectionFactory;
import org.gaul.shaded.org.eclipse.jetty.server.Server;

/** An S3 server on the loopback interface that keeps its objects in a directory. It runs until it is closed. */
public final class S3Server implements AutoCloseable {
    /** The path of the server's {@link S3ServerMetrics} as JSON. Requests need no signature and are not counted. */
    public static final String METRICS_PATH = "/-/metrics";

    /** The path for new {@link Faults} in the query of a POST. Requests need no signature. */
    public static final String FAULTS_PATH = "/-/faults";

    /** The server stops at once, since a graceful stop would wait for the idle connections of clients. */
    private static final long STOP_MILLIS = 0;
    /** The size of the buffer for requests. With the default of 8 KB, large blobs need too many system calls. */
    private static final int INPUT_BUFFER_BYTES = 64 << 10;

    private final S3Proxy proxy;
    private final Tally tally;

    private S3Server(S3Proxy proxy, Tally tally) {
        this.proxy = proxy;
        this.tally = tally;
    }

    /** Starts a server and returns when it answers. */
    public static S3Server start(S3ServerOptions config) throws IOException {
        return start(config, Optional.empty());
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param accessLog a file that gets a line for each request, in the format of Amazon S3's server access log
     */
    public static S3Server start(S3ServerOptions config, Optional<Path> accessLog) throws IOException {
        QuietLogs.apply();
        for (String bucket : config.buckets()) {
            Files.createDirectories(config.directory().resolve(bucket));
        }
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(new FilesystemNio2BlobStore(config.directory().toString()))
                .endpoint(URI.create("http://127.0.0.1:" + config.port()))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, config.accessKey(), config.secretKey())
                .ignoreUnknownHeaders(true)
                .stopTimeout(STOP_MILLIS)
                .build();
        Tally tally = new Tally(System::nanoTime);
        BooleanSupplier admitted = config.putLimitPerSecond() == 0
                ? () -> true
                : new TokenBucket(config.putLimitPerSecond(), System::nanoTime)::tryTake;
        Server server = jettyOf(proxy);
        for (Connector connector : server.getConnectors()) {
            connector.getConnectionFactory(HttpConnectionFactory.class).setInputBufferSize(INPUT_BUFFER_BYTES);
        }
        Handler served = new FaultHandler(new FrontHandler(
                new TrailerHandler(server.getHandler()), tally, admitted, config.putLatency(), config.getLatency()));
        server.setHandler(
                accessLog.isPresent() ? new AccessLogHandler(served, accessLog.get(), Clock.systemUTC()) : served);
        S3Server started = new S3Server(proxy, tally);
        try {
            proxy.start();
        } catch (Exception e) {
            started.close();
            throw new IOException("the S3 server cannot listen on 127.0.0.1:" + config.port(), e);
        }
        return started;
    }

    /**
     * Returns the Jetty server of s3proxy by reflection: s3proxy has no place for our handler, and its servlet is not
     * public.
     */
    private static Server jettyOf(S3Proxy proxy) {
        try {
            Field field = S3Proxy.class.getDeclaredField("server");
            field.setAccessible(true);
            return (Server) field.get(proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of s3proxy keeps its Jetty server elsewhere", e);
        }
    }

    /** Returns the URI of the server: {@code http://127.0.0.1:port}. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    /** Returns the counts of requests so far. */
    public S3ServerMetrics metrics() {
        return tally.snapshot();
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IOException("the S3 server did not stop", e);
        }
    }
}
