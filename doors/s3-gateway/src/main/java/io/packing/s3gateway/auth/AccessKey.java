// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.transport.identity.UserNames;

/**
 * An access key of a user.
 *
 * @param id that requests name
 * @param secret that signs them
 * @param user of the mount
 */
public record AccessKey(String id, String secret, String user) {
    private static final int LEAST_SECRET = 16;

    /** @throws IllegalArgumentException when one of them cannot be used */
    public AccessKey {
        if (!id.matches("[A-Za-z0-9_.+=@-]{3,128}")) {
            throw new IllegalArgumentException(
                    "access key '%.40s': want 3 to 128 letters, digits, and signs of _.+=@-".formatted(id));
        }
        if (secret.length() < LEAST_SECRET) {
            throw new IllegalArgumentException("the secret of access key %s has %d characters, want at least %d"
                    .formatted(id, secret.length(), LEAST_SECRET));
        }
        String unused = UserNames.check(user);
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "%s of %s".formatted(id, user);
    }
}
