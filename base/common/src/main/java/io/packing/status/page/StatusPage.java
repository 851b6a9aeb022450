// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import io.packing.pages.Pages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * A daemon's status page: its files, and the content that they show. One thread computes the content, at most once a
 * second for any number of viewers. Thread-safe.
 */
public final class StatusPage implements AutoCloseable {
    /** The path at which the page requests its content. */
    public static final String API = "/api/status";

    /** The number of samples in a plot: those of an hour. */
    public static final int SAMPLES = SampleHistory.SAMPLES;

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ANSWER_SECONDS = 30;

    private static final String CSS = "text/css; charset=utf-8";

    /** The path and type of each file. The page serves these and the style of all pages. */
    private static final Map<String, String> FILES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "page.css", CSS,
            "page.js", "text/javascript; charset=utf-8",
            "icon.svg", "image/svg+xml");

    /** An answer's content. */
    public record Content(String type, ByteBuffer bytes, boolean zipped) {
        @Override
        public ByteBuffer bytes() {
            return bytes.asReadOnlyBuffer();
        }
    }

    private record Made(ByteBuffer plain, ByteBuffer zipped) {}

    private final StatusFeed feed;
    private final LongSupplier nanos;
    private final Map<String, Content> files = new HashMap<>();
    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> sampling;
    private Optional<CompletableFuture<Made>> answer = Optional.empty();
    private long madeNanos;

    /**
     * Begins to take samples, every 10 s.
     *
     * @param source returns a report. One thread calls it: for each sample, and for viewers at most once a second
     */
    public StatusPage(Supplier<DaemonReport> source, Clock wall, LongSupplier nanos) {
        this(source, wall, nanos, EVERY);
    }

    /** Begins to take samples at another interval; it keeps {@value #SAMPLES}. */
    public StatusPage(Supplier<DaemonReport> source, Clock wall, LongSupplier nanos, Duration every) {
        this.feed = new StatusFeed(source, wall, nanos, every);
        this.nanos = nanos;
        FILES.forEach((name, type) -> files.put("/" + name, new Content(type, ByteBuffer.wrap(resource(name)), false)));
        ByteBuffer style = ByteBuffer.wrap(Pages.style().getBytes(StandardCharsets.UTF_8));
        files.put("/style.css", new Content(CSS, style, false));
        this.thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread made = new Thread(work, "status-page");
            made.setDaemon(true);
            return made;
        });
        this.sampling = thread.scheduleAtFixedRate(feed::sample, 0, every.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static byte[] resource(String name) {
        try (InputStream in = StatusPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the class path lacks %s of the status page".formatted(name));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the content at a path; empty when the path is unknown.
     *
     * @param zipped whether the client accepts gzip
     */
    public Optional<Content> find(String path, boolean zipped) throws InterruptedException {
        if (!path.equals(API)) {
            return Optional.ofNullable(files.get(path.equals("/") ? "/index.html" : path));
        }
        Made made = current();
        return Optional.of(new Content("application/json", zipped ? made.zipped : made.plain, zipped));
    }

    private Made current() throws InterruptedException {
        try {
            return ask().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the page could not be made: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the daemon did not say how it is for %d s".formatted(ANSWER_SECONDS), e);
        }
    }

    /** Returns the content that is being made or was made less than a second ago; else makes it. */
    private synchronized CompletableFuture<Made> ask() {
        CompletableFuture<Made> last = answer.orElse(null);
        if (last != null && (!last.isDone() || nanos.getAsLong() - madeNanos < FRESH_NANOS)) {
            return last;
        }
        CompletableFuture<Made> next = CompletableFuture.supplyAsync(this::make, thread);
        answer = Optional.of(next);
        return next;
    }

    private Made make() {
        try {
            byte[] plain = feed.json();
            return new Made(ByteBuffer.wrap(plain), ByteBuffer.wrap(zip(plain)));
        } finally {
            made();
        }
    }

    private synchronized void made() {
        madeNanos = nanos.getAsLong();
    }

    private static byte[] zip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        sampling.cancel(true);
        thread.shutdownNow();
    }
}
