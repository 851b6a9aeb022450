package io.packing.registry.dedup;

import io.packing.registry.files.Interruptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Stores the contents of a layer, several at a time, and writes its recipe. Confined to one thread. */
final class LayerCut implements TarSplitter.Sink {
    /** Larger contents are not held in memory. */
    private static final int MOST_HELD = 1 << 20;
    /** Contents under way. */
    private static final int MOST_PENDING = 32;

    private final RecipeWriter recipe;
    private final FileContents contents;
    private final ExecutorService threads;
    private final MessageDigest hasher;
    private final Deque<Future<?>> pending = new ArrayDeque<>();
    private final Set<String> distinct = new LinkedHashSet<>();

    LayerCut(RecipeWriter recipe, FileContents contents, ExecutorService threads, MessageDigest hasher) {
        this.recipe = recipe;
        this.contents = contents;
        this.threads = threads;
        this.hasher = hasher;
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) throws IOException {
        recipe.literal(bytes, offset, length);
    }

    @Override
    public void content(InputStream bytes, long length) throws IOException {
        String hex;
        if (length > MOST_HELD) {
            hex = contents.put(bytes, hasher);
        } else {
            byte[] held = bytes.readNBytes((int) length);
            if (held.length < length) {
                throw new EOFException("a content of %d bytes ended at %d".formatted(length, held.length));
            }
            hex = HexFormat.of().formatHex(hasher.digest(held));
            if (!distinct.contains(hex)) {
                store(hex, held);
            }
        }
        distinct.add(hex);
        recipe.content(new Step.Content(hex, length));
    }

    private void store(String hex, byte[] held) throws IOException {
        if (pending.size() == MOST_PENDING) {
            await(pending.remove());
        }
        Callable<Boolean> store = () -> {
            contents.put(hex, held);
            return true;
        };
        pending.add(threads.submit(store));
    }

    /** The hashes of all contents, once they are stored. */
    Set<String> finish() throws IOException {
        while (!pending.isEmpty()) {
            await(pending.remove());
        }
        return distinct;
    }

    private static void await(Future<?> stored) throws IOException {
        Interruptions.get(stored);
    }

    /** Leaves what is under way. */
    void cancel() {
        pending.forEach(each -> each.cancel(false));
    }
}
