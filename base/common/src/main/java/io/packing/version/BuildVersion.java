// SPDX-License-Identifier: Apache-2.0
package io.packing.version;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the build, as Maven wrote it into a resource. */
public final class BuildVersion {
    private static final String RESOURCE = "version.properties";

    private BuildVersion() {}

    /** Returns the version, such as {@code 0.1.0}. */
    public static String text() {
        Properties properties = new Properties();
        try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the build left no %s beside %s".formatted(RESOURCE, BuildVersion.class));
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
        return properties.getProperty("version");
    }
}
