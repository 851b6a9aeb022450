// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.operations.dump.Dump;
import io.packing.operations.dump.DumpHeader;
import io.packing.operations.dump.DumpSummary;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the table of a mount as text. */
@Command(
        name = "dump",
        description = {
            "Writes attributes of all files and directories, and where their bytes are, one JSON object a line. "
                    + "docs/operations.md has the format.",
            "Flush the mount first: files that are not in the store have no bytes to name.",
            "A mount in use changes meanwhile: dump a snapshot for one moment, --path DIRECTORY/.snapshot/NAME."
        })
final class DumpCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            defaultValue = "/",
            description = "What is dumped, with all below it, below the path of MOUNT (default: ${DEFAULT-VALUE}).")
    private String path = "";

    @Parameters(
            paramLabel = "[MOUNT] FILE",
            arity = "1..2",
            hideParamSyntax = true,
            description = "The mount, or a directory of it, as " + MountUri.FORM
                    + "; then where the dump goes: a file, which appears when the dump is whole; - is standard output, and"
                    + " the result goes to standard error then.")
    private List<String> words = List.of();

    /** A dump's summary and duration. */
    record Dumped(@JsonUnwrapped DumpSummary summary, double seconds) {
        String text() {
            return "%,d files of %,d bytes and %,d directories in %.1f s"
                    .formatted(summary.files(), summary.bytes(), summary.directories(), seconds);
        }
    }

    @Override
    public Integer call() throws IOException {
        String file = target.operands(words, 1, "FILE").get(0);
        Map<String, String> options = target.options();
        DumpHeader header = new DumpHeader(
                target.below(path),
                MountOptions.from(options).store().location().text(),
                Clock.systemUTC().instant().toString());
        long start = System.nanoTime();
        DumpSummary summary;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(options)) {
            if (file.equals("-")) {
                summary = dump(bdt, header, System.out);
                System.out.flush();
            } else {
                summary = toFile(bdt, header, Path.of(file));
            }
        }
        Dumped dumped = new Dumped(summary, (System.nanoTime() - start) / 1e9);
        if (summary.unpacked() > 0) {
            report.err()
                    .printf(
                            "packing: %,d files are not in the store, and cannot be loaded from this dump elsewhere: flush the"
                                    + " mount and dump it again%n",
                            summary.unpacked());
            report.err().flush();
        }
        if (file.equals("-")) {
            report.err().println(dumped.text());
            report.err().flush();
        } else {
            report.print(dumped, out -> out.println(dumped.text()));
        }
        return ExitCodes.OK;
    }

    private DumpSummary toFile(Bdt bdt, DumpHeader header, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        try {
            DumpSummary summary;
            try (OutputStream out = Files.newOutputStream(part)) {
                summary = dump(bdt, header, out);
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return summary;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private DumpSummary dump(Bdt bdt, DumpHeader header, OutputStream out) throws IOException {
        Narrator narrator = new Narrator(report.isJson());
        try (ProgressBar bar = narrator.bar("dumping files", bdt.statistics().files())) {
            return Dump.run(bdt, header, out, bar::stepBy);
        }
    }
}
