// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.launch.Narrator;
import io.packing.lab.load.RunProgress;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** One bar for a whole run on a terminal; other outputs get a line for each part of the run. */
final class DemoBar implements RunProgress, AutoCloseable {
    private final Narrator narrator;
    private final ProgressBar bar;

    /**
     * Starts the bar.
     *
     * @param files that all parts of the run handle
     */
    DemoBar(Narrator narrator, long files) {
        this.narrator = narrator;
        // The time goes on also while servers start, so that the bar never looks dead.
        bar = narrator.drawsBars()
                ? new ProgressBarBuilder()
                        .setTaskName("demo")
                        .setInitialMax(files)
                        .hideEta()
                        .continuousUpdate()
                        .build()
                : narrator.bar("demo", files);
    }

    @Override
    public void accept(String part) {
        if (narrator.drawsBars()) {
            bar.setExtraMessage(part);
        } else {
            narrator.accept(part);
        }
    }

    @Override
    public Files begins(String part, long files) {
        accept(part);
        return new Files() {
            @Override
            public void stepBy(long more) {
                bar.stepBy(more);
            }

            @Override
            public void close() {
                // The bar is that of the whole run.
            }
        };
    }

    @Override
    public void close() {
        bar.close();
    }
}
