package io.packing.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the build that this is, as Maven wrote it into a resource. */
final class ProgramVersion implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the build left no %s beside %s".formatted(RESOURCE, ProgramVersion.class));
            }
            properties.load(in);
        }
        return new String[] {"packing " + properties.getProperty("version")};
    }
}
