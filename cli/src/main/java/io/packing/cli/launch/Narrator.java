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
    /** How the launcher says what standard error is. */
    private static final String STANDARD_ERROR = "packing.stderr";

    @Override
    public void accept(String what) {
        if (!quiet) {
            System.err.println("packing: " + what);
        }
    }

    /** A bar that shows how far a task of so many steps is; invisible where nobody looks at a terminal. */
    public ProgressBar bar(String task, long steps) {
        ProgressBarBuilder builder = new ProgressBarBuilder().setTaskName(task).setInitialMax(steps);
        if (quiet || !watched()) {
            builder.setConsumer(new Silent());
        }
        return builder.build();
    }

    /** Whether standard error is a terminal. A JVM cannot know, its launcher can. */
    public boolean watched() {
        return "terminal".equals(System.getProperty(STANDARD_ERROR));
    }
}
