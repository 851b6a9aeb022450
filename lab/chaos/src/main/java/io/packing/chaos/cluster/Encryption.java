// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The key of encrypted mounts, in one file for all processes. */
public final class Encryption {
    /** The mount option that names the key. */
    public static final String OPTION = "packing.encryption.key";

    /** The name of the key. */
    public static final String KEY = "chaos";

    static final String KEYSTORE = ".encryption.keystore";

    private Encryption() {}

    /** Writes the keystore, and returns its location for options. */
    static URI keystore(Path directory) throws IOException {
        return Files.writeString(directory.resolve("keys"), "%s@1 %s%n".formatted(KEY, "07".repeat(32)))
                .toUri();
    }
}
