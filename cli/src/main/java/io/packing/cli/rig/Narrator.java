package io.packing.cli.rig;

import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Says on standard error what happens meanwhile.
 *
 * @param quiet says nothing: a program listens
 */
public record Narrator(boolean quiet) implements Consumer<String> {
    @Override
    public void accept(String what) {
        if (!quiet) {
            System.err.println("packing: " + what);
        }
    }

    /** A bar that shows how far a task of so many steps is; invisible where nobody looks at a terminal. */
    public ProgressBar bar(String task, long steps) {
        var builder = new ProgressBarBuilder().setTaskName(task).setInitialMax(steps);
        if (quiet || !watched()) {
            builder.setConsumer(new Silent());
        }
        return builder.build();
    }

    /** Whether somebody looks at a terminal. */
    // From JDK 22 on a console may be no terminal; then a bar in a log file is all the harm.
    @SuppressWarnings("SystemConsoleNull")
    public boolean watched() {
        return System.console() != null;
    }
}
