// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.packing.rig.Workspace;
import io.packing.status.StatusServer;
import io.packing.status.page.StatusPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/** The time until a browser shows the page of a simulated master. */
public final class PageBench {
    private static final long SEED = 26;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** The speed of a photographed master's clock. */
    private static final int HASTE = 1_000;

    private PageBench() {}

    /**
     * The size of the simulated page.
     *
     * @param workers of all mounts together
     * @param loads how often, each by a browser of its own with nothing cached
     * @param photographs the directory for pictures of the page; empty: none
     */
    public record Spec(int mounts, int workers, int loads, Optional<Path> photographs) {}

    /**
     * One load, in milliseconds from the beginning of the navigation.
     *
     * @param firstPaint when anything was painted
     * @param numbers when the numbers of mounts and workers were in the document
     */
    public record Load(
            @JsonProperty("first_paint_ms") double firstPaint,
            @JsonProperty("numbers_ms") double numbers) {}

    /** All of them. */
    public record Result(int mounts, int workers, List<Load> loads) {
        public Result {
            loads = List.copyOf(loads);
        }

        @JsonProperty("first_paint_ms")
        public double firstPaint() {
            return loads.stream().mapToDouble(Load::firstPaint).max().orElse(0);
        }

        @JsonProperty("numbers_ms")
        public double numbers() {
            return loads.stream().mapToDouble(Load::numbers).max().orElse(0);
        }
    }

    /**
     * Loads the page so often, and takes its photographs.
     *
     * @throws IOException also when there is no browser
     */
    public static Result run(Spec spec) throws IOException, InterruptedException {
        Path program = Browser.program()
                .orElseThrow(() ->
                        new IOException("there is no chromium: install it, with apt-get install chromium for example"));
        long start = System.nanoTime();
        // An hour has passed already.
        SimulatedMaster master =
                new SimulatedMaster(spec.mounts(), spec.workers(), SEED, () -> HOUR_NANOS + System.nanoTime() - start);
        StatusPage page = new StatusPage(master::report, Clock.systemUTC(), System::nanoTime);
        try (Workspace workspace = Workspace.create("packing-page");
                StatusServer server =
                        StatusServer.start("127.0.0.1", 0, () -> "", Optional::empty, List::of, Optional.of(page))) {
            String uri = "http://127.0.0.1:%d/".formatted(server.port());
            List<Load> loads = new ArrayList<>();
            for (int i = 0; i < spec.loads(); i++) {
                Path home = Files.createDirectories(workspace.directory().resolve("browser-" + i));
                try (Browser browser = Browser.start(program, home)) {
                    loads.add(load(browser, uri));
                }
            }
            if (spec.photographs().isPresent()) {
                photograph(spec, program, workspace, spec.photographs().get());
            }
            return new Result(spec.mounts(), spec.workers(), loads);
        }
    }

    private static Load load(Browser browser, String uri) throws IOException, InterruptedException {
        browser.window(1200, 900, false);
        browser.open(uri);
        JsonNode numbers = browser.await("performance.getEntriesByName('numbers shown')[0]?.startTime");
        JsonNode paint = browser.await("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
        return new Load(paint.asDouble(), numbers.asDouble());
    }

    /** Photographs the page of a master with a fast clock, so that its plots are full. */
    private static void photograph(Spec spec, Path program, Workspace workspace, Path directory)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        long start = System.nanoTime();
        LongSupplier fast = () -> HOUR_NANOS + (System.nanoTime() - start) * HASTE;
        CountDownLatch full = new CountDownLatch(StatusPage.SAMPLES);
        SimulatedMaster master = new SimulatedMaster(spec.mounts(), spec.workers(), SEED, fast);
        StatusPage page = new StatusPage(
                () -> {
                    full.countDown();
                    return master.report();
                },
                Clock.systemUTC(),
                fast,
                EVERY.dividedBy(HASTE));
        Path home = Files.createDirectories(workspace.directory().resolve("photographs"));
        try (StatusServer server =
                        StatusServer.start("127.0.0.1", 0, () -> "", Optional::empty, List::of, Optional.of(page));
                Browser browser = Browser.start(program, home)) {
            full.await();
            String uri = "http://127.0.0.1:%d/".formatted(server.port());
            photograph(browser, uri, 1000, 760, false, directory.resolve("page-light.png"));
            photograph(browser, uri, 1000, 760, true, directory.resolve("page-dark.png"));
            photograph(browser, uri, 400, 800, true, directory.resolve("page-phone.png"));
        }
    }

    private static void photograph(Browser browser, String uri, int width, int height, boolean dark, Path file)
            throws IOException, InterruptedException {
        browser.window(width, height, dark);
        browser.open(uri);
        JsonNode shown = browser.await("performance.getEntriesByName('numbers shown')[0]?.startTime");
        if (shown.asDouble() >= 0) {
            browser.photograph(file);
        }
    }
}
