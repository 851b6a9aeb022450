package io.packing.cli;

import java.io.IOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the build that this is, as Maven wrote it into a resource. */
final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Override
    public String[] getVersion() throws IOException {
        var properties = new Properties();
        try (var in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the build left no %s beside %s".formatted(RESOURCE, Version.class));
            }
            properties.load(in);
        }
        return new String[] {"packing " + properties.getProperty("version")};
    }
}
