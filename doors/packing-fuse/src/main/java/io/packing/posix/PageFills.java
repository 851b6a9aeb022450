package io.packing.posix;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.fuse.FuseException;
import io.packing.fuse.KernelCache;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the kernel what lies around the bytes that it read, as far as this process has them in its memory. Bytes are fetched and checked in
 * extents of megabytes; a program that is mapped asks for some pages at a time, and each time waits for an answer. Only for files that do
 * not change. Thread-safe.
 */
final class PageFills {
    private static final Logger LOG = LoggerFactory.getLogger(PageFills.class);

    private static final int WINDOW = 1 << 20;
    /** Where nothing is in memory, the next bytes are looked for behind so many. */
    private static final int STEP = 64 << 10;

    private static final int PAGE = 4096;
    /** What is too much at a time is left out: the kernel asks for it as without this. */
    private static final int MOST_WAITING = 256;

    private static final int MOST_WINDOWS = 1 << 16;
    /** Who reads a part again after this time has lost it from its memory. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final KernelCache kernel;
    private final FileCalls files;
    private final BlockingQueue<Fill> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Cache<Window, Boolean> filled = CacheBuilder.newBuilder()
            .maximumSize(MOST_WINDOWS)
            .expireAfterWrite(AGAIN)
            .build();

    /** A part of a file. */
    private record Window(long node, long number) {}

    /** What is to be filled of a window: all but a range that was read. */
    private record Fill(Node node, long start, long end, long readFrom, long readTo) {}

    private PageFills(KernelCache kernel, FileCalls files) {
        this.kernel = kernel;
        this.files = files;
    }

    /** Begins, in a thread that ends with the process. */
    static PageFills start(KernelCache kernel, FileCalls files) {
        PageFills fills = new PageFills(kernel, files);
        Thread thread = new Thread(fills::run, "page-fills");
        thread.setDaemon(true);
        thread.start();
        return fills;
    }

    /** The kernel reads bytes of a file. Returns at once. */
    void wasRead(Node node, long offset, int length) {
        long size = node.attributes.length();
        for (long number = offset / WINDOW; number * WINDOW < offset + length; number++) {
            long start = number * WINDOW;
            long end = Math.min(size, start + WINDOW);
            boolean isRest = offset > start || offset + length < end;
            Window window = new Window(node.number, number);
            if (isRest
                    && filled.getIfPresent(window) == null
                    && waiting.offer(new Fill(node, start, end, offset, offset + length))) {
                filled.put(window, true);
            }
        }
    }

    private void run() {
        while (true) {
            try {
                Fill next = waiting.take();
                fill(next.node(), next.start(), Math.min(next.readFrom(), next.end()));
                fill(next.node(), Math.max(next.readTo(), next.start()), next.end());
            } catch (FuseException | IOException | RuntimeException e) {
                // Whoever reads it says what is wrong, if there is.
                LOG.debug("the kernel was not given what lies around a read: {}", e.toString());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void fill(Node node, long from, long to) throws FuseException, IOException {
        long position = from;
        while (position < to) {
            int stored = fillOnce(node, position, to);
            position = stored == 0 ? (position / STEP + 1) * STEP : position + stored;
        }
    }

    private int fillOnce(Node node, long position, long to) throws FuseException, IOException {
        return files.readCached(
                node,
                input -> kernel.store(node.number, position, (int) (to - position), room -> {
                    int begin = room.position();
                    int got = 1;
                    while (got > 0 && room.hasRemaining()) {
                        got = input.readCached(position + room.position() - begin, room);
                    }
                    if (room.hasRemaining()) {
                        room.position(begin + (room.position() - begin) / PAGE * PAGE);
                    }
                }));
    }
}
