// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.util.List;
import java.util.Map;

/** The encoding of spans as OTLP in JSON: {@code ExportTraceServiceRequest} of OpenTelemetry's protocol. */
final class OtlpJson {
    private static final int BYTES_PER_SPAN = 400;
    private static final int FAILED = 2;

    private final StringBuilder json;

    private OtlpJson(int spans) {
        json = new StringBuilder(BYTES_PER_SPAN * (spans + 1));
    }

    /**
     * Returns the request that brings spans to a collector.
     *
     * @param service that made the spans
     */
    static String request(String service, List<EndedSpan> spans) {
        return new OtlpJson(spans.size()).all(service, spans);
    }

    private String all(String service, List<EndedSpan> spans) {
        json.append("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
        attribute("service.name", service);
        json.append("]},\"scopeSpans\":[{\"scope\":{\"name\":\"io.packing\"},\"spans\":[");
        for (int i = 0; i < spans.size(); i++) {
            if (i > 0) {
                json.append(',');
            }
            span(spans.get(i));
        }
        return json.append("]}]}]}").toString();
    }

    private void span(EndedSpan span) {
        json.append('{');
        place(span.context());
        if (span.parent() != 0) {
            json.append(",\"parentSpanId\":\"%016x\"".formatted(span.parent()));
        }
        json.append(",\"name\":");
        string(span.name());
        json.append(",\"kind\":").append(span.kind().code());
        json.append(",\"startTimeUnixNano\":\"").append(span.startNanos());
        json.append("\",\"endTimeUnixNano\":\"").append(span.endNanos()).append('"');
        if (!span.attributes().isEmpty()) {
            json.append(",\"attributes\":[");
            String comma = "";
            for (Map.Entry<String, Object> each : span.attributes().entrySet()) {
                json.append(comma);
                attribute(each.getKey(), each.getValue());
                comma = ",";
            }
            json.append(']');
        }
        if (!span.links().isEmpty()) {
            json.append(",\"links\":[");
            String comma = "";
            for (SpanContext link : span.links()) {
                json.append(comma).append('{');
                place(link);
                json.append('}');
                comma = ",";
            }
            json.append(']');
        }
        span.failure().ifPresent(why -> {
            json.append(",\"status\":{\"code\":").append(FAILED).append(",\"message\":");
            string(why);
            json.append('}');
        });
        json.append('}');
    }

    private void place(SpanContext context) {
        json.append("\"traceId\":\"").append(context.traceId());
        json.append("\",\"spanId\":\"").append(context.spanId()).append('"');
    }

    private void attribute(String key, Object value) {
        json.append("{\"key\":");
        string(key);
        json.append(",\"value\":{");
        if (value instanceof Long number) {
            // JSON has the 64 bits of Protocol Buffers as text.
            json.append("\"intValue\":\"").append(number.longValue()).append('"');
        } else {
            json.append("\"stringValue\":");
            string(value.toString());
        }
        json.append("}}");
    }

    private void string(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                // Half a pair is no character, and would break the encoding of all.
                json.append("\\u%04x".formatted(isWhole(text, i) ? (int) c : c < ' ' ? (int) c : 0xfffd));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    private static boolean isWhole(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        return !Character.isLowSurrogate(c) || (at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
