// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The timeline as a picture that can be zoomed: a script in the page draws an SVG from the numbers beside it. */
final class TimelinePicture {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private TimelinePicture() {}

    /** Returns the elements, numbers and script. */
    static String html(Timeline timeline) throws IOException {
        String script;
        try (InputStream in = Objects.requireNonNull(TimelinePicture.class.getResourceAsStream("timeline.js"))) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        // In a script element only its end tag has a meaning.
        String numbers = JSON.writeValueAsString(numbers(timeline)).replace("<", "\\u003c");
        return "<div id=timeline></div><script type=\"application/json\" id=timeline-data>%s</script><script>%s</script>"
                .formatted(numbers, script);
    }

    /** Returns the numbers by task: files with their kinds, and rows that name a file by its index in the list. */
    static Map<String, Object> numbers(Timeline timeline) {
        Map<String, TaskLines> tasks = new TreeMap<>();
        for (Timeline.Access access : timeline.accesses()) {
            TaskLines lines = tasks.computeIfAbsent(access.task(), name -> new TaskLines());
            lines.accesses.add(List.of(
                    lines.file(access.path()),
                    micros(access.start()),
                    micros(access.end()),
                    access.read(),
                    access.written(),
                    lines.thread(access.thread())));
        }
        for (Timeline.Mark mark : timeline.marks()) {
            TaskLines lines = tasks.computeIfAbsent(mark.task(), name -> new TaskLines());
            lines.marks.add(List.of(
                    lines.file(mark.path()), micros(mark.at()), mark.what().equals("fsync") ? 0 : 1));
        }
        for (Timeline.Request request : timeline.requests()) {
            TaskLines lines = tasks.computeIfAbsent(request.task(), name -> new TaskLines());
            lines.requests.add(List.of(
                    lines.file(request.path()),
                    micros(request.start()),
                    micros(request.end()),
                    request.offset(),
                    request.length(),
                    request.write() ? 1 : 0,
                    request.count(),
                    lines.thread(request.thread())));
        }
        Map<String, Object> numbers = new LinkedHashMap<>();
        tasks.forEach((name, lines) -> numbers.put(name, lines.toMap()));
        return numbers;
    }

    private static long micros(long nanos) {
        return Math.round(nanos / NANOS_PER_MICRO);
    }

    private static final class TaskLines {
        private final Map<String, Integer> files = new LinkedHashMap<>();
        private final Map<String, Integer> threads = new LinkedHashMap<>();
        private final List<Object> accesses = new ArrayList<>();
        private final List<Object> marks = new ArrayList<>();
        private final List<Object> requests = new ArrayList<>();

        private int file(String path) {
            return files.computeIfAbsent(path, key -> files.size());
        }

        private int thread(String name) {
            return threads.computeIfAbsent(name, key -> threads.size());
        }

        private Map<String, Object> toMap() {
            return Map.of(
                    "files",
                    List.copyOf(files.keySet()),
                    "kinds",
                    files.keySet().stream().map(SystemGroups::kind).toList(),
                    "threads",
                    List.copyOf(threads.keySet()),
                    "accesses",
                    accesses,
                    "marks",
                    marks,
                    "requests",
                    requests);
        }
    }
}
