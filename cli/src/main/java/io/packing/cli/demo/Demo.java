package io.packing.cli.demo;

import io.packing.cli.Home;
import io.packing.cluster.load.LoadResult;
import io.packing.cluster.load.LoadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** One run of the demonstration, in a temporary directory that it removes. */
public final class Demo {
    private final Home home;
    private final Prices prices;
    private final Map<String, String> mountOptions;
    private final Narrator narrator;

    public Demo(Home home, Prices prices, Map<String, String> mountOptions, Narrator narrator) {
        this.home = home;
        this.prices = prices;
        this.mountOptions = Map.copyOf(mountOptions);
        this.narrator = narrator;
    }

    /** Says on standard error what happens meanwhile; says nothing when a program listens. */
    public record Narrator(boolean quiet) implements Consumer<String> {
        @Override
        public void accept(String what) {
            if (!quiet) {
                System.err.println("packing: " + what);
            }
        }

        // From JDK 22 on a console may be no terminal; then a bar in a log file is all the harm.
        @SuppressWarnings("SystemConsoleNull")
        ProgressBar bar(String task, long steps) {
            var builder = new ProgressBarBuilder().setTaskName(task).setInitialMax(steps);
            if (quiet || System.console() == null) {
                builder.setConsumer(new Silent());
            }
            return builder.build();
        }
    }

    /** Writes the files to both sides, waits until they are durable, and reads them back. */
    public Comparison run(int files, int size, int threads, String writeType) throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("packing-demo");
        try (var rig = Rig.start(home, directory, mountOptions, narrator)) {
            var packed = side(rig, Rig.PACKED, files, size, threads, writeType);
            var direct = side(rig, Rig.DIRECT, files, size, threads, writeType);
            narrator.accept("stopping");
            return Comparison.of(packed, direct);
        } finally {
            deleteTree(directory);
        }
    }

    private Side side(Rig rig, String prefix, int files, int size, int threads, String writeType)
            throws IOException, InterruptedException {
        var before = rig.requests(prefix);
        var spec = LoadSpec.write("/" + prefix + "/files", files, size, threads, writeType);
        var written = load(rig, "writing /" + prefix, spec);
        var waitingSince = System.nanoTime();
        if (prefix.equals(Rig.PACKED)) {
            narrator.accept("waiting until every file is in a blob");
            rig.flush();
        }
        var seconds = (written.nanos() + System.nanoTime() - waitingSince) / 1e9;
        var read = load(rig, "reading /" + prefix + " through the other worker", spec.readBack());
        var verified = read.files() - read.mismatches();
        return Side.of(written.files(), seconds, rig.requests(prefix).since(before), prices, verified);
    }

    private LoadResult load(Rig rig, String what, LoadSpec spec) throws IOException, InterruptedException {
        narrator.accept(what);
        try (var bar = narrator.bar(what, spec.files())) {
            var result = rig.alluxio().load(spec, bar::stepTo);
            if (!result.isClean()) {
                throw new IOException("%s: %d of %d files failed; first: %s"
                        .formatted(what, result.failures() + result.mismatches(), spec.files(), result.firstError()));
            }
            return result;
        }
    }

    private static void deleteTree(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
