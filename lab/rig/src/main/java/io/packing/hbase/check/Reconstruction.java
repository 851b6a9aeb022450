// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A reconstruction of a file system's files from its clients' trace.
 *
 * <p>A write belongs to its stream, and a stream to the file of the call that opened it. A renamed file keeps its
 * identity. So the order of writes does not matter. Calls that change names apply in the order of their starts.
 *
 * <p>Confined to one thread. Memory grows with files and calls that change names, not with writes.
 */
public final class Reconstruction {
    /** Calls that change lengths in ways that this class does not follow. HBase and MapReduce do not make them. */
    private static final Set<Call> NOT_FOLLOWED = EnumSet.of(
            Call.CONCAT,
            Call.TRUNCATE,
            Call.HARD_LINK,
            Call.CREATE_SYMLINK,
            Call.COPY_FROM_LOCAL,
            Call.BULK_DELETE,
            Call.UNKNOWN);

    private record Stream(TraceOrigin process, long number) {}

    private final Map<Stream, WrittenBytes> writes = new HashMap<>();
    private final List<TraceEvent> names = new ArrayList<>();
    private final Set<String> notFollowed = new TreeSet<>();

    private Reconstruction() {}

    /** Reads a trace to its end. */
    public static Reconstruction of(TraceSource trace) throws IOException {
        Reconstruction reconstruction = new Reconstruction();
        for (Optional<TraceEvent> event = trace.next(); event.isPresent(); event = trace.next()) {
            reconstruction.add(event.get());
        }
        return reconstruction;
    }

    private void add(TraceEvent event) {
        if (event.failed()) {
            return;
        }
        if (event.call().writes()) {
            writes.computeIfAbsent(stream(event), stream -> new WrittenBytes()).add(event.offset(), event.end());
        } else if (changesNames(event.call())) {
            names.add(event);
        } else if (NOT_FOLLOWED.contains(event.call())) {
            notFollowed.add(event.call().label());
        }
    }

    private static Stream stream(TraceEvent event) {
        return new Stream(event.origin(), event.stream());
    }

    private static boolean changesNames(Call call) {
        return switch (call) {
            case CREATE,
                    CREATE_FILE,
                    CREATE_NON_RECURSIVE,
                    CREATE_FAVORED_NODES,
                    APPEND,
                    APPEND_FILE,
                    RENAME,
                    DELETE,
                    MKDIRS -> true;
            default -> false;
        };
    }

    /** Compares the reconstruction with the actual files. */
    public Completeness compare(FileLengths actual) {
        TracedTree namespace = new TracedTree();
        Map<Stream, WrittenBytes> unopened = new HashMap<>(writes);
        names.stream()
                .sorted(Comparator.comparingLong(TraceEvent::wallNanos))
                .forEach(event -> apply(event, namespace, unopened));
        return Completeness.of(namespace.files(), actual, unopened.size(), notFollowed);
    }

    private void apply(TraceEvent event, TracedTree namespace, Map<Stream, WrittenBytes> unopened) {
        String path = event.path();
        // rename and delete may refuse without an exception.
        boolean refused = event.result() == 0;
        switch (event.call()) {
            case MKDIRS -> namespace.addFolder(path);
            case RENAME -> {
                if (!refused) {
                    namespace.rename(path, event.target());
                }
            }
            case DELETE -> {
                if (!refused) {
                    namespace.delete(path);
                }
            }
            case APPEND, APPEND_FILE ->
                opened(event, namespace.file(path).orElseGet(() -> namespace.create(path)), unopened);
            default -> opened(event, namespace.create(path), unopened);
        }
    }

    private void opened(TraceEvent event, WrittenBytes file, Map<Stream, WrittenBytes> unopened) {
        WrittenBytes written = unopened.remove(stream(event));
        if (written != null) {
            file.addAll(written);
        }
    }
}
