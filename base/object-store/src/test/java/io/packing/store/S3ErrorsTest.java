// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.store.credentials.SigningRegion;
import io.packing.store.credentials.Source;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The advice of messages about credentials. */
class S3ErrorsTest {
    private final S3Errors errors =
            new S3Errors("s3://bucket/p", "bucket", Source.ofKeys(), new SigningRegion("us-east-1", "default"));

    private String message(int status, String code, RequestKind kind) {
        AwsErrorDetails details = AwsErrorDetails.builder()
                .errorCode(code)
                .sdkHttpResponse(SdkHttpResponse.builder()
                        .putHeader("x-amz-bucket-region", "eu-west-1")
                        .build())
                .build();
        S3Exception answer = (S3Exception) S3Exception.builder()
                .statusCode(status)
                .awsErrorDetails(details)
                .build();
        return String.valueOf(errors.translate(kind, "get k", 2, answer).getMessage());
    }

    @Test
    void refusedCredentialsAreLookedForInTheEnvironment() {
        assertThat(message(403, "InvalidAccessKeyId", RequestKind.GET))
                .contains("credentials refused (403 InvalidAccessKeyId)", "bucket bucket")
                .contains(EnvironmentKeys.ACCESS, EnvironmentKeys.SECRET);
    }

    @Test
    void missingRightsAreNamedByWhatThePolicyHasToAllow() {
        assertThat(message(403, "AccessDenied", RequestKind.PUT)).contains("allow them s3:PutObject on bucket bucket");
        assertThat(message(403, "AccessDenied", RequestKind.LIST)).contains("allow them s3:ListBucket");
    }

    @Test
    void expiredCredentialsAreSaidToBeExpiredWithTheirSource() {
        assertThat(message(400, "ExpiredToken", RequestKind.PUT))
                .contains("the credentials have expired (400 ExpiredToken)", "packing.s3.access.key", "Next: ");
    }

    @Test
    void anotherRegionIsNamedBesideTheOneThatWasSignedFor() {
        assertThat(message(301, "PermanentRedirect", RequestKind.HEAD))
                .contains("bucket bucket is in another region")
                .contains("than us-east-1, which default says; set packing.s3.region=eu-west-1");
    }
}
