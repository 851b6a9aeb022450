// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import java.nio.file.Path;

/** A file of the mount's log, named by the position of its first entry. */
record LogSegment(long firstPosition, Path file) {
    static final String SUFFIX = ".log";

    static String fileName(long firstPosition) {
        return "%019d%s".formatted(firstPosition, SUFFIX);
    }

    static boolean isSegment(Path file) {
        return file.getFileName().toString().matches("[0-9]{19}\\" + SUFFIX);
    }

    static LogSegment of(Path file) {
        String name = file.getFileName().toString();
        return new LogSegment(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
    }
}
