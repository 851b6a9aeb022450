package io.packing.store;

import io.packing.store.credentials.AskedCredentials;
import io.packing.store.credentials.AwsSettings;
import io.packing.store.credentials.CredentialChain;
import io.packing.store.credentials.SigningRegion;
import io.packing.store.credentials.Source;
import io.packing.store.credentials.TokenService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSupplier;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The SDK's client of a store, and its credentials.
 *
 * @param region for which requests are signed
 */
record S3Connection(S3Client client, AskedCredentials credentials, SigningRegion region) implements AutoCloseable {
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
                .overrideConfiguration(client -> client.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(new TruncationGuard()))
                .httpClientBuilder(http(options.connections())
                        // A thread may wait for a connection as long as for its request.
                        .connectionAcquisitionTimeout(options.retryTimeout().plus(SOCKET_TIMEOUT)));
        options.endpoint().ifPresent(builder::endpointOverride);
        options.endpoint()
                .filter(LoopbackSigning::suits)
                .ifPresent(local -> builder.putAuthScheme(new LoopbackSigning()));
        return new S3Connection(builder.build(), credentials, region);
    }

    private static Apache5HttpClient.Builder http(int connections) {
        return Apache5HttpClient.builder()
                .maxConnections(connections)
                .connectionTimeout(CONNECT_TIMEOUT)
                .socketTimeout(SOCKET_TIMEOUT);
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
        return new TokenService(() -> http(FEW), Region.of(SigningRegion.ofProcess(options.region(), settings)), false);
    }

    /** Returns a provider that looks at the file before each request, and reads it again when it has changed. */
    private static AskedCredentials ofFile(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("the file of credentials %s cannot be read".formatted(file));
        }
        return new AskedCredentials(
                Source.ofFile(file.toString()),
                ProfileCredentialsProvider.builder()
                        .profileFile(ProfileFileSupplier.reloadWhenModified(file, ProfileFile.Type.CREDENTIALS))
                        .profileName("default")
                        .build(),
                List.of());
    }

    @Override
    public void close() {
        client.close();
        credentials.close();
    }
}
