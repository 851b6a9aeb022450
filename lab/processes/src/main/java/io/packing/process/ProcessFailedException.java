// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A child process ended or never became ready. The message ends with the last lines of its log. */
public final class ProcessFailedException extends IOException {
    private static final long serialVersionUID = 1;

    ProcessFailedException(String name, String what, Path log, List<String> tail) {
        super("%s %s; the end of %s:%n  %s"
                .formatted(name, what, log, String.join(System.lineSeparator() + "  ", tail)));
    }
}
