// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ScanPart;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.operations.walk.ScanPages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that limits names and bytes of directories. */
@Command(
        name = "quota",
        description = {
            "Limits how many names and bytes a directory may have, with all below it.",
            "The directory itself is one of the names. Clones count as copies.",
            "What is there stays; what would add more is refused."
        })
final class QuotaCommand {
    /** A quota, as printed. */
    record Shown(
            String path,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long mostNames,

            long names,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long mostBytes,

            long bytes) {
        static Shown of(FilePath path, Quota quota) {
            return new Shown(
                    path.value(),
                    quota.mostNames().isPresent() ? quota.mostNames().getAsLong() : null,
                    quota.names(),
                    quota.mostBytes().isPresent() ? quota.mostBytes().getAsLong() : null,
                    quota.bytes());
        }

        String line() {
            return "%s: %,d names of %s, %,d bytes of %s"
                    .formatted(path, names, limit(mostNames), bytes, limit(mostBytes));
        }

        private static String limit(@Nullable Long most) {
            return most == null ? "any number" : "at most %,d".formatted(most);
        }
    }

    @Command(
            name = "set",
            description = {
                "Sets the limits of a directory, and counts what it has. A limit that is not given stays.",
                "Only superusers may. It ends when all is counted; changes of the mount do not wait for that."
            })
    int set(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(names = "--names", paramLabel = "COUNT", description = "At most so many files and directories.")
                    Optional<Long> names,
            @Option(
                            names = "--bytes",
                            paramLabel = "SIZE",
                            converter = ByteSize.class,
                            description = "At most so many bytes, such as 500GB.")
                    Optional<Long> bytes,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        if (names.filter(count -> count < 1).isPresent()) {
            throw new IllegalArgumentException("--names must be at least 1: the directory itself is one");
        }
        return change(target, report, directory, new QuotaChange(optional(names), optional(bytes)));
    }

    private static OptionalLong optional(Optional<Long> limit) {
        return limit.isPresent() ? OptionalLong.of(limit.get()) : OptionalLong.empty();
    }

    @Command(name = "clear", description = "Takes both limits of a directory away. Only superusers may.")
    int clear(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        return change(target, report, directory, QuotaChange.CLEAR);
    }

    @Command(name = "show", description = "Prints the limits of a directory, and what counts.")
    int show(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        FilePath path = target.path(directory);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            print(report, bdt, path);
        }
        return ExitCodes.OK;
    }

    @Command(name = "list", description = "Prints the quotas of all directories. Only superusers may.")
    int list(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
                    Optional<String> mount)
            throws IOException {
        target.mount(mount);
        List<Shown> all = new ArrayList<>();
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            ScanPages.visit(
                    bdt,
                    ScanPart.QUOTAS,
                    page -> page.quotas().forEach(each -> all.add(Shown.of(each.directory(), each.quota()))));
        }
        report.print(all, out -> all.forEach(each -> out.println(each.line())));
        return ExitCodes.OK;
    }

    private static int change(MasterTarget target, Report report, String directory, QuotaChange change)
            throws IOException {
        FilePath path = target.path(directory);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            Outcome outcome = bdt.setQuota(path, change);
            switch (outcome) {
                case DONE -> print(report, bdt, path);
                case NOT_FOUND -> throw new FileNotFoundException(directory + ": no such directory");
                case NOT_A_DIRECTORY -> throw new NotDirectoryException(directory);
                default -> throw new IOException("%s: the quota was not changed: %s".formatted(directory, outcome));
            }
        }
        return ExitCodes.OK;
    }

    private static void print(Report report, Bdt bdt, FilePath path) throws IOException {
        Optional<Quota> quota = bdt.quota(path);
        if (quota.isPresent()) {
            Shown shown = Shown.of(path, quota.get());
            report.print(shown, out -> out.println(shown.line()));
            return;
        }
        FileStatus there = bdt.stat(path).orElseThrow(() -> new FileNotFoundException(path + ": no such directory"));
        if (!there.isDirectory()) {
            throw new NotDirectoryException(path.value());
        }
        report.print(Optional.empty(), out -> out.printf("%s: no quota%n", path));
    }
}
