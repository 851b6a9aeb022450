// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** The S3 client of the AWS SDK as AWS ships it: only the address and the keys of the store are set. */
public final class SdkClient implements DirectClient {
    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final RepeatedPuts repeated = new RepeatedPuts();

    private SdkClient(S3Client client, String bucket, String prefix) {
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    /** Opens a client of the objects below a prefix. */
    public static SdkClient open(URI endpoint, String accessKey, String secretKey, String bucket, String prefix) {
        S3Client client = S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
                // The class path has other HTTP clients, too; this one is the SDK's own default.
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
        return new SdkClient(client, bucket, prefix);
    }

    @Override
    public String settings() {
        String retries = client.serviceClientConfiguration()
                .overrideConfiguration()
                .retryStrategy()
                .map(strategy -> "%s, %d attempts"
                        .formatted(strategy.getClass().getSimpleName().replace("Default", ""), strategy.maxAttempts()))
                .orElse("its own retries");
        return "AWS SDK for Java %s: %s".formatted(VersionInfo.SDK_VERSION, retries);
    }

    @Override
    public void put(String key, byte[] bytes) throws IOException {
        put(key, RequestBody.fromBytes(bytes));
    }

    @Override
    public void put(String key, Path file) throws IOException {
        put(key, RequestBody.fromFile(file));
    }

    private void put(String key, RequestBody body) throws IOException {
        repeated.run(() -> {
            try {
                client.putObject(request -> request.bucket(bucket).key(full(key)), body);
            } catch (SdkException e) {
                throw failure("put", key, e);
            }
        });
    }

    private String full(String key) {
        return prefix + "/" + key;
    }

    private static IOException failure(String what, String key, SdkException e) {
        return new IOException("the AWS SDK cannot %s %s: %s".formatted(what, key, e.getMessage()), e);
    }

    @Override
    public byte[] get(String key, int length) throws IOException {
        try {
            return client.getObjectAsBytes(request -> request.bucket(bucket).key(full(key)))
                    .asByteArrayUnsafe();
        } catch (SdkException e) {
            throw failure("get", key, e);
        }
    }

    @Override
    public long repeated() {
        return repeated.count();
    }

    @Override
    public void close() {
        client.close();
    }
}
