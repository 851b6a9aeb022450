// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The state that the first process of a recording inherits.
 *
 * @param directory its current directory; empty if unknown
 * @param open its open descriptors
 */
record InheritedState(String directory, List<Open> open) {
    static final InheritedState NOTHING = new InheritedState("", List.of());

    private static final Path SELF = Path.of("/proc/self");
    private static final int STANDARD_DESCRIPTORS = 3;
    private static final int APPEND = 02000;

    /** A descriptor: its target, the position in it, and whether it appends. */
    record Open(int descriptor, DescriptorName name, long position, boolean append) {}

    InheritedState {
        open = List.copyOf(open);
    }

    /** Returns the state of a command that inherits standard input, output and error of this process. */
    static InheritedState ofThisProcess(String directory) {
        return of(SELF, directory);
    }

    /** Returns the state of a process that has not begun with its command. */
    static InheritedState of(Path process, String directory) {
        List<Open> open = new ArrayList<>();
        for (int descriptor = 0; descriptor < STANDARD_DESCRIPTORS; descriptor++) {
            try {
                open.add(read(process, descriptor));
            } catch (IOException e) {
                // The descriptor is closed, or this machine has no /proc: the backend's names will do.
            }
        }
        return new InheritedState(directory, open);
    }

    private static Open read(Path process, int descriptor) throws IOException {
        String name =
                Files.readSymbolicLink(process.resolve("fd/" + descriptor)).toString();
        long position = TraceEvent.NONE;
        boolean append = false;
        for (String line : Files.readAllLines(process.resolve("fdinfo/" + descriptor))) {
            if (line.startsWith("pos:")) {
                position = Long.parseLong(line.substring(4).strip());
            } else if (line.startsWith("flags:")) {
                append = (Integer.parseInt(line.substring(6).strip(), 8) & APPEND) != 0;
            }
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new Open(descriptor, new DescriptorName(PathText.of(bytes, bytes.length), false), position, append);
    }

    /** Returns the descriptors of the first process. */
    DescriptorTable descriptors(Recording recording) {
        DescriptorTable table = new DescriptorTable();
        for (Open one : open) {
            table.put(one.descriptor(), opened(one, recording), false);
        }
        return table;
    }

    private static OpenFile opened(Open one, Recording recording) {
        if (!one.name().isFile()) {
            return OpenFile.elsewhere(one.name());
        }
        TracedFile file = recording.tree().at(one.name().text());
        if (Handlers.isDevice(one.name().text())) {
            file.kind(InitialState.Kind.OTHER);
        }
        return recording.open(file, one.name().text(), one.append(), one.position());
    }
}
