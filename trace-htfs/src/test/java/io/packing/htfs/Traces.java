// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;

/** The traces of a test, read back. */
final class Traces {
    private Traces() {}

    /** Returns the wrapper of any file system for the Hadoop of this test run. */
    static String anyFileSystem() {
        boolean bulk = Stream.of(FileSystem.class.getMethods())
                .anyMatch(method -> method.getName().equals("createBulkDelete"));
        return "io.packing.htfs." + (bulk ? "TracingFileSystem" : "Hadoop33TracingFileSystem");
    }

    /** Ends the trace of a directory, and returns all its events; fails if one is lost. */
    static List<TraceEvent> finish(Path directory) throws IOException {
        ProcessTracer.finish(directory);
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(directory))) {
            for (Optional<TraceEvent> next = files.next(); next.isPresent(); next = files.next()) {
                events.add(next.get());
            }
            assertThat(files.report().isWhole()).isTrue();
            assertThat(files.report().dropped()).isZero();
        }
        return events;
    }

    static List<TraceEvent> of(List<TraceEvent> events, Call... calls) {
        return events.stream()
                .filter(event -> List.of(calls).contains(event.call()))
                .toList();
    }
}
