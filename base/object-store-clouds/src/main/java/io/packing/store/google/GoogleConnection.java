// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.apache.v5.Apache5HttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.storage.Storage;
import com.google.auth.http.HttpCredentialsAdapter;
import io.packing.store.ServerEncryption;
import io.packing.store.StoreAuthorities;
import io.packing.store.StoreOptions;
import io.packing.store.StoreWay;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * The client of a store, and its credentials.
 *
 * @param root the URL of the server, with a slash at its end
 */
record GoogleConnection(Storage client, GoogleSource source, String root, CloseableHttpClient http)
        implements AutoCloseable {
    private static final String GOOGLE = "https://storage.googleapis.com/";
    /** The timeout of a socket, longer than a store may take for a large put after its last byte. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** A failure of the source of credentials. */
    static final class NoCredentials extends IOException {
        private static final long serialVersionUID = 1L;

        private final IOException reason;

        NoCredentials(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        IOException reason() {
            return reason;
        }
    }

    static GoogleConnection open(StoreOptions options, GoogleSettings settings) throws IOException {
        checkOptions(options);
        CloseableHttpClient http = http(options);
        try {
            Apache5HttpTransport transport = new Apache5HttpTransport(http);
            GoogleSource source = source(options, settings, transport);
            String root = options.endpoint()
                    .map(uri -> uri.toString().replaceAll("/*$", "/"))
                    .orElse(GOOGLE);
            Storage client = new Storage.Builder(transport, GsonFactory.getDefaultInstance(), initializer(source))
                    .setRootUrl(root)
                    .setApplicationName("packing")
                    .build();
            return new GoogleConnection(client, source, root, http);
        } catch (IOException | RuntimeException e) {
            http.close();
            throw e;
        }
    }

    private static GoogleSource source(StoreOptions options, GoogleSettings settings, Apache5HttpTransport transport)
            throws IOException {
        try {
            return GoogleSource.of(options.credentialsFile(), options.endpoint(), settings, transport);
        } catch (IOException e) {
            throw new IOException("%s: %s".formatted(options.location().text(), e.getMessage()), e);
        }
    }

    private static void checkOptions(StoreOptions options) {
        StoreWay way = options.way();
        boolean ofAws = way.requesterPays() || way.fips() || way.dualStack();
        if (options.credentials().isPresent() || ofAws || !options.encryption().equals(ServerEncryption.OF_BUCKET)) {
            throw new IllegalArgumentException(
                    ("%s: packing.s3.access.key, packing.s3.sse.*, packing.s3.requester.pays, packing.s3.fips and packing.s3.dualstack"
                                    + " are options of S3 only: leave them out")
                            .formatted(options.location().text()));
        }
    }

    private static HttpRequestInitializer initializer(GoogleSource source) {
        HttpRequestInitializer signer = source.credentials()
                .<HttpRequestInitializer>map(HttpCredentialsAdapter::new)
                .orElse(request -> {});
        return request -> {
            try {
                signer.initialize(request);
            } catch (IOException e) {
                throw new NoCredentials(e);
            }
            prepare(request);
        };
    }

    private static void prepare(HttpRequest request) {
        request.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        request.setReadTimeout((int) SOCKET_TIMEOUT.toMillis());
        request.setSuppressUserAgentSuffix(true);
    }

    private static CloseableHttpClient http(StoreOptions options) {
        PoolingHttpClientConnectionManagerBuilder connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(options.connections())
                .setMaxConnPerRoute(options.connections())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(CONNECT_TIMEOUT))
                        .setSocketTimeout(Timeout.of(SOCKET_TIMEOUT))
                        .build());
        options.way().authorities().ifPresent(file -> {
            try {
                SSLContext trusting = SSLContext.getInstance("TLS");
                trusting.init(null, StoreAuthorities.of(file), null);
                connections.setTlsSocketStrategy(new DefaultClientTlsStrategy(trusting));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Java has no TLS", e);
            }
        });
        HttpClientBuilder http = HttpClients.custom()
                .setConnectionManager(connections.build())
                // The retries are ours: each attempt is metered and obeys the shared rate.
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching();
        options.way()
                .proxy()
                .ifPresent(proxy -> http.setProxy(new HttpHost(proxy.getScheme(), proxy.getHost(), proxy.getPort())));
        return http.build();
    }

    @Override
    public void close() {
        http.close(CloseMode.IMMEDIATE);
    }
}
