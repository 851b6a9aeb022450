package io.packing.layers.start;

import io.packing.blob.BlobName;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pages of blobs that containers of an image read when they start, in the order of the first reads (Slacker, §4.2: starts of one
 * image touch the same data). In text, a line for each: blob, number, between which is a space. Their bytes are copied into pieces
 * of several pages, so that few requests bring all of them.
 *
 * @param pages at most {@value #MOST_PAGES}, each once
 */
record StartPack(List<BlobPage> pages) {
    /** 64 MB. */
    static final int MOST_PAGES = 256;
    /** Of its text. */
    static final int MOST_BYTES = 128 << 10;

    /** The first piece is small, since a container waits for it; the largest ones are as large as an extent can be. */
    private static final int FIRST_PIECE = 4;

    private static final int LARGEST_PIECE = 16;
    /** A pack that lacks less than this part of its size is good enough. */
    private static final int TOLERATED = 8;

    StartPack {
        pages = List.copyOf(pages);
        if (pages.size() > MOST_PAGES || new LinkedHashSet<>(pages).size() < pages.size()) {
            throw new IllegalArgumentException(
                    "%d pages, some of them twice, or more than %d".formatted(pages.size(), MOST_PAGES));
        }
        for (BlobPage page : pages) {
            if (page.length() == 0) {
                throw new IllegalArgumentException(page + " is behind the end of the blob");
            }
        }
    }

    /** Of pages as they were asked for; those above the limit are left out. */
    static StartPack of(Collection<BlobPage> asked) {
        return new StartPack(
                new LinkedHashSet<>(asked).stream().limit(MOST_PAGES).toList());
    }

    /**
     * What to keep when a container has started; empty: what is there.
     *
     * <p>What the kernel had already, a container does not ask for. So what is there is extended by what it lacked, and is replaced only if
     * the container asked for as much, and for other pages: the bytes are in other blobs by now.
     *
     * @param there what is kept
     * @param asked the pages that the container asked for
     */
    static Optional<StartPack> next(Optional<StartPack> there, Set<BlobPage> asked) {
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        if (there.isEmpty()) {
            return Optional.of(of(asked));
        }
        List<BlobPage> before = there.get().pages();
        Set<BlobPage> lacking = new LinkedHashSet<>(asked);
        before.forEach(lacking::remove);
        if (2 * lacking.size() >= asked.size() && 2 * asked.size() >= before.size()) {
            return Optional.of(of(asked));
        }
        if (before.size() == MOST_PAGES || TOLERATED * lacking.size() <= before.size()) {
            return Optional.empty();
        }
        List<BlobPage> both = new ArrayList<>(before);
        both.addAll(lacking);
        return Optional.of(of(both));
    }

    /** The pages by pieces. */
    List<List<BlobPage>> pieces() {
        List<List<BlobPage>> pieces = new ArrayList<>();
        int size = FIRST_PIECE;
        for (int from = 0; from < pages.size(); ) {
            int to = Math.min(pages.size(), from + size);
            pieces.add(pages.subList(from, to));
            from = to;
            size = Math.min(LARGEST_PIECE, 2 * size);
        }
        return pieces;
    }

    /** Bytes of a piece. */
    static int length(List<BlobPage> piece) {
        return piece.stream().mapToInt(BlobPage::length).sum();
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder();
        for (BlobPage page : pages) {
            text.append(page.blob()).append(' ').append(page.number()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the text; an {@link IOException} says what is wrong with it. */
    static StartPack decode(byte[] bytes) throws IOException {
        List<BlobPage> pages = new ArrayList<>();
        try {
            for (String line : new String(bytes, StandardCharsets.US_ASCII).split("\n", -1)) {
                if (line.isEmpty()) {
                    continue;
                }
                int space = line.indexOf(' ');
                if (space < 0) {
                    throw new IllegalArgumentException("'%.200s' is no page".formatted(line));
                }
                pages.add(new BlobPage(
                        BlobName.parse(line.substring(0, space)), Long.parseLong(line, space + 1, line.length(), 10)));
            }
            return new StartPack(pages);
        } catch (IllegalArgumentException e) {
            throw new IOException("no index of a start: " + e.getMessage(), e);
        }
    }
}
