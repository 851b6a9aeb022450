// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtOptions;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.encryption.Keystore;
import io.packing.operations.gc.GcPlan;
import io.packing.options.Options;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what collection would do. */
@Command(
        name = "gc",
        description = {
            "Tells which blobs the next pass of collection deletes, and why it keeps others.",
            "The master collects by itself, every packing.gc.interval."
        })
final class GcCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Mixin
    private Report report = new Report();

    @Option(names = "--dry-run", required = true, description = "Change nothing; there is no other way yet.")
    private boolean dryRun;

    @Override
    public Integer call() throws IOException {
        if (!dryRun) {
            throw new IllegalArgumentException("the BDT master collects by itself: --dry-run tells what it would do");
        }
        target.mount(mount);
        double compactBelow = Options.check(target.options(), "packing.", MountOptions.OPTIONS)
                .get(BdtOptions.GC_COMPACT_BELOW);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options());
                ObjectStore store = PlacedStores.open(bdt, MountOptions.from(target.options()), ObjectStores::open);
                Keystore keystore =
                        MountOptions.from(target.options()).encryption().open()) {
            GcPlan plan;
            try (ProgressBar bar = new Narrator(report.isJson())
                    .bar("looking at files", bdt.statistics().files())) {
                plan = GcPlan.of(bdt, store, keystore, compactBelow, bar::stepBy);
            }
            report.print(plan, out -> print(plan, out));
        }
        return ExitCodes.OK;
    }

    private static void print(GcPlan plan, PrintWriter out) {
        plan.go().forEach(each -> out.printf("goes   %,15d %s: %s%n", each.bytes(), each.blob(), each.detail()));
        plan.stay()
                .forEach(each -> out.printf(
                        "stays  %,15d %s: %s: %s%n", each.bytes(), each.blob(), each.reason(), each.detail()));
        out.printf(
                "%,d blobs of %,d bytes would go, %,d would stay, %,d blobs of %,d bytes are needed%n",
                plan.go().size(), plan.goBytes(), plan.stay().size(), plan.liveBlobs(), plan.liveBlobBytes());
    }
}
