package io.packing.process;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;

/** Where classes were loaded from. */
public final class ClassPaths {
    private ClassPaths() {}

    /**
     * The jar or folder that has a class which cannot be loaded here, because what it extends is not on this class path.
     *
     * @throws IllegalStateException when no jar or folder has it
     */
    public static Path of(String className) {
        String file = className.replace('.', '/') + ".class";
        URL found = ClassPaths.class.getClassLoader().getResource(file);
        if (found == null) {
            throw new IllegalStateException("no " + className + " on the class path");
        }
        // file:/folder/a/B.class, or jar:file:/a.jar!/a/B.class
        String location = found.toString().replaceFirst("^jar:", "");
        return Path.of(URI.create(
                location.substring(0, location.length() - file.length()).replaceFirst("!/$", "")));
    }

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
