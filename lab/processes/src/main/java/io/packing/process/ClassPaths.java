// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;

/** The jars and folders of classes. */
public final class ClassPaths {
    private ClassPaths() {}

    /**
     * Returns the jar or folder of a class that cannot be loaded here, since its superclass is not on this class path.
     *
     * @throws IllegalStateException when no jar or folder has it
     */
    public static Path of(String className) {
        String file = className.replace('.', '/') + ".class";
        URL found = ClassPaths.class.getClassLoader().getResource(file);
        if (found == null) {
            throw new IllegalStateException("no " + className + " on the class path");
        }
        // The URL is file:/folder/a/B.class or jar:file:/a.jar!/a/B.class.
        String location = found.toString().replaceFirst("^jar:", "");
        return Path.of(URI.create(
                location.substring(0, location.length() - file.length()).replaceFirst("!/$", "")));
    }

    /** Returns the jar or folder of {@code type}. */
    public static Path of(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path to " + type, e);
        }
    }
}
