// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Access keys of tests. */
public final class TestKeys {
    /** The key of the examples in AWS's documentation. */
    public static final AccessKey EXAMPLE =
            new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "alice");

    private TestKeys() {}

    public static AccessKeys in(Path folder, AccessKey... keys) throws IOException {
        StringBuilder lines = new StringBuilder("# access keys\n");
        for (AccessKey key : keys) {
            lines.append("%s %s %s\n".formatted(key.id(), key.secret(), key.user()));
        }
        Path file = folder.resolve("s3.keys");
        Files.writeString(file, lines.toString());
        return new AccessKeys(file);
    }
}
