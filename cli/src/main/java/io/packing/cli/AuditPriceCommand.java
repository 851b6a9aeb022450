// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Home;
import io.packing.cli.launch.Narrator;
import io.packing.options.PriceTable;
import io.packing.sim.bill.AccessLog;
import io.packing.sim.bill.BillPrediction;
import io.packing.sim.bill.BilledRequests;
import io.packing.sim.bill.DirectoryBill;
import io.packing.sim.bill.LogBill;
import io.packing.sim.bill.MountOpening;
import io.packing.sim.bill.OptionSearch;
import io.packing.sim.bill.PriceAudit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that holds the prediction of a bill against the requests of the store and the mount. */
@Command(
        name = "audit-price",
        description = {
            "Holds the requests and dollars that an estimate or a simulation predicted against those that a mount's meter or the store's "
                    + "access log counted, with a row for each directory.",
            "With --trace alone it searches the options of a mount that cost least; with --measure, too, it plays the trace with them and holds "
                    + "the prediction against the play.",
            "Exit code 1 when a number that is judged, PUTs or dollars, is further off than the tolerance."
        })
final class AuditPriceCommand implements Callable<Integer> {
    private static final double PERCENT = 100;
    private static final double USUAL_TOLERANCE = 1;
    private static final double MEASURED_TOLERANCE = 10;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Parameters(
            paramLabel = MastersArgument.MOUNT_LABEL,
            arity = "0..1",
            description = MastersArgument.MOUNT + " Its meter is read unless only --access-log or --trace is given.")
    private Optional<String> mount = Optional.empty();

    @Option(
            names = "--access-log",
            paramLabel = "PATH",
            description =
                    "A file or a directory of the store's log of requests, in the format of Amazon S3; .gz is unpacked. May be "
                            + "repeated.")
    private List<Path> logs = List.of();

    @Option(names = "--bucket", description = "Read the lines of this bucket only.")
    private Optional<String> bucket = Optional.empty();

    @Option(
            names = "--prefix",
            defaultValue = "",
            description = "Read the lines of keys and listings with this prefix only.")
    private String prefix = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = PastTime.Converter.class,
            description = "Read the lines from this time on, such as 2026-11-30T20:00:00Z or '2h ago'.")
    private Optional<PastTime> since = Optional.empty();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = PastTime.Converter.class,
            description = "Read the lines before this time only.")
    private Optional<PastTime> until = Optional.empty();

    @Option(
            names = "--before",
            paramLabel = "FILE",
            description = "What packing mounts --json printed at the begin: the mount's requests since then count.")
    private Optional<Path> before = Optional.empty();

    @Mixin
    private PredictedBill predicted = new PredictedBill();

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Option(
            names = "--writes-only",
            description = "Leave reads out of the dollars: an estimate knows the requests of writes only.")
    private boolean writesOnly;

    @Mixin
    private MeasureArgument measure = new MeasureArgument();

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            description = "The largest deviation (default: 1; with --measure: 10).")
    private Optional<Double> tolerance = Optional.empty();

    @Option(
            names = "--depth",
            defaultValue = "1",
            description = "Names of a path that make a directory of the report (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        if (tolerance.filter(percent -> !(percent >= 0)).isPresent() || depth < 0) {
            throw new IllegalArgumentException("--tolerance and --depth: not below 0");
        }
        PriceTable table = prices.read(Home.find());
        if (measure.isWanted()) {
            return measured(table);
        }
        Optional<BillPrediction> prediction = predicted.read(table);
        Optional<OptionSearch> search = predicted.isTrace() ? Optional.of(predicted.search(table)) : Optional.empty();
        if (search.isPresent()) {
            prediction = Optional.of(
                    predicted.simulated(table, search.get().recommended()).bill());
        }
        Optional<LogBill> log = logs.isEmpty() ? Optional.empty() : Optional.of(LogBill.read(logs, part(), depth));
        Optional<MeteredMount> meter = Optional.empty();
        if (mount.isPresent() || (logs.isEmpty() && !predicted.isTrace())) {
            target.mount(mount);
            meter = Optional.of(MeteredMount.read(target, before, depth));
        }
        if (!predicted.isDirect() && before.isEmpty() && since.isEmpty()) {
            prediction = prediction.map(bill -> MountOpening.with(bill, table));
        }
        Optional<BillPrediction> packed =
                search.isPresent() ? search.map(found -> found.recommended().bill()) : predicted.packed(table);
        List<DirectoryBill> directories = directories(table, packed, counted(log, meter), log, meter);
        PriceFindings findings = new PriceFindings(
                sections(table, prediction, log, meter), directories, search, log.map(LogBill::log), Map.of());
        if (findings.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to hold the log against: name a mount, or a prediction by --estimate, --files or --trace");
        }
        report.print(findings.json(), findings::print);
        return findings.isWithin() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int measured(PriceTable table) throws IOException {
        if (!predicted.isTrace() || mount.isPresent() || !logs.isEmpty()) {
            throw new IllegalArgumentException("--measure: needs --trace, and neither a mount nor --access-log");
        }
        predicted.checkOneWorker();
        PriceFindings findings = new MeasuredPrice(
                        table, predicted, measure, target.given(), new Narrator(report.isJson()))
                .run(tolerance.orElse(MEASURED_TOLERANCE) / PERCENT);
        report.print(findings.json(), findings::print);
        return findings.isWithin() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private AccessLog.Part part() {
        Instant now = Clock.systemUTC().instant();
        return new AccessLog.Part(
                bucket, prefix, since.map(time -> time.before(now)), until.map(time -> time.before(now)));
    }

    /** Returns the requests that are held against a prediction: the store's own count, where it is given. */
    private static Optional<BilledRequests> counted(Optional<LogBill> log, Optional<MeteredMount> meter) {
        return log.map(LogBill::requests).or(() -> meter.map(MeteredMount::requests));
    }

    private List<PriceFindings.Section> sections(
            PriceTable table,
            Optional<BillPrediction> prediction,
            Optional<LogBill> log,
            Optional<MeteredMount> meter) {
        double share = tolerance.orElse(USUAL_TOLERANCE) / PERCENT;
        List<PriceFindings.Section> sections = new ArrayList<>();
        Optional<BilledRequests> counted = counted(log, meter);
        if (prediction.isPresent() && counted.isPresent()) {
            Optional<Double> bytes = log.map(bill -> (double) bill.storedBytes());
            sections.add(new PriceFindings.Section(
                    prediction.get().source() + " beside "
                            + (log.isPresent() ? "the store's log" : "the mount's meter"),
                    "predicted",
                    "counted",
                    PriceAudit.of(prediction.get(), counted.get(), bytes, table, writesOnly, share)));
        }
        if (log.isPresent() && meter.isPresent()) {
            sections.add(new PriceFindings.Section(
                    "the mount's meter beside the store's log",
                    "meter",
                    "log",
                    PriceAudit.ofCounts(meter.get().requests(), log.get().requests(), table, share)));
        }
        return sections;
    }

    /** Returns the rows of directories: of the mount, or of the keys of a log whose files are objects of their own. */
    private List<DirectoryBill> directories(
            PriceTable table,
            Optional<BillPrediction> packed,
            Optional<BilledRequests> counted,
            Optional<LogBill> log,
            Optional<MeteredMount> meter) {
        if (meter.isPresent()) {
            return meter.get().bills(table, counted.orElse(BilledRequests.NONE).dollars(table));
        }
        return log.isPresent() && predicted.isDirect()
                ? log.get().bills(table, packed.map(BillPrediction::dollars).orElse(Double.NaN))
                : List.of();
    }
}
