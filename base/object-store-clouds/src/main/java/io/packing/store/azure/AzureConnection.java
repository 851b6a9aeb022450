// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.util.Configuration;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.packing.store.ServerEncryption;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StoreWay;
import java.io.IOException;
import java.net.URI;

/** The client of a store, and its credentials. */
record AzureConnection(BlobContainerClient client, AzureSource source, AzureHttpClient http) implements AutoCloseable {
    private static final String CLOUD = "https://%s.blob.core.windows.net";

    static AzureConnection open(StoreOptions options, StoreLocation.AzureContainer container, AzureSettings settings)
            throws IOException {
        StoreWay way = options.way();
        boolean ofAws = way.requesterPays() || way.fips() || way.dualStack();
        if (ofAws || !options.encryption().equals(ServerEncryption.OF_BUCKET)) {
            throw new IllegalArgumentException(
                    ("%s: packing.s3.sse.*, packing.s3.requester.pays, packing.s3.fips and packing.s3.dualstack are options of S3"
                                    + " only: leave them out")
                            .formatted(container.text()));
        }
        AzureHttpClient http = new AzureHttpClient(options.connections(), options.retryTimeout(), way);
        try {
            AzureSource source = AzureSource.of(options, container, settings, http);
            BlobContainerClientBuilder builder = new BlobContainerClientBuilder()
                    .endpoint(account(options, container))
                    .containerName(container.container())
                    // Settings of the environment are the source's.
                    .configuration(Configuration.NONE)
                    .httpClient(http)
                    // The retries are ours: each attempt is metered and obeys the shared rate.
                    .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, (Integer) null, null, null, null));
            source.signing().accept(builder);
            return new AzureConnection(builder.buildClient(), source, http);
        } catch (IOException | RuntimeException e) {
            http.close();
            throw e;
        }
    }

    /** Returns the URL of an account: in the host of Azure's own servers, and in the path of others. */
    private static String account(StoreOptions options, StoreLocation.AzureContainer container) {
        String account = container.account();
        if (options.endpoint().isEmpty()) {
            return CLOUD.formatted(account);
        }
        URI endpoint = options.endpoint().get();
        String text = endpoint.toString().replaceAll("/+$", "");
        return endpoint.getHost().startsWith(account + ".") || text.endsWith("/" + account)
                ? text
                : text + "/" + account;
    }

    @Override
    public void close() {
        http.close();
    }
}
