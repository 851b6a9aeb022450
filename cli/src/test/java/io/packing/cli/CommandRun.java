// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A run of the command in this JVM: what it printed, and its exit code. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... words) {
        return of(System.getenv(), words);
    }

    /** Runs the command with another environment for mounts and contexts. */
    static CommandRun of(Map<String, String> environment, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandFor(environment, words)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new CommandRun(code, out.toString(), err.toString());
    }
}
