package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * A tar stream as its recipe makes it: slices of it are restored in parallel, a few ahead of the reader (§4.2.2). Confined to one
 * thread.
 */
final class RestoredTar extends BulkInputStream {
    private static final int SLICE_BYTES = 1 << 20;
    /** Each is a request at least. */
    private static final int SLICE_CONTENTS = 32;

    /**
     * Bytes of a step.
     *
     * @param from offset in the step
     */
    private record Part(Step step, long from, int count) {}

    private final RegistryFiles files;
    private final Layout layout;
    private final RecipeReader recipe;
    private final ExecutorService threads;
    private final int ahead;
    private final Deque<Future<byte[]>> slices = new ArrayDeque<>();
    private Optional<Step> step;
    private long stepDone;
    private byte[] slice = new byte[0];
    private int sliceDone;

    /**
     * Starts at a position.
     *
     * @param recipe is closed with this
     * @param ahead slices under way; 1: one after the other
     */
    RestoredTar(
            RegistryFiles files, Layout layout, RecipeReader recipe, ExecutorService threads, int ahead, long position)
            throws IOException {
        this.files = files;
        this.layout = layout;
        this.recipe = recipe;
        this.threads = threads;
        this.ahead = ahead;
        this.step = recipe.next();
        long left = position;
        while (step.isPresent() && left >= step.get().length()) {
            left -= step.get().length();
            step = recipe.next();
        }
        this.stepDone = left;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (sliceDone == slice.length) {
            while (slices.size() < ahead && step.isPresent()) {
                List<Part> parts = nextParts();
                slices.add(threads.submit(() -> restore(parts)));
            }
            if (slices.isEmpty()) {
                return -1;
            }
            slice = Interruptions.get(slices.remove());
            sliceDone = 0;
        }
        int n = Math.min(count, slice.length - sliceDone);
        System.arraycopy(slice, sliceDone, into, offset, n);
        sliceDone += n;
        return n;
    }

    /** The parts of the next slice. */
    private List<Part> nextParts() throws IOException {
        List<Part> parts = new ArrayList<>();
        int bytes = 0;
        int contents = 0;
        while (step.isPresent() && bytes < SLICE_BYTES && contents < SLICE_CONTENTS) {
            Step now = step.get();
            int n = (int) Math.min(now.length() - stepDone, SLICE_BYTES - bytes);
            parts.add(new Part(now, stepDone, n));
            bytes += n;
            contents += now instanceof Step.Content ? 1 : 0;
            stepDone += n;
            if (stepDone == now.length()) {
                step = recipe.next();
                stepDone = 0;
            }
        }
        return parts;
    }

    private byte[] restore(List<Part> parts) throws IOException {
        byte[] bytes = new byte[parts.stream().mapToInt(Part::count).sum()];
        int at = 0;
        for (Part part : parts) {
            if (part.step() instanceof Step.Literal literal) {
                literal.copy(part.from(), bytes, at, part.count());
            } else if (part.step() instanceof Step.Content content) {
                try (FileBytes file = new FileBytes(files.open(layout.file(content.hex())), part.from())) {
                    int n = file.readNBytes(bytes, at, part.count());
                    if (n < part.count()) {
                        throw new EOFException(
                                "the content %s ends %d bytes early".formatted(content.hex(), part.count() - n));
                    }
                }
            }
            at += part.count();
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        slices.forEach(each -> each.cancel(false));
        recipe.close();
    }
}
