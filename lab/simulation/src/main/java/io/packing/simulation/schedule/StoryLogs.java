// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Optional;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The logging of simulated processes: the story of their schedule has what production logs. The trace has none of it. */
public final class StoryLogs implements SLF4JServiceProvider {
    /**
     * Makes this the logging of the process. Faults are expected, and an operator cannot read the logs of a thousand masters. A story has
     * those of its schedule.
     */
    public static void install() {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.setProperty("slf4j.provider", StoryLogs.class.getName());
        LogManager.getLogManager().reset();
    }

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
        return StoryLogger::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // It has no state.
    }

    /** A logger of a class. */
    private static final class StoryLogger extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        StoryLogger(String name) {
            this.name = name.substring(name.lastIndexOf('.') + 1);
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String message,
                Object @Nullable [] arguments,
                @Nullable Throwable failure) {
            Optional<Schedule> schedule = SimulatedThread.current().flatMap(SimulatedThread::scheduleIfAny);
            schedule.ifPresent(of -> of.tell(level + " " + name + ": "
                    + MessageFormatter.basicArrayFormat(message, arguments)
                    + (failure == null ? "" : " (" + failure + ")")));
        }
    }
}
