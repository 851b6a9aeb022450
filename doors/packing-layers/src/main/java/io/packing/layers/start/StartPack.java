// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
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
 * The pages of blobs that containers of an image read when they start, in the order of the first reads, and the names
 * that they look up, there or not. Starts of one image touch the same data (Slacker, §4.2). In text, a line for each:
 * blob, number, between which is a space; or a name. The bytes of pages are copied into pieces of several pages, so
 * that few requests bring all of them.
 *
 * @param pages at most {@value #MOST_PAGES}, each once
 * @param names paths as the container has them, at most {@value #MOST_NAMES}, each once; one that ends with a slash is a directory that is
 *     listed
 */
record StartPack(List<BlobPage> pages, List<String> names) {
    /** 128 MB: the libraries of a compiler. */
    static final int MOST_PAGES = 512;

    static final int MOST_NAMES = 1_500;
    /** Longer names, in bytes, are left out. */
    private static final int LONGEST_NAME = 250;
    /** The most bytes of its text. */
    static final int MOST_BYTES = 512 << 10;

    private static final String SLASH = FilePath.ROOT.value();

    /** The first piece is small, since a container waits for it; the largest ones are as large as an extent can be. */
    private static final int FIRST_PIECE = 4;

    private static final int LARGEST_PIECE = 16;
    /** A pack that lacks less than this part of its size is good enough. */
    private static final int TOLERATED = 8;

    /** The requests of a container, in their order. */
    record Asked(Set<BlobPage> pages, Set<String> names) {}

    StartPack {
        pages = List.copyOf(pages);
        names = List.copyOf(names);
        if (names.size() > MOST_NAMES || new LinkedHashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException(
                    "%d names, some of them twice, or more than %d".formatted(names.size(), MOST_NAMES));
        }
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

    /** Makes a pack of the requests; those beyond the limits are left out. */
    static StartPack of(Asked asked) {
        return new StartPack(
                asked.pages().stream().limit(MOST_PAGES).toList(),
                asked.names().stream()
                        .filter(StartPack::isKept)
                        .limit(MOST_NAMES)
                        .toList());
    }

    private static boolean isKept(String name) {
        return name.indexOf('\n') < 0 && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
    }

    /** Returns the form in which the name of a listed directory is written. */
    static String listed(String directory) {
        return directory.endsWith(SLASH) ? directory : directory + SLASH;
    }

    /** Returns the paths that are looked up. */
    List<String> paths() {
        return names.stream().filter(each -> !each.endsWith(SLASH)).toList();
    }

    /** Returns the directories that are listed. */
    List<String> directories() {
        return names.stream()
                .filter(each -> each.endsWith(SLASH))
                .map(StartPack::directory)
                .toList();
    }

    /**
     * Returns the directories that are listed, or in which names are looked up, in the order in which they first are.
     */
    static List<String> searched(Collection<String> names) {
        return names.stream()
                .map(each -> each.substring(0, each.lastIndexOf('/') + 1))
                .map(StartPack::directory)
                .distinct()
                .toList();
    }

    private static String directory(String listed) {
        return listed.equals(SLASH) ? SLASH : listed.substring(0, listed.length() - 1);
    }

    /**
     * Returns the pack to keep when a container has started; empty: the present one.
     *
     * <p>A container does not ask for pages that the kernel has already. So the pages that the present pack lacks
     * are added to it. The pack is replaced only if the container asked for as many pages, and for other ones: the bytes are in
     * other blobs by now.
     *
     * @param there the present pack
     */
    static Optional<StartPack> next(Optional<StartPack> there, Asked asked) {
        int pages = asked.pages().size();
        if (pages == 0) {
            return Optional.empty();
        }
        if (there.isEmpty()) {
            return Optional.of(of(asked));
        }
        List<BlobPage> before = there.get().pages();
        int lacking = lacking(before, asked.pages());
        if (2 * lacking >= pages && 2 * pages >= before.size()) {
            return Optional.of(of(asked));
        }
        List<String> known = there.get().names();
        boolean isGoodEnough = (before.size() == MOST_PAGES || TOLERATED * lacking <= before.size())
                && (known.size() == MOST_NAMES
                        || TOLERATED * lacking(known, of(asked).names()) <= known.size());
        return isGoodEnough
                ? Optional.empty()
                : Optional.of(of(new Asked(both(before, asked.pages()), both(known, asked.names()))));
    }

    private static <T> int lacking(List<T> there, Collection<T> asked) {
        Set<T> lacking = new LinkedHashSet<>(asked);
        there.forEach(lacking::remove);
        return lacking.size();
    }

    private static <T> Set<T> both(List<T> there, Collection<T> asked) {
        Set<T> both = new LinkedHashSet<>(there);
        both.addAll(asked);
        return both;
    }

    /** Returns the pages by pieces. */
    List<List<BlobPage>> pieces() {
        List<List<BlobPage>> pieces = new ArrayList<>();
        for (int from = 0; from < pages.size(); ) {
            int to = Math.min(pages.size(), from + pieceSize(pieces.size()));
            pieces.add(pages.subList(from, to));
            from = to;
        }
        return pieces;
    }

    /** Returns the number of pages of a piece that is not the last one. */
    static int pieceSize(int number) {
        int size = FIRST_PIECE;
        for (int i = 0; i < number && size < LARGEST_PIECE; i++) {
            size *= 2;
        }
        return Math.min(LARGEST_PIECE, size);
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
        names.forEach(each -> text.append(each).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the text; an {@link IOException} names the error. */
    static StartPack decode(byte[] bytes) throws IOException {
        List<BlobPage> pages = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try {
            for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.isEmpty()) {
                    continue;
                }
                if (line.startsWith(SLASH)) {
                    checkPath(line);
                    names.add(line);
                    continue;
                }
                int space = line.indexOf(' ');
                if (space < 0) {
                    throw new IllegalArgumentException("'%.200s' is no page".formatted(line));
                }
                pages.add(new BlobPage(
                        BlobName.parse(line.substring(0, space)), Long.parseLong(line, space + 1, line.length(), 10)));
            }
            return new StartPack(pages, names);
        } catch (IllegalArgumentException e) {
            throw new IOException("no index of a start: " + e.getMessage(), e);
        }
    }

    private static void checkPath(String name) {
        boolean isListed = name.endsWith(SLASH);
        FilePath path = new FilePath(isListed ? directory(name) : name);
        if (isListed && !listed(path.value()).equals(name)) {
            throw new IllegalArgumentException("'%.200s' is no path".formatted(name));
        }
    }
}
