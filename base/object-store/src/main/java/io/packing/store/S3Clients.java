// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSupplier;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** The builder of the SDK's client from the options. */
final class S3Clients {
    /** The timeout of a socket, longer than a store may take for a large put after its last byte. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private S3Clients() {}

    static S3Client open(StoreOptions options) {
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(options.region()))
                .forcePathStyle(options.pathStyle())
                .credentialsProvider(credentials(options))
                // The retries are ours: each attempt is metered and obeys the shared rate.
                .overrideConfiguration(client -> client.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(new TruncationGuard()))
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(options.connections())
                        .connectionTimeout(CONNECT_TIMEOUT)
                        // A thread may wait for a connection as long as for its request.
                        .connectionAcquisitionTimeout(options.retryTimeout().plus(SOCKET_TIMEOUT))
                        .socketTimeout(SOCKET_TIMEOUT));
        options.endpoint().ifPresent(builder::endpointOverride);
        options.endpoint()
                .filter(LoopbackSigning::suits)
                .ifPresent(local -> builder.putAuthScheme(new LoopbackSigning()));
        return builder.build();
    }

    static AwsCredentialsProvider credentials(StoreOptions options) {
        if (options.credentialsFile().isPresent()) {
            return ofFile(options.credentialsFile().get());
        }
        return options.credentials()
                .<AwsCredentialsProvider>map(pair -> StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(pair.accessKey(), pair.secretKey())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }

    /** Returns a provider that looks at the file before each request, and reads it again when it has changed. */
    private static AwsCredentialsProvider ofFile(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("the file of credentials %s cannot be read".formatted(file));
        }
        return ProfileCredentialsProvider.builder()
                .profileFile(ProfileFileSupplier.reloadWhenModified(file, ProfileFile.Type.CREDENTIALS))
                .profileName("default")
                .build();
    }
}
