// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.credentials.AskedCredentials;
import io.packing.store.credentials.AwsSettings;
import io.packing.store.credentials.CredentialChain;
import io.packing.store.credentials.SigningRegion;
import io.packing.store.credentials.Source;
import io.packing.store.credentials.TokenService;
import io.packing.store.credentials.WatchedProfiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.sts.StsClient;

/**
 * The SDK's client of a store, and its credentials.
 *
 * @param region for which requests are signed
 * @param tokens the way to AWS's token service
 */
record S3Connection(S3Client client, AskedCredentials credentials, SigningRegion region, TokenService tokens)
        implements AutoCloseable {
    /** The timeout of a socket, longer than a store may take for a large put after its last byte. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The connections of a client that only renews credentials. */
    private static final int FEW = 2;

    static S3Connection open(StoreOptions options) {
        return open(options, AwsSettings.ofProcess());
    }

    /** @throws io.packing.store.credentials.CredentialsException when credentials are half-given */
    static S3Connection open(StoreOptions options, AwsSettings settings) {
        return open(options, settings, List.of());
    }

    /** @param watching see all requests and answers */
    static S3Connection open(StoreOptions options, AwsSettings settings, List<ExecutionInterceptor> watching) {
        AskedCredentials credentials = credentials(options, settings);
        SigningRegion region = SigningRegion.of(options.region(), settings);
        if (options.endpoint().isEmpty() && credentials.source().kind() == Source.Kind.MACHINE) {
            region = region.orOfMachine();
        }
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(region.name()))
                .forcePathStyle(options.pathStyle())
                .credentialsProvider(credentials)
                // The retries are ours: each attempt is metered and obeys the shared rate.
                .overrideConfiguration(client -> watching.stream()
                        .reduce(client, (all, each) -> all.addExecutionInterceptor(each), (one, other) -> other)
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(new TruncationGuard())
                        .addExecutionInterceptor(
                                new EncryptionHeaders(options.encryption().headers()))
                        .headers(payer(options.way())))
                .httpClientBuilder(http(options.way(), options.connections())
                        // A thread may wait for a connection as long as for its request.
                        .connectionAcquisitionTimeout(options.retryTimeout().plus(SOCKET_TIMEOUT)));
        // A setting of AWS's may ask for them, too: so nothing is turned off here.
        if (options.way().fips()) {
            builder.fipsEnabled(true);
        }
        if (options.way().dualStack()) {
            builder.dualstackEnabled(true);
        }
        options.endpoint().ifPresent(builder::endpointOverride);
        options.endpoint()
                .filter(LoopbackSigning::suits)
                .ifPresent(local -> builder.putAuthScheme(new LoopbackSigning()));
        return new S3Connection(builder.build(), credentials, region, tokenService(options, settings));
    }

    private static Map<String, List<String>> payer(StoreWay way) {
        return way.requesterPays() ? Map.of("x-amz-request-payer", List.of("requester")) : Map.of();
    }

    private static Apache5HttpClient.Builder http(StoreWay way, int connections) {
        Apache5HttpClient.Builder http = Apache5HttpClient.builder()
                .maxConnections(connections)
                .connectionTimeout(CONNECT_TIMEOUT)
                .socketTimeout(SOCKET_TIMEOUT);
        way.proxy()
                .ifPresent(proxy -> http.proxyConfiguration(ProxyConfiguration.builder()
                        .endpoint(proxy)
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariableValues(false)
                        .build()));
        way.authorities().ifPresent(file -> {
            TrustManager[] trusted = StoreAuthorities.of(file);
            http.tlsTrustManagersProvider(() -> trusted);
        });
        return http;
    }

    static AskedCredentials credentials(StoreOptions options, AwsSettings settings) {
        if (options.credentialsFile().isPresent()) {
            return ofFile(options.credentialsFile().get());
        }
        if (options.credentials().isPresent()) {
            StoreCredentials pair = options.credentials().get();
            return new AskedCredentials(
                    Source.ofKeys(),
                    StaticCredentialsProvider.create(AwsBasicCredentials.create(pair.accessKey(), pair.secretKey())),
                    List.of());
        }
        return new CredentialChain(settings, tokenService(options, settings), Clock.systemUTC()).open();
    }

    /** Returns the way to AWS's token service: in the region of this process, which need not be that of the bucket. */
    private static TokenService tokenService(StoreOptions options, AwsSettings settings) {
        return new TokenService(
                () -> http(options.way(), FEW),
                Region.of(SigningRegion.ofProcess(options.region(), settings)),
                options.way().fips());
    }

    /** Returns a provider that looks at the file before each request, and reads it again when it has changed. */
    private static AskedCredentials ofFile(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("the file of credentials %s cannot be read".formatted(file));
        }
        return new AskedCredentials(
                Source.ofFile(file.toString()),
                ProfileCredentialsProvider.builder()
                        .profileFile(WatchedProfiles.ofKeys(file))
                        .profileName("default")
                        .build(),
                List.of());
    }

    /** Returns the ARN that AWS's token service has for these credentials. */
    String identity() {
        // A client closes the provider that it has, so it has one of its own.
        try (StsClient sts = tokens.client(StaticCredentialsProvider.create(credentials.resolveCredentials()))) {
            return sts.getCallerIdentity().arn();
        }
    }

    @Override
    public void close() {
        client.close();
        credentials.close();
    }
}
