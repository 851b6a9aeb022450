// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;

final class ProgramCheck {
    private ProgramCheck() {}

    /** Runs a program, and returns whether it exists and succeeds. */
    static boolean succeeds(String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // The machine does not have the program.
            return false;
        }
    }
}
