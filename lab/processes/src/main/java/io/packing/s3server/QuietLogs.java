package io.packing.s3server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Keeps the server's libraries from logging every request where nobody configured logging. */
final class QuietLogs {
    private static final List<String> CHATTY = List.of("org.gaul", "software.amazon.awssdk", "org.apache.hc");

    private QuietLogs() {}

    static void apply() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            for (String name : CHATTY) {
                Logger logger = context.getLogger(name);
                if (logger.getLevel() == null) {
                    logger.setLevel(Level.WARN);
                }
            }
        }
    }
}
