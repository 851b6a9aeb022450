// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.TraceEvent;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/** A writer of events as Parquet rows. Fields that do not apply to an event are null. */
final class EventRows extends WriteSupport<TraceEvent> {
    static final MessageType SCHEMA = MessageTypeParser.parseMessageType("""
            message event {
              required int64 wall_ns (TIMESTAMP(NANOS,true));
              required int64 mono_ns;
              required int64 duration_ns;
              required binary call (STRING);
              required int32 count;
              required int64 last_ns;
              required binary host (STRING);
              required int64 pid;
              optional binary process (STRING);
              optional binary thread (STRING);
              optional binary user (STRING);
              optional binary context (STRING);
              required int32 file_system;
              optional int64 stream;
              optional binary path (STRING);
              optional binary target (STRING);
              optional int64 offset;
              optional int64 length;
              optional int64 result;
              optional binary error (STRING);
              optional binary hints (STRING);
              optional int64 descriptor;
              optional int64 file_size;
            }
            """);

    private @Nullable RecordConsumer rows;
    private int column;

    @Override
    public WriteContext init(Configuration configuration) {
        return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
        return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
        rows = consumer;
    }

    @Override
    public void write(TraceEvent event) {
        RecordConsumer out = Objects.requireNonNull(rows);
        column = 0;
        out.startMessage();
        number(out, event.wallNanos());
        number(out, event.monoNanos());
        number(out, event.durationNanos());
        text(out, event.call().label());
        count(out, event.count());
        number(out, event.lastNanos());
        text(out, event.origin().host());
        number(out, event.origin().pid());
        optional(out, event.origin().process());
        optional(out, event.thread());
        optional(out, event.user());
        optional(out, event.context());
        count(out, event.fileSystem());
        optional(out, event.stream());
        optional(out, event.path());
        optional(out, event.target());
        optional(out, event.offset());
        optional(out, event.length());
        optional(out, event.result());
        optional(out, event.error());
        optional(out, event.hints());
        optional(out, event.descriptor());
        optional(out, event.fileSize());
        out.endMessage();
    }

    private void number(RecordConsumer out, long value) {
        String name = SCHEMA.getFieldName(column);
        out.startField(name, column);
        out.addLong(value);
        out.endField(name, column++);
    }

    private void count(RecordConsumer out, int value) {
        String name = SCHEMA.getFieldName(column);
        out.startField(name, column);
        out.addInteger(value);
        out.endField(name, column++);
    }

    private void text(RecordConsumer out, String value) {
        String name = SCHEMA.getFieldName(column);
        out.startField(name, column);
        out.addBinary(Binary.fromString(value));
        out.endField(name, column++);
    }

    private void optional(RecordConsumer out, String value) {
        if (value.isEmpty()) {
            column++;
        } else {
            text(out, value);
        }
    }

    private void optional(RecordConsumer out, long value) {
        if (value == TraceEvent.NONE) {
            column++;
        } else {
            number(out, value);
        }
    }
}
