package io.packing.cli;

import io.packing.cli.experiment.Experiments;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The paper's evaluation, on this machine. */
@Command(name = "experiment", description = "Runs the experiments of the paper's evaluation on this machine.")
final class ExperimentCommand {
    /** What every experiment is told of the mount. */
    static final class Mount {
        @Option(
                names = "--seal-after",
                defaultValue = "5s",
                description = "Age at which files are sealed (default: ${DEFAULT-VALUE}).")
        private String sealAfter = "";

        @Option(
                names = "--blob-max",
                defaultValue = "1GB",
                description = "Size at which a blob is sealed (default: ${DEFAULT-VALUE}).")
        private String blobMax = "";

        @Option(
                names = "--durability",
                defaultValue = "synced",
                description = "buffered, synced or uploaded (default: ${DEFAULT-VALUE}).")
        private String durability = "";

        @Option(names = "--option", paramLabel = "KEY=VALUE", description = "A further option of the mount.")
        private Map<String, String> options = new LinkedHashMap<>();

        Map<String, String> with(String policy) {
            var all = new LinkedHashMap<String, String>();
            all.put("packing.seal.after", sealAfter);
            all.put("packing.blob.max.bytes", blobMax);
            all.put("packing.durability", durability);
            all.put("packing.policy", policy);
            all.putAll(options);
            return all;
        }
    }

    @Command(
            name = "ingest",
            description = {
                "Writes small files through packing and as one object each, to the same S3 server (section 8, Table 1).",
                "Prints requests, dollars, seconds until durable, and the ratios."
            })
    int ingest(
            @Mixin Report report,
            @Mixin Mount mount,
            @Option(names = "--files", defaultValue = "131072", description = "Files (default: 1 GB of 8 KB files).")
                    long files,
            @Option(names = "--size", defaultValue = "8KB", description = "Size of each.") String size,
            @Option(names = "--clients", defaultValue = "32", description = "Concurrent clients.") int clients,
            @Option(
                            names = "--window",
                            defaultValue = "64",
                            description = "Files a client has under way at once on the packed side.")
                    int window,
            @Option(
                            names = "--direct-files",
                            defaultValue = "0",
                            description = "Files really written on the direct side; the rest is extrapolated. 0: all.")
                    long directFiles,
            @Option(
                            names = "--put-limit",
                            defaultValue = "0",
                            description = "PUT-class requests per second above which the server answers 503; 0: none.")
                    int putLimit,
            @Option(names = "--put-latency", defaultValue = "0ms", description = "Added to every PUT.")
                    String putLatency,
            @Option(names = "--workers", defaultValue = "1", description = "Packing workers.") int workers,
            @Option(names = "--policy", defaultValue = "fifo", description = "fifo, directory or size.") String policy,
            @Option(names = "--prices", defaultValue = "s3-standard", description = "A table of conf/prices.")
                    String prices)
            throws IOException, InterruptedException {
        var result = new Experiments(Home.find(), report.isJson())
                .ingest(
                        new Experiments.IngestSpec(
                                files,
                                bytes(size),
                                clients,
                                window,
                                directFiles == 0 ? files : Math.min(files, directFiles),
                                prices),
                        new Experiments.Server(putLimit, duration(putLatency), workers, mount.with(policy)));
        report.print(result.json(), result::print);
        return result.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    @Command(
            name = "read",
            description = "Writes one directory with the directory policy and reads it back cold: requests per file.")
    int read(
            @Mixin Report report,
            @Mixin Mount mount,
            @Option(names = "--files", defaultValue = "10000", description = "Files.") long files,
            @Option(names = "--size", defaultValue = "8KB", description = "Size of each.") String size,
            @Option(names = "--threads", defaultValue = "4", description = "Concurrent readers.") int threads,
            @Option(names = "--policy", defaultValue = "directory", description = "fifo, directory or size.")
                    String policy)
            throws IOException, InterruptedException {
        var result = new Experiments(Home.find(), report.isJson())
                .read(files, bytes(size), threads, new Experiments.Server(0, Duration.ZERO, 1, mount.with(policy)));
        report.print(result.json(), result::print);
        return result.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static int bytes(String size) {
        var bytes = io.packing.options.Parsers.bytes(size);
        if (bytes < 1 || bytes > 4 << 20) {
            throw new IllegalArgumentException("--size: from 1 byte to 4MB");
        }
        return (int) bytes;
    }

    private static Duration duration(String text) {
        return io.packing.options.Parsers.duration(text);
    }
}
