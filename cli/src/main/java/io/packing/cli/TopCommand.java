// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Home;
import io.packing.cli.operate.MasterActivity;
import io.packing.cli.operate.MountReport;
import io.packing.options.Parsers;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what happens in the mounts of a master. */
@Command(
        name = "top",
        description = {
            "Shows again and again, for the mounts of a master, pushed files and bytes, what waits and for how "
                    + "long, PUTs and their cost a day.",
            "With --json each look is one line."
        })
final class TopCommand implements Callable<Integer> {
    /** More looks would keep a master from its work. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private static final String CLEAR = "\033[H\033[2J";

    @Mixin
    private OperatorTarget target = new OperatorTarget();

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "2s",
            description = "How long from one look to the next (default: ${DEFAULT-VALUE}).")
    private String every = "";

    @Option(names = "--count", defaultValue = "0", description = "How many looks; 0: until it is ended.")
    private int count;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        target.mount(mount);
        Duration pause = Parsers.duration(every);
        if (pause.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "--every %s: the shortest time from one look to the next is 10ms".formatted(every));
        }
        if (count < 0) {
            throw new IllegalArgumentException("--count %d: expected 0 or more looks".formatted(count));
        }
        PriceTable table = prices.read(Home.find());
        CountDownLatch never = new CountDownLatch(1);
        try (GrpcBdts bdts = target.connect()) {
            List<MountReport> before = List.of();
            long at = System.nanoTime();
            for (int look = 0; count == 0 || look < count; look++) {
                if (look > 0) {
                    boolean unused = never.await(pause.toNanos(), TimeUnit.NANOSECONDS);
                }
                List<MountReport> now = bdts.operations().mounts().stream()
                        .map(status -> MountReport.of(status, table))
                        .toList();
                long then = at;
                at = System.nanoTime();
                show(MasterActivity.between(before, now, look == 0 ? 0 : (at - then) / 1e9));
                before = now;
            }
        }
        return ExitCodes.OK;
    }

    private void show(MasterActivity activity) {
        report.printLine(activity, out -> {
            // A JVM cannot know, its launcher can.
            if ("terminal".equals(System.getProperty("packing.stdout"))) {
                report.out().print(CLEAR);
            }
            print(activity, out);
        });
    }

    private static void print(MasterActivity activity, PrintWriter out) {
        if (activity.mounts().isEmpty()) {
            out.println("no mount is open");
        } else {
            activity.print(out);
        }
    }
}
