// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.launch;

import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Says on standard error what happens meanwhile.
 *
 * @param quiet says nothing: a program listens
 */
public record Narrator(boolean quiet) implements Consumer<String> {
    /** The property by which the launcher names the kind of standard error. */
    private static final String STANDARD_ERROR = "packing.stderr";

    @Override
    public void accept(String what) {
        if (!quiet) {
            System.err.println("packing: " + what);
        }
    }

    /** Returns a bar that shows the progress of a task in steps; it is invisible without a terminal. */
    public ProgressBar bar(String task, long steps) {
        ProgressBarBuilder builder = new ProgressBarBuilder().setTaskName(task).setInitialMax(steps);
        if (!drawsBars()) {
            builder.setConsumer(new Silent());
        }
        return builder.build();
    }

    /** Returns whether bars are visible. */
    public boolean drawsBars() {
        return !quiet && watched();
    }

    /** Returns whether standard error is a terminal. A JVM cannot know, its launcher can. */
    public boolean watched() {
        return "terminal".equals(System.getProperty(STANDARD_ERROR));
    }
}
