// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.s3gateway.auth.AccessKey;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** AWS's clients of a gateway. */
public final class SdkClients {
    private SdkClients() {}

    private static StaticCredentialsProvider credentials(AccessKey key) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(key.id(), key.secret()));
    }

    public static S3Client open(URI gateway, AccessKey key) {
        return S3Client.builder()
                .endpointOverride(gateway)
                .region(Region.EU_CENTRAL_1)
                .forcePathStyle(true)
                .credentialsProvider(credentials(key))
                .overrideConfiguration(c -> c.retryStrategy(retry -> retry.maxAttempts(1)))
                .build();
    }

    static S3Presigner presigner(URI gateway, AccessKey key) {
        return S3Presigner.builder()
                .endpointOverride(gateway)
                .region(Region.EU_CENTRAL_1)
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .credentialsProvider(credentials(key))
                .build();
    }

    public static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that a call fails with a status, and with a code unless that is empty. */
    static void fails(int status, String code, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(S3Exception.class, e -> {
            assertThat(e.statusCode()).isEqualTo(status);
            if (!code.isEmpty()) {
                assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
            }
        });
    }
}
