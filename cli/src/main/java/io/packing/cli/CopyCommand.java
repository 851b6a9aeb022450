// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Narrator;
import io.packing.operations.copy.CopyResult;
import io.packing.operations.copy.CopySpec;
import io.packing.operations.copy.TreeCopy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies trees from and to mounts. */
@Command(
        name = "copy",
        description = {
            "Copies a file or a tree.",
            "Source and target are each a mount (packing://HOST:PORT/path), a local directory, a bucket "
                    + "(s3://bucket/path, with --option packing.s3.endpoint=URL if not AWS's), HDFS (hdfs://HOST:PORT/path), "
                    + "or another file system of Hadoop's configuration.",
            "The same command goes on with a copy that was broken off: files of equal length and time are left "
                    + "alone. What could not be copied is listed (exit code 1)."
        })
final class CopyCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SOURCE", description = "The file or the tree.")
    private String source = "";

    @Parameters(
            index = "1",
            paramLabel = "TARGET",
            description = "The copy's own path, and not that of the directory above it.")
    private String target = "";

    @Option(
            names = "--threads",
            defaultValue = "16",
            description = "Files that are copied at once (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--overwrite", description = "Replace files that are there and differ.")
    private boolean overwrite;

    @Option(
            names = "--checksum",
            description =
                    "Compare bytes instead of times: of files that are there, and of each copy, which is read back.")
    private boolean checksum;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the mount, or any other key of Hadoop's configuration. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--source-option",
            paramLabel = "KEY=VALUE",
            description = "Such an option for the source alone, such as packing.s3.endpoint=URL. May be repeated.")
    private Map<String, String> sourceOptions = new LinkedHashMap<>();

    @Option(
            names = "--target-option",
            paramLabel = "KEY=VALUE",
            description = "Such an option for the target alone. May be repeated.")
    private Map<String, String> targetOptions = new LinkedHashMap<>();

    @Option(
            names = "--hadoop-conf",
            paramLabel = "FILE",
            description = "A file of Hadoop's configuration, such as core-site.xml. May be repeated.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        CopySpec spec = new CopySpec(
                CopySpec.place(source),
                CopySpec.place(target),
                threads,
                overwrite,
                checksum,
                MountTarget.withCredentials(options, System.getenv()),
                MountTarget.withCredentials(sourceOptions, Map.of()),
                MountTarget.withCredentials(targetOptions, Map.of()),
                files);
        CopyResult result;
        try (ProgressBar bar = new Narrator(report.isJson()).bar("copying files", -1)) {
            result = TreeCopy.run(
                    spec,
                    failure -> ExitCodes.of(failure) == ExitCodes.UNAVAILABLE,
                    new TreeCopy.Progress() {
                        @Override
                        public void found(long count) {
                            bar.maxHint(count);
                        }

                        @Override
                        public void done() {
                            bar.step();
                        }
                    },
                    System::nanoTime);
        }
        report.print(result, out -> print(result, out));
        return result.isWhole() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void print(CopyResult result, PrintWriter out) {
        result.refused().forEach(each -> out.printf("%s: %s%n", each.path(), each.why()));
        if (result.failed() > result.refused().size()) {
            out.printf("and %,d more%n", result.failed() - result.refused().size());
        }
        out.printf(
                "%,d files of %,d bytes copied in %.1f s, %,d were there, %,d could not be copied; %,d directories%n",
                result.files(),
                result.bytes(),
                result.seconds(),
                result.there(),
                result.failed(),
                result.directories());
    }
}
