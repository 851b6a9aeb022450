package io.packing.bdt.master;

import io.packing.bdt.DirectoryStatistics;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What a master says of its mounts to operators: figures in Prometheus' text form, and which mounts take no mutations. */
record MasterStatus(Supplier<Collection<Mount>> mounts, RequestCounts requests) {
    /** Why the master does not do its work, if it does not. */
    Optional<String> problem() {
        String stopped = mounts.get().stream()
                .filter(mount -> !mount.table().writer().isTaking())
                .map(Mount::id)
                .collect(Collectors.joining(", "));
        return stopped.isEmpty() ? Optional.empty() : Optional.of("mounts that take no mutations: " + stopped);
    }

    String metrics() {
        StringBuilder text = new StringBuilder();
        for (Mount mount : mounts.get()) {
            DirectoryStatistics s = mount.table().statistics();
            gauge(text, "files", mount, s.files());
            gauge(text, "directories", mount, s.directories());
            gauge(text, "buffered_files", mount, s.bufferedFiles());
            gauge(text, "packed_bytes", mount, s.packedBytes());
            gauge(text, "blobs", mount, s.blobs());
            gauge(text, "blob_bytes", mount, s.blobBytes());
            gauge(text, "dead_bytes", mount, s.deadBytes());
            gauge(text, "log_position", mount, mount.table().position());
            gauge(text, "live_workers", mount, mount.table().workers().size());
        }
        requests.received().forEach((method, count) -> line(text, "requests_total", "method", method, count));
        Runtime runtime = Runtime.getRuntime();
        return text.append("bdt_heap_used_bytes ")
                .append(runtime.totalMemory() - runtime.freeMemory())
                .append('\n')
                .toString();
    }

    private static void gauge(StringBuilder text, String name, Mount mount, long value) {
        line(text, name, "mount", mount.id(), value);
    }

    private static void line(StringBuilder text, String name, String label, String of, long value) {
        text.append("bdt_")
                .append(name)
                .append('{')
                .append(label)
                .append("=\"")
                .append(of)
                .append("\"} ")
                .append(value)
                .append('\n');
    }
}
