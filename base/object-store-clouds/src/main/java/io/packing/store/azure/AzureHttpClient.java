// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import io.packing.store.StoreAuthorities;
import io.packing.store.StoreWay;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An HTTP client of Azure's SDK over the one that S3 is asked by, too. A request runs on the thread that asks, and its body is read while
 * it is sent.
 */
final class AzureHttpClient implements HttpClient, AutoCloseable {
    /** The timeout of a socket, longer than a store may take for a large put after its last byte. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * The key of a request's context under which its body is, as a stream. The SDK would keep a body in memory, in case that it asks
     * again.
     */
    static final String BODY = "io.packing.body";

    private final CloseableHttpClient http;

    AzureHttpClient(int connections, Duration patience, StoreWay way) {
        PoolingHttpClientConnectionManagerBuilder pool = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(connections)
                .setMaxConnPerRoute(connections)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(CONNECT_TIMEOUT))
                        .setSocketTimeout(Timeout.of(SOCKET_TIMEOUT))
                        .build());
        way.authorities().ifPresent(file -> {
            try {
                SSLContext trusting = SSLContext.getInstance("TLS");
                trusting.init(null, StoreAuthorities.of(file), null);
                pool.setTlsSocketStrategy(new DefaultClientTlsStrategy(trusting));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Java has no TLS", e);
            }
        });
        HttpClientBuilder builder = HttpClients.custom()
                .setConnectionManager(pool.build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        // A thread may wait for a connection as long as for its request.
                        .setConnectionRequestTimeout(Timeout.of(patience.plus(SOCKET_TIMEOUT)))
                        .build())
                // The retries are ours: each attempt is metered and obeys the shared rate.
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching();
        way.proxy()
                .ifPresent(
                        proxy -> builder.setProxy(new HttpHost(proxy.getScheme(), proxy.getHost(), proxy.getPort())));
        this.http = builder.build();
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.fromCallable(() -> sendSync(request, context));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        try {
            HttpUriRequestBase sent = new HttpUriRequestBase(
                    request.getHttpMethod().toString(), request.getUrl().toURI());
            for (HttpHeader header : request.getHeaders()) {
                if (!header.getName().equalsIgnoreCase("Content-Length")) {
                    header.getValuesList().forEach(value -> sent.addHeader(header.getName(), value));
                }
            }
            @Nullable BinaryData bytes = request.getBodyAsBinaryData();
            if (context.getData(BODY).orElse(null) instanceof InputStream stream) {
                sent.setEntity(new Body(stream::transferTo, length(request, null), type(request)));
            } else if (bytes != null) {
                sent.setEntity(new Body(bytes::writeTo, length(request, bytes), type(request)));
            } else if (request.getHttpMethod() == HttpMethod.PUT || request.getHttpMethod() == HttpMethod.POST) {
                sent.setEntity(new Body(out -> {}, 0, type(request)));
            }
            ClassicHttpResponse answer = http.executeOpen(null, sent, null);
            return new Answer(request, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no URL: " + request.getUrl(), e);
        }
    }

    private static long length(HttpRequest request, @Nullable BinaryData body) {
        @Nullable String said = request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH);
        if (said != null) {
            return Long.parseLong(said);
        }
        return body == null ? -1 : Optional.ofNullable(body.getLength()).orElse(-1L);
    }

    private static ContentType type(HttpRequest request) {
        return Optional.ofNullable(request.getHeaders().getValue(HttpHeaderName.CONTENT_TYPE))
                .map(ContentType::parse)
                .orElse(ContentType.APPLICATION_OCTET_STREAM);
    }

    /** The bytes of a body. */
    private interface Bytes {
        void writeTo(OutputStream out) throws IOException;
    }

    /** The body of a request. */
    private static final class Body extends AbstractHttpEntity {
        private final Bytes bytes;
        private final long length;

        private Body(Bytes bytes, long length, ContentType type) {
            super(type, null);
            this.bytes = bytes;
            this.length = length;
        }

        @Override
        public boolean isRepeatable() {
            return false;
        }

        @Override
        public long getContentLength() {
            return length;
        }

        @Override
        public InputStream getContent() {
            throw new UnsupportedOperationException("the body is only written");
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            try {
                bytes.writeTo(out);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } catch (RuntimeException e) {
                // Streams of Reactor wrap the failure of a read.
                throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
            }
        }

        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public void close() {
            // The bytes are their owner's.
        }
    }

    /** An answer whose body is read while it comes. */
    private static final class Answer extends HttpResponse {
        private final ClassicHttpResponse answer;
        private final HttpHeaders headers = new HttpHeaders();

        private Answer(HttpRequest request, ClassicHttpResponse answer) {
            super(request);
            this.answer = answer;
            for (Header header : answer.getHeaders()) {
                headers.add(HttpHeaderName.fromString(header.getName()), header.getValue());
            }
        }

        @Override
        public int getStatusCode() {
            return answer.getCode();
        }

        @Override
        @Deprecated
        public @Nullable String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBodyAsInputStreamSync() {
            try {
                return answer.getEntity() == null
                        ? InputStream.nullInputStream()
                        : answer.getEntity().getContent();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public BinaryData getBodyAsBinaryData() {
            return BinaryData.fromBytes(bytes());
        }

        private byte[] bytes() {
            try (InputStream content = getBodyAsInputStreamSync()) {
                return content.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                close();
            }
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.using(
                    () -> this, ignored -> FluxUtil.toFluxByteBuffer(getBodyAsInputStreamSync()), Answer::close);
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.fromCallable(this::bytes);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.fromCallable(() -> new String(bytes(), charset));
        }

        @Override
        public Mono<InputStream> getBodyAsInputStream() {
            return Mono.fromCallable(this::getBodyAsInputStreamSync);
        }

        @Override
        public void close() {
            try {
                answer.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        http.close(CloseMode.IMMEDIATE);
    }
}
