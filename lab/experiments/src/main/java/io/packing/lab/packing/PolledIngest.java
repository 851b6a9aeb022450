// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.cli.launch.Narrator;
import io.packing.lab.load.Clients;
import io.packing.lab.load.NumberedFileContent;
import io.packing.lab.load.SmallFiles;
import io.packing.process.Ports;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rate of writes of small files while browsers poll the pages of master and worker, beside the rate without
 * polls. Rounds of both kinds alternate, so that whatever else the machine does falls on both.
 */
public final class PolledIngest {
    private static final int SIZE = 8_192;
    private static final int CLIENTS = 8;
    private static final int WINDOW = 64;
    private static final long SEED = 26;

    /**
     * The size of the benchmark.
     *
     * @param files in a round
     * @param rounds of each kind
     * @param pages that poll, each once a second, master and worker
     * @param idleSeconds after the rounds with pages, and as many without, while nothing is written
     */
    public record Spec(long files, int rounds, int pages, int idleSeconds) {
        public Spec {
            if (files < 1 || rounds < 1 || pages < 1 || idleSeconds < 1) {
                throw new IllegalArgumentException("--files, --rounds, --pages and --idle-seconds must be positive");
            }
        }
    }

    /**
     * The result of the benchmark.
     *
     * @param polled files a second until they are durable in the store, the median of the polled rounds
     * @param alone that of the others
     * @param ratio the median of the ratios of each pair
     * @param cpuRatio the same of the processor time of all servers for a round, which other programs disturb less
     * @param answers that the pages got
     * @param share of the machine's processors that the pages take: what the servers use beside them when nothing is written, less what
     *     they use then without them. Writers who want all processors are slowed by that much, which their own rates are too uneven to tell
     */
    public record Result(
            double polled,
            double alone,
            double ratio,
            @JsonProperty("cpu_ratio") double cpuRatio,
            long answers,
            double share) {}

    /**
     * A round.
     *
     * @param rate files a second until all are durable
     * @param cpuSeconds of the servers
     */
    private record Round(double rate, double cpuSeconds) {}

    private final Spec spec;
    private final Workspace workspace;
    private final EngineRig.Client client;
    private final List<URI> pages;
    /** One for all rounds: what it costs to make one is not the servers' cost. */
    private final HttpClient http = HttpClient.newHttpClient();

    private PolledIngest(Spec spec, Workspace workspace, EngineRig.Client client, List<URI> pages) {
        this.spec = spec;
        this.workspace = workspace;
        this.client = client;
        this.pages = pages;
    }

    public static Result run(Spec spec, Narrator narrator) throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create("packing-polled")) {
            List<Integer> ports = Ports.free(2);
            Map<String, String> options = new LinkedHashMap<>();
            options.put("packing.metrics.port", ports.get(1).toString());
            EngineRig rig = EngineRig.start(
                    workspace, S3Process.Limits.NONE, 1, options, List.of("bdt.metrics.port=" + ports.get(0)));
            List<URI> pages = ports.stream()
                    .map(port -> URI.create("http://127.0.0.1:%d/api/status".formatted(port)))
                    .toList();
            try (EngineRig.Client client = rig.client()) {
                return new PolledIngest(spec, workspace, client, pages).rounds(narrator);
            }
        }
    }

    private Result rounds(Narrator narrator) throws IOException, InterruptedException {
        narrator.accept("warming up");
        Round unused = write("warm-up-0");
        try (Pollers pollers = new Pollers(http, pages, spec.pages())) {
            unused = write("warm-up-1");
            narrator.accept("%d answers of the pages while warming up".formatted(pollers.answers()));
        }
        double[] polled = new double[spec.rounds()];
        double[] alone = new double[spec.rounds()];
        double[] ratios = new double[spec.rounds()];
        double[] cpu = new double[spec.rounds()];
        long answers = 0;
        for (int i = 0; i < spec.rounds(); i++) {
            // The first of a pair may be the faster or the slower one.
            boolean first = i % 2 == 0;
            Round without = first ? new Round(0, 0) : write("alone-" + i);
            Round with;
            try (Pollers pollers = new Pollers(http, pages, spec.pages())) {
                with = write("polled-" + i);
                answers += pollers.answers();
            }
            if (first) {
                without = write("alone-" + i);
            }
            polled[i] = with.rate();
            alone[i] = without.rate();
            ratios[i] = polled[i] / alone[i];
            cpu[i] = with.cpuSeconds() / without.cpuSeconds();
            narrator.accept(String.format(
                    Locale.ROOT,
                    "%,.0f files/s and %.2f s of processor time polled, %,.0f and %.2f alone",
                    with.rate(),
                    with.cpuSeconds(),
                    without.rate(),
                    without.cpuSeconds()));
        }
        narrator.accept("%d s without writers, half of them polled".formatted(2 * spec.idleSeconds()));
        double unwatched = idle();
        double watched;
        try (Pollers pollers = new Pollers(http, pages, spec.pages())) {
            watched = idle();
            answers += pollers.answers();
        }
        double share = (watched - unwatched) / Runtime.getRuntime().availableProcessors();
        return new Result(median(polled), median(alone), median(ratios), median(cpu), answers, share);
    }

    /** Processor seconds that the servers use in a second while nothing is written. */
    private double idle() throws InterruptedException {
        Duration cpu = workspace.cpu();
        long start = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(spec.idleSeconds()).toMillis());
        return workspace.cpu().minus(cpu).toMillis() * 1e6 / (System.nanoTime() - start);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private Round write(String root) throws IOException, InterruptedException {
        SmallFiles files = new SmallFiles(root, SIZE, WINDOW, new NumberedFileContent(SIZE, SEED)::of);
        Duration cpu = workspace.cpu();
        long start = System.nanoTime();
        Clients.run(CLIENTS, spec.files(), done -> {}, numbers -> files.write(client.mount(), numbers));
        client.mount().flush();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Round(spec.files() / seconds, workspace.cpu().minus(cpu).toMillis() / 1e3);
    }

    /** Browsers as far as the daemons see them. */
    private static final class Pollers implements AutoCloseable {
        private final CountDownLatch closed = new CountDownLatch(1);
        private final AtomicLong answers = new AtomicLong();
        private final List<Thread> threads = new ArrayList<>();

        Pollers(HttpClient http, List<URI> pages, int count) {
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(() -> poll(http, pages), "page-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        private void poll(HttpClient http, List<URI> pages) {
            try {
                do {
                    for (URI page : pages) {
                        HttpResponse<byte[]> answer = http.send(
                                HttpRequest.newBuilder(page)
                                        .header("Accept-Encoding", "gzip")
                                        .build(),
                                HttpResponse.BodyHandlers.ofByteArray());
                        answers.addAndGet(answer.statusCode() == 200 ? 1 : 0);
                    }
                } while (!closed.await(1, TimeUnit.SECONDS));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        long answers() throws IOException {
            long sum = answers.get();
            if (sum == 0) {
                throw new IOException("no page was answered");
            }
            return sum;
        }

        @Override
        public void close() throws InterruptedException {
            closed.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
