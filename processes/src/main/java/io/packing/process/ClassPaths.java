package io.packing.process;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where classes were loaded from. */
public final class ClassPaths {
    private ClassPaths() {}

    /** The jar or folder that {@code type} came from. */
    public static Path of(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path to " + type, e);
        }
    }
}
