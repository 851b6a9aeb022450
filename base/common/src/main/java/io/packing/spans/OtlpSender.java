// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The sender of spans to a collector by OTLP over HTTP, many in one request. A slow, wrong or missing collector loses
 * spans, and delays no call: at most {@link #MOST_WAITING} wait.
 */
final class OtlpSender implements SpanSink {
    static final int MOST_WAITING = 2_048;
    static final int MOST_IN_REQUEST = 512;
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long TICK_MILLIS = 200;
    private static final long STOP_MILLIS = 1_000;
    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final URI address;
    private final String service;
    private final LongSupplier nanos;
    private final Consumer<String> warn;
    private final BlockingQueue<EndedSpan> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final HttpClient client =
            // This does not offer HTTP/2, which some servers take for another request.
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build();
    private final Thread thread;
    /** Confined to the thread. */
    private Optional<Long> warned = Optional.empty();

    private volatile boolean closing;

    private OtlpSender(URI collector, String service, LongSupplier nanos, Consumer<String> warn) {
        boolean bare = collector.getPath() == null || collector.getPath().matches("/?");
        this.address = bare ? collector.resolve("/v1/traces") : collector;
        this.service = service;
        this.nanos = nanos;
        this.warn = warn;
        this.thread = new Thread(this::run, "packing-spans");
    }

    /** Starts a sender with a thread of its own. */
    static OtlpSender start(URI collector, String service, LongSupplier nanos, Consumer<String> warn) {
        OtlpSender sender = new OtlpSender(collector, service, nanos, warn);
        sender.thread.setDaemon(true);
        sender.thread.start();
        return sender;
    }

    @Override
    public void ended(EndedSpan span) {
        if (closing || !waiting.offer(span)) {
            dropped.incrementAndGet();
        }
    }

    private void run() {
        try {
            while (!closing || !waiting.isEmpty()) {
                step();
            }
        } catch (InterruptedException e) {
            // The stop took too long.
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            warn.accept("no spans are sent any more: " + e);
            throw e;
        } finally {
            closing = true;
            dropped.addAndGet(waiting.size());
            waiting.clear();
        }
    }

    private void step() throws InterruptedException {
        EndedSpan first = waiting.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null) {
            return;
        }
        List<EndedSpan> batch = new ArrayList<>(List.of(first));
        long end = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        while (batch.size() < MOST_IN_REQUEST && !closing) {
            EndedSpan next = waiting.poll(end - nanos.getAsLong(), TimeUnit.NANOSECONDS);
            if (next == null) {
                break;
            }
            batch.add(next);
        }
        int unused = waiting.drainTo(batch, MOST_IN_REQUEST - batch.size());
        Optional<String> problem = send(batch);
        if (problem.isEmpty()) {
            sent.addAndGet(batch.size());
        } else {
            dropped.addAndGet(batch.size());
            warn(problem.get());
        }
    }

    private Optional<String> send(List<EndedSpan> batch) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(OtlpJson.request(service, batch)))
                .build();
        try {
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status / 100 == 2 ? Optional.empty() : Optional.of("it answers " + status);
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }

    private void warn(String problem) {
        long now = nanos.getAsLong();
        if (warned.isEmpty() || now - warned.get() >= WARN_NANOS) {
            warned = Optional.of(now);
            warn.accept("the collector of spans at %s does not take them, %d were lost: %s"
                    .formatted(address, dropped.get(), problem));
        }
    }

    @Override
    public long sent() {
        return sent.get();
    }

    @Override
    public long dropped() {
        return dropped.get();
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
