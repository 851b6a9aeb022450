// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.suite.Experiments;
import io.packing.lab.totalcow.OverwriteExperiment;
import io.packing.lab.totalcow.PageCacheOverwrites;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares ways of overwriting a part of a file that others share. */
@Command(
        name = "overwrite",
        description = {
            "Overwrites the first bytes of clones of large files: by a vector that redirects them, and by a copy of the whole file "
                    + "(TotalCOW, section 3.2).",
            "Prints milliseconds, and the bytes by which the store grew. With --page-cache also which pages the kernel keeps after an overwrite of"
                    + " a clone on a mount for the kernel, of a file of overlayfs, and of a whole copy."
        })
final class OverwriteCommand implements Callable<Integer> {
    @Option(
            names = "--sizes",
            split = ",",
            converter = ByteSize.class,
            defaultValue = "2MB,16MB,128MB,1GB",
            description = "Sizes of files and of overwrites (default: ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Turns of each way; milliseconds are medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--page-cache",
            description = "Measure the kernel's page cache, too: needs root, /dev/fuse, and overlayfs.")
    private boolean pageCache;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        Map<String, String> options = new HashMap<>(OverwriteExperiment.MOUNT_OPTIONS);
        options.putAll(mount.resolve());
        List<Long> ascending = sizes.stream().sorted().toList();
        OverwriteExperiment experiment = new OverwriteExperiment(ascending, rounds, narrator);
        if (pageCache) {
            PageCacheOverwrites.check();
        }
        out.prepare();
        Experiments experiments = new Experiments(Checkout.find(), narrator);
        OverwriteExperiment.Result result = experiments.onDirectory(experiment::run, options);
        if (pageCache) {
            result = result.with(experiments.pageCache(new PageCacheOverwrites(ascending, rounds, narrator), options));
        }
        out.write("overwrite", result, result::draw);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
