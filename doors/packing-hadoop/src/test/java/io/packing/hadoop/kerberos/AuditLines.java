// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The audit log of masters of this JVM. */
final class AuditLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("packing.audit");
    private final List<String> all = new CopyOnWriteArrayList<>();

    static AuditLines collect() {
        AuditLines lines = new AuditLines();
        lines.start();
        LOG.setLevel(Level.INFO);
        LOG.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        all.add(event.getFormattedMessage());
    }

    List<String> all() {
        return all;
    }

    @Override
    public void close() {
        LOG.detachAppender(this);
        stop();
    }
}
