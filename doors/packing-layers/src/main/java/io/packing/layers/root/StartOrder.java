package io.packing.layers.root;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first container of an image read when it started, in the order of its reads: the next one is likely to read the like (Slacker,
 * §4.2: starts of one image touch the same data). In text, a line for each: offset, length, path, between which is a space.
 *
 * @param ranges at most {@value #MOST_RANGES}
 */
record StartOrder(List<Range> ranges) {
    static final int MOST_RANGES = 20_000;
    /** Of its text. */
    static final int MOST_BYTES = 8 << 20;

    /** The largest read of the kernel. */
    private static final int LARGEST = 1 << 20;

    /**
     * A range of a file.
     *
     * @param path from the root of the container, with a slash before it
     */
    record Range(String path, long offset, int length) {
        Range {
            if (!isPath(path) || offset < 0 || length < 1 || length > LARGEST) {
                throw new IllegalArgumentException("no range %d+%d of '%.200s'".formatted(offset, length, path));
            }
        }

        /** Whether a range can have this path; a line has no line breaks in it. */
        static boolean isPath(String path) {
            return path.startsWith("/") && path.indexOf('\n') < 0 && path.indexOf('\r') < 0;
        }
    }

    StartOrder {
        ranges = List.copyOf(ranges);
        if (ranges.size() > MOST_RANGES) {
            throw new IllegalArgumentException("%d ranges: at most %d".formatted(ranges.size(), MOST_RANGES));
        }
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder();
        for (Range range : ranges) {
            text.append(range.offset())
                    .append(' ')
                    .append(range.length())
                    .append(' ')
                    .append(range.path())
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the text; an {@link IOException} says which line is none. */
    static StartOrder decode(byte[] bytes) throws IOException {
        List<Range> ranges = new ArrayList<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty()) {
                ranges.add(range(line));
            }
        }
        if (ranges.size() > MOST_RANGES) {
            throw new IOException("an order of a start with %d ranges".formatted(ranges.size()));
        }
        return new StartOrder(ranges);
    }

    private static Range range(String line) throws IOException {
        String[] words = line.split(" ", 3);
        try {
            if (words.length == 3) {
                return new Range(words[2], Long.parseLong(words[0]), Integer.parseInt(words[1]));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("no line of an order of a start: '%.200s'".formatted(line), e);
        }
        throw new IOException("no line of an order of a start: '%.200s'".formatted(line));
    }
}
