// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** The distinct stacks that servers in this process log as errors: gRPC's and ours. */
final class ServerStacks extends AppenderBase<ILoggingEvent> {
    private static final int FRAMES = 12;

    private final Map<String, String> stacks = new LinkedHashMap<>();
    /**
     * gRPC's logger, which logs failed connections with a stack at INFO. The field keeps the logger, and so its level.
     */
    private final java.util.logging.Logger grpc = java.util.logging.Logger.getLogger("io.grpc");

    private final Handler javaLogging = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            Throwable thrown = logged.getThrown();
            if (thrown != null && logged.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue()) {
                add(
                        thrown.toString(),
                        Arrays.stream(thrown.getStackTrace())
                                .limit(FRAMES)
                                .map(Object::toString)
                                .collect(Collectors.joining("\n  ")));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Begins to listen. */
    void install() {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
        java.util.logging.Logger.getLogger("").addHandler(javaLogging);
        grpc.setLevel(java.util.logging.Level.WARNING);
    }

    void uninstall() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).detachAppender(this);
        java.util.logging.Logger.getLogger("").removeHandler(javaLogging);
        grpc.setLevel(null);
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            add(
                    thrown.getClassName() + ": " + thrown.getMessage(),
                    Arrays.stream(thrown.getStackTraceElementProxyArray())
                            .limit(FRAMES)
                            .map(StackTraceElementProxy::getSTEAsString)
                            .collect(Collectors.joining("\n  ")));
        }
    }

    private synchronized void add(String what, String stack) {
        String kind = stack.isEmpty() ? what : stack.substring(0, Math.max(stack.indexOf('\n'), 1));
        stacks.putIfAbsent(what.split(":", 2)[0] + kind, what + "\n  " + stack);
    }

    synchronized Map<String, String> all() {
        return new LinkedHashMap<>(stacks);
    }
}
