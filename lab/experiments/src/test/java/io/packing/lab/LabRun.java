// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/** A run of the laboratory's command in this JVM: what it printed, and its exit code. */
record LabRun(int exitCode, String out, String err) {
    private static final String HOME = "packing.home";

    static LabRun of(String... words) {
        if (System.getProperty(HOME) == null) {
            // As bin/lab does, whichever class runs first.
            System.setProperty(
                    HOME, Path.of("../..").toAbsolutePath().normalize().toString());
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LabCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new LabRun(code, out.toString(), err.toString());
    }
}
