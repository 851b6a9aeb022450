// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import org.slf4j.LoggerFactory;

/** A log configuration for processes without one: the server's libraries do not log every request. */
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
