// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.version.BuildVersion;
import java.util.Set;
import picocli.CommandLine.IVersionProvider;

/** The line about the version of the program. */
final class ProgramVersion implements IVersionProvider {
    /** The options that print the version, as picocli's standard options name them. */
    static final Set<String> FLAGS = Set.of("--version", "-V");

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    /** Returns the line that the command prints. */
    static String line() {
        return "packing " + BuildVersion.text();
    }
}
