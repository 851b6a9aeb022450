// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A run of the laboratory's command in this JVM: what it printed, and its exit code. */
record LabRun(int exitCode, String out, String err) {
    static LabRun of(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LabCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new LabRun(code, out.toString(), err.toString());
    }
}
