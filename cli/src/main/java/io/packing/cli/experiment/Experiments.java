package io.packing.cli.experiment;

import io.packing.cli.Home;
import io.packing.cli.demo.Comparison;
import io.packing.cli.demo.Demo.Narrator;
import io.packing.cli.demo.Prices;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/** Runs experiments, each in a temporary directory that it removes. */
public final class Experiments {
    private final Home home;
    private final Narrator narrator;

    public Experiments(Home home, boolean quiet) {
        this.home = home;
        this.narrator = new Narrator(quiet);
    }

    /** What is written; see {@link Ingest}. */
    public record IngestSpec(long files, int size, int clients, int window, long directFiles, String prices) {
        public IngestSpec {
            if (files < 1 || clients < 1 || window < 1 || directFiles < 1) {
                throw new IllegalArgumentException("--files, --clients, --window and --direct-files must be positive");
            }
        }
    }

    /** What it is written to. */
    public record Server(int putLimit, Duration putLatency, int workers, Map<String, String> mountOptions) {
        public Server {
            if (putLimit < 0 || workers < 1) {
                throw new IllegalArgumentException("--put-limit must not be negative, --workers must be positive");
            }
        }
    }

    /** An experiment's outcome. */
    public interface Result {
        Object json();

        void print(PrintWriter out);

        /** Whether every file was read back as it was written. */
        boolean isComplete();
    }

    private interface Run<T> {
        T on(EngineRig rig) throws IOException, InterruptedException;
    }

    private <T> T on(Server server, Run<T> run) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("packing-experiment");
        narrator.accept("starting an S3 server, a BDT master and %d worker(s)".formatted(server.workers()));
        try (var rig = EngineRig.start(
                directory, server.putLimit(), server.putLatency(), server.workers(), server.mountOptions())) {
            return run.on(rig);
        } finally {
            try (var paths = Files.walk(directory)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** The ingest experiment at the engine's door. */
    public Result ingest(IngestSpec spec, Server server) throws IOException, InterruptedException {
        var prices = Prices.read(home.prices(spec.prices()));
        var ingest = new Ingest(
                spec.files(), spec.size(), spec.clients(), spec.window(), spec.directFiles(), prices, narrator);
        var result = on(server, ingest::run);
        return new Result() {
            @Override
            public Object json() {
                return result;
            }

            @Override
            public void print(PrintWriter out) {
                Comparison.of(result.packed().side(), result.direct().side()).print(out);
                out.printf(
                        Locale.ROOT,
                        "PUTs per GB  %16.2f %16.2f%n",
                        result.packed().putsPerGb(),
                        result.direct().putsPerGb());
                if (spec.directFiles() < spec.files()) {
                    out.printf(Locale.ROOT, "direct is extrapolated from %,d files%n", spec.directFiles());
                }
            }

            @Override
            public boolean isComplete() {
                return result.packed().side().isComplete()
                        && result.direct().side().verified() == result.direct().measuredFiles();
            }
        };
    }

    /** The cold read of one directory. */
    public Result read(long files, int size, int threads, Server server) throws IOException, InterruptedException {
        var result = on(server, new ColdRead(files, size, threads, narrator)::run);
        return new Result() {
            @Override
            public Object json() {
                return result;
            }

            @Override
            public void print(PrintWriter out) {
                out.printf(
                        Locale.ROOT,
                        "%,d files in %.1f s: %d GET (%.4f per file), %d LIST, %d HEAD, %,d verified%n",
                        result.files(),
                        result.seconds(),
                        result.get(),
                        result.getPerFile(),
                        result.list(),
                        result.head(),
                        result.verified());
            }

            @Override
            public boolean isComplete() {
                return result.verified() == result.files();
            }
        };
    }
}
