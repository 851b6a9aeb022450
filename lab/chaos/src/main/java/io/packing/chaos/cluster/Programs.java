package io.packing.chaos.cluster;

import java.io.IOException;

/** Programs of the machine. */
final class Programs {
    private Programs() {}

    /** Whether a program is there and does what it is told. */
    static boolean succeeds(String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no such program.
            return false;
        }
    }
}
