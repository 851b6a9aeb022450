package io.packing.chaos.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The key of encrypted mounts, which all processes find in one file. */
public final class Encryption {
    /** The option of a mount that is encrypted. */
    public static final String OPTION = "packing.encryption.key";

    /** What that option says. */
    public static final String KEY = "chaos";

    static final String KEYSTORE = ".encryption.keystore";

    private Encryption() {}

    /** Writes the file, and returns where it is as options name it. */
    static URI keystore(Path directory) throws IOException {
        return Files.writeString(directory.resolve("keys"), "%s@1 %s%n".formatted(KEY, "07".repeat(32)))
                .toUri();
    }
}
