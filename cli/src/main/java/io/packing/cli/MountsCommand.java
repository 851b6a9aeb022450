package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.operate.MountReport;
import io.packing.cli.rig.Home;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells how the mounts of a master are. */
@Command(
        name = "mounts",
        description = {
            "Tells of each mount that a BDT master has open: files, blobs, bytes, what waits for the store and for how"
                    + " long, workers, requests and what they cost.",
            "Requests are those of the master since it opened the mount, and of workers as far as they told them since"
                    + " then. Exit code 1 when a mount has a problem."
        })
final class MountsCommand implements Callable<Integer> {
    @Mixin
    private OperatorTarget target = new OperatorTarget();

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        PriceTable table = prices.read(Home.find());
        try (GrpcBdts bdts = target.connect()) {
            List<MountReport> mounts = bdts.operations().mounts().stream()
                    .map(status -> MountReport.of(status, table))
                    .toList();
            report.print(mounts, out -> {
                if (mounts.isEmpty()) {
                    out.println("no mount is open: a master opens one when the first client or worker asks for it");
                }
                mounts.forEach(mount -> mount.print(out));
            });
            return mounts.stream().allMatch(mount -> mount.problem().isEmpty()) ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }
}
