// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The advice of messages about credentials. */
class S3ErrorsTest {
    private final S3Errors errors = new S3Errors("s3://bucket/p", "bucket");

    /** Checks a message: a secret on a command line is in the list of processes, and workers refuse it there. */
    private static void advisesNoSecretOnACommandLine(String message) {
        assertThat(message)
                .contains(EnvironmentKeys.ACCESS, EnvironmentKeys.SECRET, "~/.aws")
                .doesNotContain("packing.s3.access.key", "packing.s3.secret.key");
    }

    @Test
    void missingCredentialsAreAskedForInTheEnvironment() {
        SdkClientException missing = SdkClientException.create("Unable to load credentials from any of the providers");
        String message = String.valueOf(
                errors.translate(RequestKind.GET, "get k", 1, missing).getMessage());
        assertThat(message).startsWith("s3://bucket/p: no credentials found");
        advisesNoSecretOnACommandLine(message);
    }

    @Test
    void refusedCredentialsAreLookedForInTheEnvironment() {
        S3Exception refused = (S3Exception) S3Exception.builder()
                .statusCode(403)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("InvalidAccessKeyId")
                        .build())
                .build();
        String message = String.valueOf(
                errors.translate(RequestKind.GET, "get k", 1, refused).getMessage());
        assertThat(message).contains("credentials refused (403 InvalidAccessKeyId)", "bucket bucket");
        advisesNoSecretOnACommandLine(message);
    }
}
