// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.log;

import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The file and the form of a daemon's log, from the environment. The log is turned over at midnight and when it has grown
 * to 100 MB; 14 days or 1 GB of it are kept.
 *
 * @param file the log
 * @param format {@code text} or {@code json}: one object a line
 * @param levels a file with the levels of loggers, {@code logback.logger.NAME=LEVEL} or {@code logback.root=LEVEL}; it is read
 *     again when it has changed
 */
public record DaemonLog(Path file, String format, Path levels) {
    /** The folder of the log. */
    public static final String DIRECTORY = "PACKING_LOG_DIR";
    /** The form of the log. */
    public static final String FORMAT = "PACKING_LOG_FORMAT";
    /** The file with the levels. */
    public static final String LEVELS = "PACKING_LOG_LEVELS";

    /** By which logback knows what to read. */
    private static final String SUFFIX = ".properties";

    private static final String CONFIGURATION = "logback.configurationFile";
    private static final String FILE_PROPERTY = "packing.log";
    private static final Set<String> FORMATS = new TreeSet<>(Set.of("json", "text"));

    /**
     * Returns a daemon's log from the environment; the property {@code packing.log} names another file.
     *
     * @throws IllegalArgumentException when the form is none
     */
    static DaemonLog of(String daemon, Map<String, String> environment, Properties properties) {
        String format = environment.getOrDefault(FORMAT, "text");
        if (!FORMATS.contains(format)) {
            throw new IllegalArgumentException("%s: '%s' is none of %s".formatted(FORMAT, format, FORMATS));
        }
        String own = environment.get(DIRECTORY);
        Path file = (own == null ? ownFolder(properties) : Path.of(own)).resolve(daemon + ".log");
        if (properties.containsKey(FILE_PROPERTY)) {
            file = Path.of(properties.getProperty(FILE_PROPERTY));
        }
        // One that is not there changes nothing.
        Path levels = Path.of(environment.getOrDefault(LEVELS, file + SUFFIX));
        if (!levels.toString().endsWith(SUFFIX)) {
            throw new IllegalArgumentException("%s: %s does not end in %s".formatted(LEVELS, levels, SUFFIX));
        }
        return new DaemonLog(file.toAbsolutePath(), format, levels.toAbsolutePath());
    }

    /**
     * Makes this process log as a daemon does. To be called before anything is logged: a process has its log once. An operator's
     * own configuration of logback stays.
     *
     * @throws IllegalArgumentException naming the variable that is wrong, or the log that cannot be written
     */
    public static void install(String daemon) {
        // Without this bridge, gRPC would log to the daemon's output, which never turns over.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        Properties properties = System.getProperties();
        if (properties.containsKey(CONFIGURATION)) {
            return;
        }
        DaemonLog log = of(daemon, System.getenv(), properties);
        log.requireWritable(ownFolder(properties));
        log.properties().forEach(System::setProperty);
        System.setProperty(CONFIGURATION, log.configuration());
    }

    /** The folder of logs for which none was named: in the directory that all users share, and the user's alone. */
    private static Path ownFolder(Properties properties) {
        return Path.of(properties.getProperty("java.io.tmpdir"), "packing-" + properties.getProperty("user.name"));
    }

    /**
     * Says where a command logs to, unless that was said. Without a folder that is the user's alone nothing is logged: another user could have
     * put a link there.
     *
     * @param complain is told why nothing is logged
     */
    public static void nameOfCommand(Properties properties, Consumer<String> complain) {
        if (properties.containsKey(FILE_PROPERTY)) {
            return;
        }
        try {
            Path folder = OwnerOnly.inShared(ownFolder(properties));
            properties.setProperty(FILE_PROPERTY, folder.resolve("packing.log").toString());
        } catch (IOException e) {
            complain.accept("nothing is logged: " + e.getMessage());
        }
    }

    /** The configuration of logback, a resource. */
    String configuration() {
        return "logback-%s.xml".formatted(format);
    }

    /** Returns the properties that the logging configuration reads. */
    Map<String, String> properties() {
        return Map.of(FILE_PROPERTY, file.toString(), "packing.log.levels", levels.toString());
    }

    /**
     * Makes the log. A daemon whose log cannot be written does not start.
     *
     * @param own the default folder
     */
    void requireWritable(Path own) {
        try {
            Path folder = file.getParent();
            if (folder != null && folder.equals(own.toAbsolutePath())) {
                Path unused = OwnerOnly.inShared(folder);
            } else if (folder != null && !Files.isDirectory(folder)) {
                // One that is there may be that of other daemons, too.
                Path unused = OwnerOnly.directory(folder);
            }
            OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the log %s cannot be written (%s): set %s to a folder that can".formatted(file, e, DIRECTORY), e);
        }
    }
}
