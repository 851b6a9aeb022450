package io.packing.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.Set;
import picocli.CommandLine.IVersionProvider;

/** The version of the build that this is, as Maven wrote it into a resource. */
final class ProgramVersion implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    /** The options that print the version, as picocli's standard options name them. */
    static final Set<String> FLAGS = Set.of("--version", "-V");

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    /** Returns the line that the command prints. */
    static String line() {
        Properties properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the build left no %s beside %s".formatted(RESOURCE, ProgramVersion.class));
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
        return "packing " + properties.getProperty("version");
    }
}
