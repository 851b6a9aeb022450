// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.encryption.Keystore;
import io.packing.operations.fsck.Damage;
import io.packing.operations.fsck.DamageKind;
import io.packing.operations.fsck.DamageLog;
import io.packing.operations.fsck.Fsck;
import io.packing.operations.fsck.FsckOptions;
import io.packing.operations.fsck.FsckResult;
import io.packing.operations.fsck.Orphan;
import io.packing.operations.fsck.Repair;
import io.packing.options.Parsers;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Checks a mount. */
@Command(
        name = "fsck",
        description = {
            "Checks a mount that may be in use: every file against the blobs, the blobs' footers against the table,"
                    + " and the table against itself.",
            "Prints kind, path and blob of each damage. docs/operations.md explains the kinds.",
            "Exit code 4 for damage, also when it was repaired. Files below /lost+found are counted, and are no "
                    + "damage.",
            "Changes nothing without --repair."
        })
final class FsckCommand implements Callable<Integer> {
    private static final String NOBODY = "--repair asks before it changes anything, and nobody answers here: add --yes";

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Mixin
    private Report report = new Report();

    @Option(
            names = "--verify",
            arity = "0..1",
            fallbackValue = "100%",
            paramLabel = "SAMPLE",
            converter = Share.class,
            description =
                    "Also read blobs as a whole and check every byte: all of them, or a share such as 5%%, chosen anew "
                            + "each time.")
    private Optional<Double> verify = Optional.empty();

    @Option(
            names = "--adopted",
            arity = "0..1",
            fallbackValue = "9223372036854775807",
            paramLabel = "COUNT",
            description =
                    "Also ask the store, by a request each, if it has the objects of adopted files in their versions: for all "
                            + "of them, or for so many at most.")
    private long adopted;

    @Option(
            names = "--repair",
            description =
                    "List the repairs, ask, and do them: move files whose bytes are gone below /lost+found, clone those of "
                            + "snapshots there, delete blobs that no file needs, count wrong quotas anew.")
    private boolean repair;

    @Option(names = "--yes", description = "With --repair: do not ask.")
    private boolean yes;

    @Override
    public Integer call() throws IOException {
        if (yes && !repair) {
            throw new IllegalArgumentException("--yes is for --repair");
        }
        target.mount(mount);
        long start = System.nanoTime();
        Path scratch = Files.createTempDirectory("packing-fsck");
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options());
                ObjectStore store = PlacedStores.open(bdt, MountOptions.from(target.options()), ObjectStores::open);
                Keystore keystore =
                        MountOptions.from(target.options()).encryption().open();
                DamageLog log = new DamageLog(scratch)) {
            FsckOptions options = new FsckOptions(verify.orElse(0.0), start, keystore, adopted);
            Fsck fsck = new Fsck(bdt, store, scratch, options, log);
            FsckResult result = check(fsck, bdt);
            Repair.@Nullable Outcome repaired = null;
            double seconds = (System.nanoTime() - start) / 1e9;
            if (!report.isJson()) {
                print(report.text(), result, log, needless(fsck), seconds);
            }
            if (repair) {
                repaired = repair(new Repair(
                        bdt, store, log, fsck.orphans(), Clock.systemUTC().instant()));
            }
            if (report.isJson()) {
                printJson(result, log, needless(fsck), repaired, seconds);
            }
            report.out().flush();
            return log.isEmpty() ? ExitCodes.OK : ExitCodes.CORRUPT;
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    private FsckResult check(Fsck fsck, Bdt bdt) throws IOException {
        try (ProgressBar bar = new Narrator(report.isJson())
                .bar("checking files", bdt.statistics().files())) {
            return fsck.run(bar::stepBy);
        }
    }

    private static List<Orphan> needless(Fsck fsck) {
        return fsck.orphans().stream().filter(Orphan::isNeedless).toList();
    }

    private static void print(PrintWriter out, FsckResult result, DamageLog log, List<Orphan> needless, double seconds)
            throws IOException {
        log.forEach(each -> out.println(line(each)));
        for (Map.Entry<DamageKind, Long> each : log.counts().entrySet()) {
            out.printf(
                    "%,d %s: %s%n",
                    each.getValue(), each.getKey(), each.getKey().meaning());
        }
        if (log.setAside() > 0) {
            out.printf(
                    "%,d findings below /lost+found, where a repair has put files without bytes: delete these files"
                            + " when you have looked at their names%n",
                    log.setAside());
        }
        if (log.nameless() > 0) {
            out.printf(
                    "%,d lost contents that no path shows any more, kept by clones of directories: 'packing mounts accept' ends their alarm%n",
                    log.nameless());
        }
        if (!needless.isEmpty()) {
            out.printf(
                    "%,d blobs of %,d bytes that no file needs, from a push that ended without its worker: '--repair' deletes them%n",
                    needless.size(), needless.stream().mapToLong(Orphan::length).sum());
        }
        if (result.objects() > 0) {
            out.printf("%,d objects of adopted files were asked for%n", result.objects());
        }
        out.printf(
                "%,d files and %,d shared contents in %,d blobs, %,d of them read as a whole, in %.1f s: %s%n",
                result.files(),
                result.contents(),
                result.blobs(),
                result.verified(),
                seconds,
                log.isEmpty() ? "sound" : "damaged");
        out.flush();
    }

    private static String line(Damage damage) {
        String where = damage.path().isEmpty() ? damage.blob() : damage.path();
        String blob = damage.path().isEmpty() || damage.blob().isEmpty() ? "" : " in " + damage.blob();
        return "%s %s%s: %s".formatted(damage.kind(), where, blob, damage.detail());
    }

    /** As it is read: a mount may have millions of damaged files. */
    private void printJson(
            FsckResult result, DamageLog log, List<Orphan> needless, Repair.@Nullable Outcome repaired, double seconds)
            throws IOException {
        JsonGenerator json = new JsonFactory(Report.json())
                .createGenerator(report.out())
                .useDefaultPrettyPrinter()
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.writeStartObject();
        json.writeNumberField("files", result.files());
        json.writeNumberField("contents", result.contents());
        json.writeNumberField("blobs", result.blobs());
        json.writeNumberField("verified_blobs", result.verified());
        json.writeNumberField("adopted_objects", result.objects());
        json.writeArrayFieldStart("damage");
        log.forEach(json::writePOJO);
        json.writeEndArray();
        json.writeNumberField("lost_and_found", log.setAside());
        json.writeNumberField("nameless_losses", log.nameless());
        json.writeArrayFieldStart("needless_blobs");
        for (Orphan each : needless) {
            json.writeString(each.key());
        }
        json.writeEndArray();
        if (repaired != null) {
            json.writePOJOField("repaired", repaired);
        }
        json.writeNumberField("seconds", seconds);
        json.writeEndObject();
        json.flush();
        report.out().println();
    }

    private Repair.@Nullable Outcome repair(Repair mend) throws IOException {
        PrintWriter err = report.err();
        Repair.Outcome plan = mend.plan(what -> err.println("would " + what));
        err.printf(
                "%,d files would move below %s, %,d of snapshots would be cloned there, %,d blobs of %,d bytes would be"
                        + " deleted, %,d quotas would be counted anew; %,d other findings stay for you%n",
                plan.moved(),
                plan.lostAndFound(),
                plan.cloned(),
                plan.deleted(),
                plan.deletedBytes(),
                plan.counted(),
                plan.kept());
        err.flush();
        if (plan.isNothing() || !isWanted()) {
            return null;
        }
        Repair.Outcome done = mend.run(err::println);
        err.printf(
                "%,d files moved, %,d cloned, %,d blobs deleted, %,d quotas counted anew%n",
                done.moved(), done.cloned(), done.deleted(), done.counted());
        err.flush();
        return done;
    }

    private boolean isWanted() throws IOException {
        if (yes) {
            return true;
        }
        // Without a terminal, standard input is no operator's answer.
        if (!new Narrator(false).watched()) {
            throw new IllegalArgumentException(NOBODY);
        }
        report.err().print("Do this? [y/N] ");
        report.err().flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        if (answer == null) {
            throw new IllegalArgumentException(NOBODY);
        }
        return answer.strip().equalsIgnoreCase("y");
    }

    /** Reads a share: {@code 5%} or {@code 0.05}. */
    static final class Share implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return text.endsWith("%")
                        ? Parsers.share(Parsers.number(text.substring(0, text.length() - 1))
                                .movePointLeft(2)
                                .toPlainString())
                        : Parsers.share(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "'%s': want a share such as 5%% or 0.05 (%s)".formatted(text, e.getMessage()));
            }
        }
    }
}
