// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sso.SsoClient;
import software.amazon.awssdk.services.ssooidc.SsoOidcClient;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;

/**
 * The way to AWS's token services. The clients are built here, and not found by reflection: inside of Alluxio and Hadoop the
 * loader of a thread's classes does not see them.
 *
 * @param http the builder of an HTTP client, with the proxy and the authorities of the store
 * @param region of the token service
 * @param fips whether its FIPS endpoint is called
 */
public record TokenService(Supplier<SdkHttpClient.Builder<?>> http, Region region, boolean fips) {
    /** Returns a client whose calls are signed by these credentials. */
    public StsClient client(AwsCredentialsProvider by) {
        StsClientBuilder builder =
                StsClient.builder().region(region).credentialsProvider(by).httpClientBuilder(http.get());
        if (fips) {
            builder.fipsEnabled(true);
        }
        return builder.build();
    }

    /** Returns a client whose calls have their proof in them. */
    StsClient client() {
        return client(AnonymousCredentialsProvider.create());
    }

    /** Returns a client of the service for people who sign in once. */
    SsoClient signedIn(String where) {
        return SsoClient.builder()
                .region(Region.of(where))
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClientBuilder(http.get())
                .build();
    }

    /** Returns a client of the service that renews logins. */
    SsoOidcClient renewals(String where) {
        return SsoOidcClient.builder()
                .region(Region.of(where))
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClientBuilder(http.get())
                .build();
    }
}
