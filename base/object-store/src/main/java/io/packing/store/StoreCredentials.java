// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.Optional;

/** An access key and its secret; no text of this class has the secret. */
public record StoreCredentials(String accessKey, String secretKey) {
    public StoreCredentials {
        if (accessKey.isBlank() || secretKey.isBlank()) {
            throw new IllegalArgumentException(
                    "options packing.s3.access.key and packing.s3.secret.key: set both, or neither");
        }
    }

    /** Returns the pair; empty when both are. */
    static Optional<StoreCredentials> of(String accessKey, String secretKey) {
        return accessKey.isEmpty() && secretKey.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoreCredentials(accessKey, secretKey));
    }

    @Override
    public String toString() {
        return "StoreCredentials[accessKey=%s, secretKey=hidden]".formatted(accessKey);
    }
}
