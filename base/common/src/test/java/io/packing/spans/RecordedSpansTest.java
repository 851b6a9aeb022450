// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import com.sun.management.ThreadMXBean;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RecordedSpansTest {
    private static final Pattern ID = Pattern.compile("(\"(?:traceId|spanId|parentSpanId)\":)\"([0-9a-f]+)\"");
    private static final SpanContext CALLER = new SpanContext(1, 2, 3, true);

    private final List<EndedSpan> ended = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(1_000);
    private final AtomicLong next = new AtomicLong(100);
    private final RecordedSpans spans = spans(1);

    private RecordedSpans spans(double share) {
        SpanSink sink = new SpanSink() {
            @Override
            public void ended(EndedSpan span) {
                ended.add(span);
            }

            @Override
            public long sent() {
                return ended.size();
            }

            @Override
            public long dropped() {
                return 0;
            }

            @Override
            public void close() {}
        };
        return new RecordedSpans(sink, share, () -> now.getAndAdd(10), next::getAndIncrement);
    }

    /**
     * Reads a request like a collector. JSON of the protocol has ids in hexadecimal digits, where Protocol Buffers have
     * bytes in base 64.
     */
    static ExportTraceServiceRequest read(String json) throws Exception {
        Matcher ids = ID.matcher(json);
        String base64 = ids.replaceAll(id -> id.group(1)
                + '"'
                + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(id.group(2)))
                + '"');
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        JsonFormat.parser().merge(base64, request);
        return request.build();
    }

    @Test
    void whatACollectorGetsIsWhatWasSaid() throws Exception {
        try (Span span = spans.enter("close")) {
            span.with("packing.bytes", 7)
                    .with("text", "\" \\ \n \u2028 \ud83d\ude00 \ud83d")
                    .link(CALLER);
            try (Span part = span.child("put", Span.Kind.CLIENT)) {
                part.failed("gone");
            }
        }
        ExportTraceServiceRequest request = read(OtlpJson.request("packing-worker", ended));
        ResourceSpans all = request.getResourceSpans(0);
        assertThat(all.getResource().getAttributes(0).getKey()).isEqualTo("service.name");
        assertThat(all.getResource().getAttributes(0).getValue().getStringValue())
                .isEqualTo("packing-worker");
        List<io.opentelemetry.proto.trace.v1.Span> sent = all.getScopeSpans(0).getSpansList();
        io.opentelemetry.proto.trace.v1.Span put = sent.get(0);
        io.opentelemetry.proto.trace.v1.Span close = sent.get(1);
        assertThat(put.getName()).isEqualTo("put");
        assertThat(put.getKind()).isEqualTo(io.opentelemetry.proto.trace.v1.Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(put.getStatus().getMessage()).isEqualTo("gone");
        assertThat(put.getTraceId()).isEqualTo(close.getTraceId());
        assertThat(put.getTraceId().size()).isEqualTo(16);
        assertThat(put.getParentSpanId()).isEqualTo(close.getSpanId());
        assertThat(close.getParentSpanId().isEmpty()).isTrue();
        assertThat(close.getStartTimeUnixNano()).isEqualTo(1_000);
        assertThat(close.getEndTimeUnixNano()).isEqualTo(1_030);
        assertThat(close.getLinks(0).getSpanId().toByteArray()).containsExactly(0, 0, 0, 0, 0, 0, 0, 3);
        assertThat(close.getAttributesList())
                .anySatisfy(each -> assertThat(each.getValue().getIntValue()).isEqualTo(7))
                .anySatisfy(each ->
                        assertThat(each.getValue().getStringValue()).isEqualTo("\" \\ \n \u2028 \ud83d\ude00 \ufffd"));
    }

    @Test
    void aCallInsideOfASpanIsAPartOfIt() {
        try (Span outer = spans.enter("outer");
                CurrentSpan.Bound bound = CurrentSpan.bind(outer)) {
            spans.enter("inner").close();
        }
        assertThat(CurrentSpan.get()).isSameAs(Span.NONE);
        assertThat(ended).extracting(EndedSpan::name).containsExactly("inner", "outer");
        assertThat(ended.get(0).parent()).isEqualTo(ended.get(1).context().span());
    }

    @Test
    void aShareOfTheCallsIsSampledAndWhatAnotherProcessDecidedHolds() {
        RecordedSpans never = spans(0);
        assertThat(never.enter("open")).isSameAs(Span.NONE);
        assertThat(never.serve("put", CALLER).isRecorded()).isTrue();
        assertThat(spans.serve("put", SpanContext.NONE)).isSameAs(Span.NONE);
        assertThat(spans.serve("put", new SpanContext(1, 2, 3, false))).isSameAs(Span.NONE);
    }

    @Test
    void callersHaveNoMoreThanAHundredCallsASecondRecorded() {
        int recorded = 0;
        for (int i = 0; i < 1_000; i++) {
            recorded += spans.serve("put", CALLER).isRecorded() ? 1 : 0;
        }
        assertThat(recorded).isEqualTo(100);
        now.addAndGet(1_000_000_000);
        assertThat(spans.serve("put", CALLER).isRecorded()).isTrue();
    }

    @Test
    void aSpanThatIsClosedTwiceIsSentOnce() {
        Span span = spans.enter("flush");
        span.close();
        span.close();
        assertThat(ended).hasSize(1);
    }

    @Test
    void withoutACollectorNothingIsAllocated() {
        assertThat(SpanExports.open(SpanOptions.OFF, "packing-worker", why -> {}))
                .isSameAs(Spans.NONE);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        off(1_000);
        long before = threads.getThreadAllocatedBytes(id);
        long empty = threads.getThreadAllocatedBytes(id) - before;
        before = threads.getThreadAllocatedBytes(id);
        off(10_000);
        long bytes = threads.getThreadAllocatedBytes(id) - before - empty;
        // The JVM itself allocates now and then, but much less than an object for each call.
        assertThat(bytes).isLessThan(16 * 10_000);
    }

    private static void off(int calls) {
        for (int i = 0; i < calls; i++) {
            try (Span span = Spans.NONE.enter("create");
                    CurrentSpan.Bound bound = CurrentSpan.bind(span);
                    Span part = CurrentSpan.get().child("put", Span.Kind.CLIENT)) {
                part.with("packing.bytes", i).link(span.context()).failed("not really");
            }
        }
    }
}
