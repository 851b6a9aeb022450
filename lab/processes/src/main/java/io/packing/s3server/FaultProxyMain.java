// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import org.gaul.shaded.org.eclipse.jetty.http.UriCompliance;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.HttpConnectionFactory;
import org.gaul.shaded.org.eclipse.jetty.server.Server;
import org.gaul.shaded.org.eclipse.jetty.server.ServerConnector;

/**
 * The faults of the S3 server before a server of another protocol, as a process of its own. It prints
 * {@code endpoint=http://127.0.0.1:PORT} when it answers, and runs until it is terminated. Faults are set as those of {@link S3Server}.
 */
public final class FaultProxyMain {
    private FaultProxyMain() {}

    /**
     * Runs the proxy. Wrong arguments give exit code 2.
     *
     * @param arguments the URI of the other server, and perhaps a file for the log of requests, in the format of Amazon S3
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1 || arguments.length > 2) {
            System.err.println("usage: the URI of a server, and perhaps a file for the log of requests");
            System.exit(2);
            return;
        }
        QuietLogs.apply();
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Handler forward = new FaultHandler(new ForwardHandler(URI.create(arguments[0].replaceAll("/+$", ""))));
        server.setHandler(
                arguments.length == 1
                        ? forward
                        : new AccessLogHandler(forward, Path.of(arguments[1]), Clock.systemUTC()));
        // Keys have slashes that are encoded.
        ServerConnector connector = (ServerConnector) server.getConnectors()[0];
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.start();
        System.out.println("endpoint=http://127.0.0.1:" + connector.getLocalPort());
        System.out.flush();
        new CountDownLatch(1).await();
    }
}
